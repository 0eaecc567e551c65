/**
 * Mismatch: what a judge returns when something is not as it should be. Nothing is thrown; a judge that
 * is content returns undefined.
 */

export interface Mismatch {
  /** What the specification demands, as a phrase: `status 200`, `an integer`. */
  readonly expected: string;
  /** What was seen. */
  readonly actual: string;
  /** Where: `status of GET /ping`, `body[3].age`. */
  readonly at: string;
  /** Position of the exchange it was seen in, within the history of the run. */
  readonly exchange?: number;
}

/** A mismatch as one sentence. */
export function describeMismatch({ expected, actual, at }: Mismatch): string {
  return `${at}: expected ${expected}, got ${actual}`;
}

const SHOWN_MAX_CHARACTERS = 300;

/** A value for people, on one line and of bounded length. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = value instanceof NotJson ? value.toString() : JSON.stringify(value);
  return text.length > SHOWN_MAX_CHARACTERS ? `${text.slice(0, SHOWN_MAX_CHARACTERS)}…` : text;
}

/** Stands for the value of a body that is no JSON; it satisfies no expectation of a value. */
export class NotJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text === '' ? 'an empty body' : `a body that is no JSON: ${JSON.stringify(this.text)}`;
  }
}

/** The value of a JSON body. */
export function parseJson(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return new NotJson(text);
  }
}
