/**
 * Shell: requests as commands that a person can paste. No key stands in them: `$PLATEN_API_KEY` does.
 */

import { shellWord } from '../../common/shell-word.ts';

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
    ...(method === implied ? [] : [`-X ${shellWord(method)}`]),
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellWord(body)}`]),
    ...(bodyFrom === undefined ? [] : ['--data-binary @-']),
    shellWord(url),
  ];
  return parts.join(' ');
}
