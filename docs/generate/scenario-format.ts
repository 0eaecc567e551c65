/**
 * docs/scenario-format.md: everything that a scenario file may contain, from the schema of scenarios.
 */

import { keysOf } from '../../src/common/keys-of.ts';
import { FAULT_PLACES, PLACE_FAULTS, type FaultPlace } from '../../src/scenario/setup/place-faults.ts';
import { scenarioJsonSchema } from '../../src/scenario/format/read-scenario.ts';
import { cell, TYPE_WORDS, type SchemaNode } from './schema-node.ts';

/** docs/scenario-format.md, as it should be. */
export function scenarioFormatPage(): string {
  const schema: SchemaNode = scenarioJsonSchema();
  const { properties = {} } = schema;
  const steps = itemsOf(properties['steps'])[0]?.properties ?? {};
  const { thresholds, abort, ...expectations } = properties['expect']?.properties ?? {};
  const room = formsOf(properties['room']).find((form) => form.properties)?.properties ?? {};
  return [
    `<!-- Written by npm run docs. Edit src/scenario, not this page. -->`,
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
    ...section('chaos', itemsOf(properties['chaos'])[0] ?? {}, properties['chaos']?.description),
    '## Steps',
    '',
    ...Object.entries(steps).flatMap(([kind, node]) => section(kind, node)),
    '## Expectations',
    '',
    ...Object.entries(expectations).flatMap(([kind, node]) => section(kind, valueOf(node), node.description)),
    ...Object.entries({ thresholds, abort }).flatMap(([kind, node]) => section(kind, node ?? {})),
    '## Faults',
    '',
    'A rule counts occasions at its place, and lets the first `after` of them pass. What happened is listed under',
    '`decisions` in run.json, a line for each occasion of a rule.',
    '',
    '`platen faults` prints these tables.',
    '',
    ...keysOf(PLACE_FAULTS).flatMap(faultsOf),
  ].join('\n');
}

/** A table of the faults of a kind of place. */
function faultsOf(place: FaultPlace): readonly string[] {
  const { example, occasion } = FAULT_PLACES[place];
  const rows = Object.entries(PLACE_FAULTS[place]).map(([name, { does, settings = {} }]) => {
    const taken = Object.entries(settings).map(([setting, meaning]) => `${code(setting)}: ${meaning}`);
    return `| ${code(name)} | ${cell(does)} | ${cell(taken.join('; '))} |`;
  });
  return [
    `### ${place}`,
    '',
    `A place is such as ${code(example)}. An occasion is ${occasion}.`,
    '',
    '| fault | what it does | `with` |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ];
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
    return prefix === '' && OWN_SECTION.has(key) ? [row] : [row, ...rowsOf(innerOf(node), `${prefix}${key}.`)];
  });
}

const OWN_SECTION = new Set([
  'room',
  'traffic',
  'chaos',
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
  return TYPE_WORDS[String(node.type)] ?? 'anything';
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
