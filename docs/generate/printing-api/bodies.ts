/**
 * Bodies of requests, in both of their encodings. The keys of the tables are those of a form; in JSON they are nested:
 *
 *   form   Account[email]=…      ApiKeys[]=…       Tags[name]=…      options[copies]=2
 *   JSON   {"Account": {"email"  "ApiKeys": […]    "Tags": {"name"   "options": {"copies": 2}
 */

import type { Endpoint, InputField, RequestBody } from '../../../src/specification/clause.ts';
import { MEDIA_TYPES } from '../../../src/specification/headers.ts';
import { inputObject, inputSchema, notShown, statementOf, type Json } from './schemas.ts';

type Fields = Readonly<Record<string, InputField>>;

/** `requestBody` of an operation; undefined where it takes none. */
export function requestBody(endpoint: Endpoint, example: unknown): Json | undefined {
  const { body, gaps } = endpoint;
  if (body.kind === 'none') return undefined;
  if (body.kind === 'not shown') return { content: jsonContent(notShown(gaps), example) };
  if (body.kind === 'string') {
    return { required: true, content: jsonContent({ type: 'string', enum: body.values }, example) };
  }
  const encodings = [MEDIA_TYPES.json, MEDIA_TYPES.form].map(({ clause }) => statementOf(clause).description);
  return {
    description: encodings.join(' '),
    required: !body.areOptional,
    content: { ...jsonContent(jsonSchema(body), example), [MEDIA_TYPES.form.value]: formContent(body) },
  };
}

function jsonContent(schema: Json, example: unknown): Json {
  return { [MEDIA_TYPES.json.value]: { schema, ...(example !== undefined && { example }) } };
}

type FieldsBody = Extract<RequestBody, { readonly kind: 'fields' }>;

/** `Account[email]` → `Account`, `email`; `ApiKeys[]` → `ApiKeys`. */
const KEY = /^(\w+)(?:\[(\w*)\])?$/;

function jsonSchema({ fields, areOptional }: FieldsBody): Json {
  const groups = Map.groupBy(Object.entries(fields), ([key]) => KEY.exec(key)?.[1] ?? key);
  const properties = [...groups].map(([name, members]): [string, Json] => [name, groupSchema(members)]);
  const required = [...groups]
    .filter(([, members]) => !areOptional && members.some(([, field]) => field.required))
    .map(([name]) => name);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

function groupSchema(members: readonly (readonly [string, InputField])[]): Json {
  const inner = Object.fromEntries(members.map(([key, field]) => [KEY.exec(key)?.[2] ?? '', field]));
  const [alone] = members;
  return '' in inner && alone ? inputSchema(alone[1]) : inputObject(inner);
}

/** A form: arrays under `name[]`, objects under `name[key]`. */
function formContent({ fields, areOptional }: FieldsBody): Json {
  const form: Fields = Object.fromEntries(Object.entries(fields).map(([key, field]) => [formKey(key, field), field]));
  const encoding = Object.entries(form)
    .map(([key, { type }]): [string, Json | undefined] => [key, encodingOf(type)])
    .filter(([, style]) => style !== undefined);
  return {
    schema: inputObject(form, areOptional),
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

function formKey(key: string, { type }: InputField): string {
  if (type === 'object') return key.replace('[]', '');
  return type === 'array of strings' && !key.endsWith('[]') ? `${key}[]` : key;
}

function encodingOf(type: InputField['type']): Json | undefined {
  if (type === 'object') return { style: 'deepObject', explode: true };
  return type === 'array of strings' ? { style: 'form', explode: true } : undefined;
}
