/**
 * Schemas of the printing API: the tables of fields as JSON Schema, as OpenAPI 3.1 takes it.
 *
 *   a field that a service sends     every printed key is required, others may be added
 *   a field that a caller sends      required, default and limits as printed
 */

import { CLAUSES } from '../../../src/specification/clauses.ts';
import type { Bounds, Field, FieldType, InputField, Limit } from '../../../src/specification/clause.ts';
import { GAPS } from '../../../src/specification/gaps.ts';
import { SOURCES } from '../../../src/specification/outline.ts';
import { ANSWERS, OPEN_ANSWERS, RESOURCES, type Answer, type Resource } from '../../../src/specification/resources.ts';
import type { Endpoint } from '../../../src/specification/clause.ts';

export type Json = Readonly<Record<string, unknown>>;

const STATEMENTS = new Map(CLAUSES.map(({ id, statement }) => [id, statement]));
const QUESTIONS = new Map<string, string>(GAPS.map(({ id, question }) => [id, question]));

interface Origin {
  readonly 'x-clause': string;
  /** Where the clause stands in the specification. */
  readonly 'x-source': string;
}

/** What a clause says, its id, and where it stands. @throws Error when there is no such clause */
export function statementOf(clause: string): Origin & { readonly description: string } {
  const description = STATEMENTS.get(clause);
  if (description === undefined) throw new Error(`there is no clause ${clause}`);
  return { description, ...originOf(clause) };
}

export function originOf(clause: string): Origin {
  return { 'x-clause': clause, 'x-source': SOURCES.get(clause) ?? '' };
}

/** That something is not shown. @throws Error when there is no such gap */
export function notShown(gaps: readonly string[]): Json {
  const questions = gaps.map((gap) => {
    const question = QUESTIONS.get(gap);
    if (question === undefined) throw new Error(`there is no gap ${gap}`);
    return question;
  });
  return { description: `Not shown by the specification: ${questions.join(' ')}`, 'x-gap': gaps };
}

export function referenceTo(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };
/** An object whose keys the specification does not print. */
const OPEN_OBJECT = { type: 'object', additionalProperties: true };

/** A type as the specification prints it. */
const TYPES: Readonly<Record<FieldType, Json>> = {
  boolean: { type: 'boolean' },
  integer: INTEGER,
  number: { type: 'number' },
  string: STRING,
  timestamp: { type: 'string', format: 'date-time' },
  null: { type: 'null' },
  object: OPEN_OBJECT,
  array: { type: 'array', items: {} },
  'array of strings': { type: 'array', items: STRING },
  'array of integers': { type: 'array', items: INTEGER },
  'array of arrays of integers': { type: 'array', items: { type: 'array', items: INTEGER } },
  'array of 2': { type: 'array', items: { type: ['integer', 'null'] }, minItems: 2, maxItems: 2 },
  'Computer object': referenceTo('schemas', 'Computer'),
  'capabilities object': referenceTo('schemas', 'Capabilities'),
  statistic: OPEN_OBJECT,
  'JSON string': STRING,
};

/** Every resource, by name. */
export function resourceSchemas(): Json {
  return Object.fromEntries(Object.entries<Resource>(RESOURCES).map(([name, resource]) => [name, schemaOf(resource)]));
}

function schemaOf({ fields, gap }: Resource): Json {
  const printed = objectOf(fields, Object.keys(fields));
  return gap ? { ...printed, additionalProperties: true, ...notShown([gap]) } : printed;
}

function objectOf(fields: Readonly<Record<string, Field>>, required: readonly string[]): Json {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function fieldSchema(field: Field): Json {
  return { ...valueSchema(field), ...openness(field), ...statementOf(field.clause) };
}

function openness({ gap, seen }: Field): Json {
  return { ...(gap && { 'x-gap': [gap] }), ...(seen && { examples: seen }) };
}

/** The schema of a value that a service sends. */
function valueSchema({
  type,
  nullable,
  values,
  fields,
  anyOfFields,
  each,
  also,
  ...rest
}: Omit<Field, 'clause'>): Json {
  const schema = {
    ...(fields ? objectOf(fields, anyOfFields ? [] : Object.keys(fields)) : TYPES[type]),
    ...(anyOfFields && { additionalProperties: false }),
    ...(each && { additionalProperties: TYPES[each.type] }),
    ...(values && { enum: values }),
    ...(also && { type: [type, also] }),
    ...boundsOf(rest),
  };
  return nullable ? nullableOf(schema) : schema;
}

function nullableOf(schema: Json): Json {
  if ('$ref' in schema) return { anyOf: [schema, TYPES.null] };
  const types = new Set([schema['type'], 'null'].flat());
  return { ...schema, type: types.size === 1 ? 'null' : [...types] };
}

function boundsOf({ minimum, minLength, maxLength, maxItems, pattern, format }: Bounds): Json {
  return withoutUndefined({ minimum, minLength, maxLength, maxItems, pattern, format });
}

function withoutUndefined(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** The body of the answer of an endpoint. */
export function answerSchema({ returns, gaps }: Pick<Endpoint, 'returns' | 'gaps'>): Json {
  const isOpen = gaps.some((gap) => OPEN_ANSWERS.has(gap));
  const schema = isOpen ? TYPES.array : shapeOf(ANSWERS[returns]);
  return { ...schema, ...(gaps.length > 0 && notShown(gaps)) };
}

function shapeOf(answer: Answer): Json {
  if (answer.kind === 'open') return {};
  if (answer.kind === 'value') return valueSchema(answer.value);
  const one = referenceTo('schemas', answer.of);
  if (answer.kind === 'one') return one;
  const list = { type: 'array', items: one };
  return answer.kind === 'list' ? list : { type: 'array', items: { anyOf: [list, one] } };
}

/** The schema of a value that a caller sends. */
export function inputSchema(field: InputField): Json {
  const { type, nullable, values, default: byDefault, fields, each, names, limit, ...rest } = field;
  const schema = {
    ...(fields ? inputObject(fields) : TYPES[type]),
    ...(each && type === 'array of strings' && { items: { ...STRING, ...each } }),
    ...(each && type === 'object' && { additionalProperties: { ...STRING, ...each } }),
    ...(names && { propertyNames: names }),
    ...(values && { enum: values }),
    ...boundsOf(rest),
  };
  return {
    ...(nullable ? nullableOf(schema) : schema),
    ...(byDefault !== undefined && { default: byDefault }),
    ...(limit && { 'x-limit': limitOf(limit) }),
    ...statementOf(field.clause),
  };
}

export function limitOf({ value, unit, clause }: Limit): Json {
  return { value, unit, ...statementOf(clause) };
}

/** @param areOptional - whether even the required ones may be left out */
export function inputObject(fields: Readonly<Record<string, InputField>>, areOptional = false): Json {
  const required = Object.keys(fields).filter((name) => fields[name]?.required && !areOptional);
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inputSchema(field)]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
