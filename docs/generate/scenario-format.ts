/**
 * Writes what follows from the format of scenarios: the JSON Schema for editors, and the page that lists
 * everything that can stand in a file.
 *
 *   node docs/generate/scenario-format.ts           write both
 *   node docs/generate/scenario-format.ts --check   write nothing; exit 1 where one is not what would be written
 */

import { readFileSync, writeFileSync } from 'node:fs';

import { PLACE_FAULTS } from '../../src/scenario/place-faults.ts';
import { scenarioJsonSchema } from '../../src/scenario/json-schema.ts';

const COMMAND = 'node docs/generate/scenario-format.ts';

interface SchemaNode {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode | readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
}

/** The files, by their place, as they should stand. */
export function scenarioFormatFiles(): ReadonlyMap<URL, string> {
  const schema = scenarioJsonSchema();
  return new Map([
    [
      new URL('../../scenarios/scenario.schema.json', import.meta.url),
      `${JSON.stringify(schema, undefined, 2)}\n`,
    ],
    [new URL('../scenario-format.md', import.meta.url), page(schema)],
  ]);
}

function page(schema: SchemaNode): string {
  const { properties = {} } = schema;
  const steps = itemsOf(properties['steps'])[0]?.properties ?? {};
  const { thresholds, abort, ...expectations } = properties['expect']?.properties ?? {};
  const room = formsOf(properties['room']).find((form) => form.properties)?.properties ?? {};
  return [
    `<!-- Written by ${COMMAND}. Edit src/scenario, not this page. -->`,
    '',
    '# The format of scenarios',
    '',
    'Everything that can stand in a scenario file. How to write one: [scenarios.md](scenarios.md).',
    '',
    'A key in **bold** must be there.',
    '',
    '## The file',
    '',
    ...table(schema),
    '## The room',
    '',
    ...Object.entries(room).flatMap(([key, node]) => section(`room.${key}`, itemsOf(node)[0] ?? node)),
    '## Traffic',
    '',
    ...section('traffic', properties['traffic'] ?? {}),
    ...section('disasters', itemsOf(properties['disasters'])[0] ?? {}, properties['disasters']?.description),
    '## Steps',
    '',
    ...Object.entries(steps).flatMap(([kind, node]) => section(kind, node)),
    '## Expectations',
    '',
    ...Object.entries(expectations).flatMap(([kind, node]) => section(kind, valueOf(node), node.description)),
    ...Object.entries({ thresholds, abort }).flatMap(([kind, node]) => section(kind, node ?? {})),
    '## Faults',
    '',
    '| place | faults |',
    '| --- | --- |',
    ...Object.entries(PLACE_FAULTS).map(
      ([place, names]) => `| \`${place}/…\` | ${names.map(code).join(', ')} |`,
    ),
    '',
  ].join('\n');
}

function section(title: string, node: SchemaNode, about = node.description ?? ''): readonly string[] {
  const forms = formsOf(node);
  const short = forms.filter((form) => !form.properties).map(typeOf);
  return [
    `### ${title}`,
    '',
    cell(about),
    '',
    ...(short.length > 0
      ? [`Takes ${[...new Set(short)].join(' or ')}${short.length < forms.length ? ', or:' : '.'}`, '']
      : []),
    ...forms.filter((form) => form.properties).flatMap(table),
  ];
}

function table(node: SchemaNode): readonly string[] {
  return ['| key | value (unless given) | meaning |', '| --- | --- | --- |', ...rowsOf(node, ''), ''];
}

function rowsOf({ properties = {}, required = [] }: SchemaNode, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const name = code(prefix + key);
    const isRequired = required.includes(key) && node.default === undefined;
    const hasDefault = node.default !== undefined && typeof node.default !== 'object';
    const fallback = hasDefault ? ` (${code(JSON.stringify(node.default))})` : '';
    const row = `| ${isRequired ? `**${name}**` : name} | ${typeOf(node)}${fallback} | ${cell(node.description ?? '')} |`;
    // The room and the steps have sections of their own.
    return prefix === '' && OWN_SECTION.has(key)
      ? [row]
      : [row, ...rowsOf(innerOf(node), `${prefix}${key}.`)];
  });
}

const OWN_SECTION = new Set([
  'room',
  'traffic',
  'disasters',
  'steps',
  'expect',
  'jobs',
  'sheets',
  'webhooks',
  'readings',
  'fetches',
]);

function innerOf(node: SchemaNode): SchemaNode {
  return itemsOf(node)[0] ?? valueOf(node);
}

const LONGEST_LIST = 16;

function typeOf(node: SchemaNode): string {
  if (node.anyOf) return [...new Set(node.anyOf.map(typeOf))].join(' or ');
  if (node.const !== undefined) return code(JSON.stringify(node.const));
  if (node.enum && node.enum.length > LONGEST_LIST) return 'a name';
  if (node.enum) return node.enum.map((value) => code(String(value))).join(', ');
  if (Array.isArray(node.items)) return `[${node.items.map(typeOf).join(', ')}]`;
  const [item] = itemsOf(node);
  if (item) return `a list of ${item.properties ? 'objects' : typeOf(item)}`;
  if (Array.isArray(node.type)) return node.type.map((type: string) => typeOf({ type })).join(' or ');
  const words = {
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
    object: 'object',
    null: '`null`',
  };
  return Object.entries(words).find(([type]) => type === node.type)?.[1] ?? 'anything';
}

function formsOf(node: SchemaNode | undefined): readonly SchemaNode[] {
  return node?.anyOf?.flatMap(formsOf) ?? (node ? [node] : []);
}

function itemsOf(node: SchemaNode | undefined): readonly SchemaNode[] {
  if (!node?.items) return [];
  return 'length' in node.items ? node.items : [node.items];
}

function valueOf(node: SchemaNode): SchemaNode {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : node;
}

function code(text: string): string {
  return `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');
}

function main(): void {
  const isCheck = process.argv.includes('--check');
  for (const [file, text] of scenarioFormatFiles()) {
    if (!isCheck) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      process.stderr.write(
        `${file.pathname} is not what src/scenario says. Run \`${COMMAND}\` and commit it.\n`,
      );
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) main();
