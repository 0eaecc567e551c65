/**
 * docs/run-record.md: the fields of run.json, from its schema.
 */

import { runJsonSchema } from '../../src/record/run-record.ts';
import { cell, TYPE_WORDS, type SchemaNode } from './schema-node.ts';

/** docs/run-record.md, as it should be. */
export function runRecordPage(): string {
  const schema: SchemaNode = runJsonSchema();
  return [
    `<!-- Written by npm run docs. Edit src/record, not this page. -->`,
    '',
    '# The fields of run.json',
    '',
    'What it is for, and what is made of it: [reports.md](reports.md). The same as JSON Schema: [run.schema.json](run.schema.json).',
    '',
    'A field in **bold** is always there. `[]` stands for each element of a list, `*` for each key.',
    '',
    fieldTables(schema),
  ].join('\n');
}

function fieldTables({ anyOf = [] }: SchemaNode): string {
  return anyOf
    .map((form) => {
      const kind = String(form.properties?.['kind']?.const);
      return [
        `## A record of the kind \`${kind}\``,
        '',
        '| field | value | meaning |',
        '| --- | --- | --- |',
        ...rowsOf(form, ''),
        '',
      ].join('\n');
    })
    .join('\n');
}

/** A row for each field, those inside it below. */
function rowsOf({ properties = {}, required = [] }: SchemaNode, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const name = `\`${prefix}${key}\``;
    const shown = required.includes(key) ? `**${name}**` : name;
    const row = `| ${shown} | ${typeOf(node)} | ${cell(node.description ?? '')} |`;
    return [row, ...innerRows(node, prefix + key)];
  });
}

function innerRows(node: SchemaNode, path: string): readonly string[] {
  const forms = node.anyOf ?? [node];
  return forms.flatMap((form) => {
    const items = itemOf(form);
    if (items?.properties) return rowsOf(items, `${path}[].`);
    if (typeof form.additionalProperties === 'object') return rowsOf(form.additionalProperties, `${path}.*.`);
    return rowsOf(form, `${path}.`);
  });
}

function typeOf(node: SchemaNode): string {
  if (node.anyOf) return [...new Set(node.anyOf.map(typeOf))].join(' or ');
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  const item = itemOf(node);
  if (item) return `list of ${item.properties ? 'objects' : item.type === 'array' ? 'pairs' : typeOf(item)}`;
  if (typeof node.additionalProperties === 'object') return 'object by id';
  return [node.type]
    .flat()
    .map((type) => TYPE_WORDS[String(type)] ?? 'anything')
    .join(' or ');
}

function itemOf({ items }: SchemaNode): SchemaNode | undefined {
  return items && !('length' in items) ? items : undefined;
}
