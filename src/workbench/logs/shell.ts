/**
 * Shell: requests as commands that a person can paste. No key stands in them: `$PLATEN_API_KEY` does.
 */

export interface ShellRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | undefined;
  /** A pipe that makes the body instead. */
  readonly bodyFrom?: string | undefined;
}

export function curl({ method, url, headers, body, bodyFrom }: ShellRequest): string {
  const hasBody = body !== undefined || bodyFrom !== undefined;
  const implied = hasBody ? 'POST' : 'GET';
  const parts = [
    `${bodyFrom === undefined ? '' : `${bodyFrom} | `}curl -sS -i -u "$PLATEN_API_KEY:"`,
    ...(method === implied ? [] : [`-X ${quoted(method)}`]),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
    ...(bodyFrom === undefined ? [] : ['--data-binary @-']),
    quoted(url),
  ];
  return parts.join(' ');
}

/** Text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
