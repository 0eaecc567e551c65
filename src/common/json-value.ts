/**
 * JSON that someone else wrote: reading it without trusting it, and showing it in a sentence.
 */

/** Stands for the value of a body that is not JSON; it satisfies no expectation of a value. */
export class NotJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text === '' ? 'an empty body' : `a body that is not JSON: ${JSON.stringify(this.text)}`;
  }
}

/** The value of a JSON body, or a NotJson. */
export function parseJson(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return new NotJson(text);
  }
}

const SHOWN_MAX_CHARACTERS = 300;

/** A value for a message: one line of bounded length. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = value instanceof NotJson ? value.toString() : JSON.stringify(value);
  return text.length > SHOWN_MAX_CHARACTERS ? `${text.slice(0, SHOWN_MAX_CHARACTERS)}…` : text;
}
