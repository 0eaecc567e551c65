/**
 * Client command: how a client program is started for one computer, from its description in a target descriptor.
 */

import type { ClientDescription } from '../descriptor.ts';

export type { ClientDescription } from '../descriptor.ts';

export interface ClientVariables {
  /** Base address of the service. */
  readonly url: string;
  readonly key: string;
  /** The name that the computer has to get in the service. */
  readonly computer: string;
  /** CUPS_SERVER of its print system. */
  readonly cups: string;
  /** A folder of its own, kept until the computer is taken down. */
  readonly folder: string;
}

export interface ClientCommand {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The words to run, with `{url}` and the other variables filled in. An image is run by `docker`. */
export function commandOf(client: ClientDescription, variables: ClientVariables): ClientCommand {
  const fill = (text: string): string =>
    Object.entries(variables).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, value), text);
  const environment = Object.fromEntries(
    Object.entries(client.environment ?? {}).map(([name, value]) => [name, fill(value)]),
  );
  const words = (client.command ?? []).map(fill);
  if (client.image === undefined) return { command: words, environment };
  const inside = { ...environment, CUPS_SERVER: variables.cups };
  const { folder } = variables;
  // On the network of this machine, where the print system listens on loopback.
  const run = ['docker', 'run', '--rm', '--init', '--network', 'host', '--volume', `${folder}:${folder}`];
  const variablesInside = Object.entries(inside).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return { command: [...run, ...variablesInside, client.image, ...words], environment: {} };
}
