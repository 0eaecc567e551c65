/**
 * docs/target.md: the keys of a target descriptor, from its schema.
 */

import { z } from 'zod';

import { targetSchema } from '../../src/targets/descriptor.ts';

export const EXAMPLE = `url: https://print.example
keys:
  main: \${PRINT_KEY}
  second: \${PRINT_SECOND_KEY}
link: websocket
capabilities:
  integrator: true
  client-downloads: false
rate:
  requestsPerSecond: 9
hooks:
  reset:
    http:
      url: https://print.example/test/reset
      headers:
        Authorization: Bearer \${RESET_TOKEN}
  advanceClock:
    command: ./advance-clock.sh {seconds}
`;

export const START_EXAMPLE = `start:
  command: ./serve --port {port} --data {folder}
  environment:
    ADMIN_KEY: '{key}'
keys:
  main: \${PRINT_KEY}
link: websocket
`;

export const IMAGE_EXAMPLE = `image:
  name: print-service:latest
  port: 8080
  environment:
    ADMIN_KEY: \${PRINT_KEY}
  command: [serve, --verbose]
  ready: /ping
keys:
  main: \${PRINT_KEY}
`;

export const CLIENT_EXAMPLE = `url: https://print.example
keys:
  main: \${PRINT_KEY}
client:
  command: [/opt/acme/acme-client, --foreground]
  environment:
    ACME_SERVER: '{url}'
    ACME_KEY: '{key}'
    ACME_COMPUTER: '{computer}'
`;

export interface SchemaNode {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly required?: readonly string[];
  readonly anyOf?: readonly SchemaNode[];
}

export function rowsOf(node: SchemaNode, prefix: string): readonly string[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, inner]) => {
    const name = prefix + key;
    const needed = node.required?.includes(key) === true ? 'yes' : '';
    return [
      `| \`${name}\` | ${needed} | ${kindOf(inner)} | ${inner.description ?? ''} |`,
      ...rowsOf(inner, `${name}.`),
    ];
  });
  return [...own, ...(node.anyOf ?? []).flatMap((form) => rowsOf(form, prefix))];
}

function kindOf(node: SchemaNode): string {
  if (node.anyOf) return [...new Set(node.anyOf.map(kindOf))].join(' or ');
  if (node.const !== undefined) return `\`${node.const}\``;
  if (node.enum) return node.enum.map((word) => `\`${word}\``).join(', ');
  const names = node.propertyNames?.enum;
  // Endpoints are many, and printed elsewhere.
  const words = names?.filter((name) => !name.includes('/'));
  if (words)
    return `${words.map((name) => `\`${name}\``).join(', ')}, or an endpoint as matrix.md has it: true or false`;
  const { type = 'any value' } = node;
  return typeof type === 'string' ? (KINDS[type] ?? type) : type.join(' or ');
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'string',
  object: 'keys and values',
  array: 'list of strings',
  integer: 'integer',
};

/** docs/target.md, as it should be. */
export function targetPage(): string {
  const schema = z.toJSONSchema(targetSchema, { io: 'input', reused: 'inline' }) as SchemaNode;
  return [
    '# The target descriptor',
    '',
    `<!-- Written by npm run docs: change src/targets/descriptor.ts, not this page. -->`,
    '',
    'A YAML file that says where a service is, what it offers, and how to move it about:',
    '',
    '    platen check --target target.yaml',
    '',
    '```yaml',
    EXAMPLE.trimEnd(),
    '```',
    '',
    'With `start` platen [starts the service](guides/check-a-service.md#a-service-that-platen-starts) by a command, for the run alone:',
    '',
    '```yaml',
    START_EXAMPLE.trimEnd(),
    '```',
    '',
    'With `image` the service is started in a container, by the package `testcontainers`, for the run alone:',
    '',
    '```yaml',
    IMAGE_EXAMPLE.trimEnd(),
    '```',
    '',
    'With `client` the computers are run by the client program of the service, [beside CUPS](guides/test-a-client.md):',
    '',
    '```yaml',
    CLIENT_EXAMPLE.trimEnd(),
    '```',
    '',
    'In every text `${NAME}` stands for an environment variable and `${NAME:-text}` for one that may be missing.',
    'All mistakes in a file are reported at once, with line and column.',
    '',
    '| key | needed | value | meaning |',
    '|---|---|---|---|',
    ...rowsOf(schema, ''),
    '',
    'A hook is one of `http`, `command` and `module`. It has a minute, also for a move of a year; what ends with a 2xx',
    'status, an exit code of 0, or without an exception, has worked. Once `advanceClock` has failed, the time of the',
    'service is not known, and what would still have to wait is inconclusive.',
    '',
    'A command gets the environment variables that platen was started with, no more and no fewer, and works in the folder',
    'of the descriptor, wherever platen was started. It has ended when every process that holds its output has: what it',
    'leaves running, such as the service after `restart`, writes elsewhere (`./serve >serve.log 2>&1 &`). A module is',
    'loaded into platen itself: it has the same variables, and the folder in which platen was started.',
    '',
  ].join('\n');
}
