/**
 * Actionable error: something went wrong that a person can fix. It says what, where, and the next step.
 */

/**
 * usage        the command line or a file given on it is wrong
 * unreachable  the target does not answer, or not like a service of this kind
 * harness      platen itself broke
 */
export type ErrorKind = 'usage' | 'unreachable' | 'harness';

export class ActionableError extends Error {
  override readonly name = 'ActionableError';
  readonly kind: ErrorKind;
  /** The message, line by line: a line break within one is part of a value. */
  readonly lines: readonly string[];
  /** How to fix it: a sentence or a command. */
  readonly nextStep: string;

  constructor(kind: ErrorKind, message: string | readonly string[], nextStep: string, options?: ErrorOptions) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'), options);
    this.kind = kind;
    this.lines = lines;
    this.nextStep = nextStep;
  }
}

/** The command line, or a file given on it, is wrong. */
export function usageError(
  message: string | readonly string[],
  nextStep: string,
  options?: ErrorOptions,
): ActionableError {
  return new ActionableError('usage', message, nextStep, options);
}
