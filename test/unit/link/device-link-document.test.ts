/**
 * docs/device-link.md against the message table: a stranger builds from the page alone, so it must not drift.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { decodeComputerMessage, decodeServiceMessage } from '../../../src/link/codec.ts';
import {
  COMPUTER_FRAME_MAX_BYTES,
  computerMessage,
  LINK_CLOSE_CODES,
  LINK_PATH,
  LINK_PROTOCOLS,
  MESSAGE_MAX_DEPTH,
  MESSAGE_MAX_VALUES,
  SERVICE_FRAME_MAX_BYTES,
  serviceMessage,
  SILENT_AFTER_HEARTBEATS,
} from '../../../src/link/messages.ts';

const PAGE = readFileSync(new URL('../../../docs/device-link.md', import.meta.url), 'utf8');

interface JsonSchema {
  type?: string | string[];
  const?: string;
  enum?: string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
}

/** A type as the tables of the page write it. */
function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  const choices = schema.anyOf?.filter((choice) => choice.type !== 'null');
  if (choices) return `${choices.map(typeText).join(' or ')} or null`;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum)
    return schema.enum
      .map((value) => `\`${value}\``)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or ');
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeText).join(', ')}]`;
  if (schema.type === 'array') return listText(schema);
  if (schema.type === 'object') return isOfNumbers(schema) ? 'object of numbers' : 'object';
  if (schema.type === 'string') return stringText(schema);
  return `${schema.type}${atLeast(schema)}`;
}

function listText({ items = {}, maxItems }: JsonSchema): string {
  const most = maxItems === undefined ? '' : `, at most ${maxItems}`;
  return `array of ${items.properties ? 'objects' : typeText(items)}${most}`;
}

function isOfNumbers({ additionalProperties: values }: JsonSchema): boolean {
  return typeof values === 'object' && values.type === 'number';
}

function stringText({ format, minLength, maxLength }: JsonSchema): string {
  if (format === 'date-time') return 'timestamp';
  if (maxLength !== undefined)
    return `string, ${minLength === undefined ? 'at most' : `${minLength} to`} ${maxLength} characters`;
  return minLength === undefined ? 'string' : 'string, not empty';
}

function atLeast({ minimum, exclusiveMinimum }: JsonSchema): string {
  if (exclusiveMinimum !== undefined) return ` ≥ ${exclusiveMinimum + 1}`;
  return minimum === undefined || minimum < 0 ? '' : ` ≥ ${minimum}`;
}

/** Every field of a schema with its type, nested ones with their path. */
function fieldsOf(schema: JsonSchema, path = ''): string[] {
  const inner = schema.anyOf?.find((choice) => choice.properties) ?? schema;
  if (inner.items) return fieldsOf(inner.items, `${path}[]`);
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    return [`${fieldPath}: ${typeText(field)}`, ...fieldsOf(field, fieldPath)];
  });
}

/** The page from this heading to the next of its rank. */
function section(heading: string): string {
  const [, after = ''] = PAGE.split(`\n### ${heading}\n`);
  return after.split(/\n##+ /)[0] ?? '';
}

/** The first two columns of the field table in a section. */
function documentedFields(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` +\| (.+?) +\|/gm)].map(([, name, type]) => `${name}: ${type}`);
}

const directions = [
  { of: 'a computer', options: computerMessage.options, decode: decodeComputerMessage },
  { of: 'a service', options: serviceMessage.options, decode: decodeServiceMessage },
];
const messages = directions.flatMap(({ of, options, decode }) =>
  options.map((schema) => {
    const type = schema.shape.type.value;
    return { type, heading: type === 'ack' ? `\`ack\` of ${of}` : `\`${type}\``, schema, decode };
  }),
);

describe('docs/device-link.md', () => {
  it.each(messages)('lists the fields of $heading with their types', ({ heading, schema }) => {
    const expected = fieldsOf(z.toJSONSchema(schema) as JsonSchema);
    expect(documentedFields(section(heading))).toEqual(expected);
  });

  it.each(messages)('shows a $heading that the codec takes as it is', ({ heading, decode }) => {
    const [, example = ''] = /```json\n(.+?)\n```/s.exec(section(heading)) ?? [];
    expect(decode(Buffer.from(example), false)).toEqual({ ok: true, value: JSON.parse(example) });
  });

  it('shows conversations of valid messages only', () => {
    const frames = [...PAGE.matchAll(/^([CS]): (\{.+\})$/gm)];
    expect(frames.length).toBeGreaterThan(15);
    const wrong = frames.filter(([, side, text = '']) => {
      const decode = side === 'C' ? decodeComputerMessage : decodeServiceMessage;
      return !decode(Buffer.from(text), false).ok;
    });
    expect(wrong.map(([line]) => line)).toEqual([]);
  });

  it.each([
    ['the path', `{service address}${LINK_PATH}`],
    ['the version', `Sec-WebSocket-Protocol: ${LINK_PROTOCOLS.join(', ')}`],
    ['the longest frame of a computer', `${COMPUTER_FRAME_MAX_BYTES} bytes`],
    ['the longest frame of a service', `${SERVICE_FRAME_MAX_BYTES} bytes`],
    ['the depth', `at most ${MESSAGE_MAX_DEPTH} levels`],
    ['the number of values', `${MESSAGE_MAX_VALUES} values`],
    ['the limit of silence', `${SILENT_AFTER_HEARTBEATS} × \`heartbeatMs\``],
    ...Object.entries(LINK_CLOSE_CODES).map(([name, code]) => [`the close code ${name}`, `| ${code} `]),
  ])('names %s', (_what, text) => {
    expect(PAGE).toContain(text);
  });
});
