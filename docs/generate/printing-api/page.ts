/**
 * docs/openapi.html: the OpenAPI document of the printing API as a page for people. One file without a script, which
 * opens from disk and is served by the reference service.
 */

import { readFileSync } from 'node:fs';

import { h, type ComponentChildren, type JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly 'x-clause'?: string | readonly string[];
  readonly 'x-source'?: string;
  readonly 'x-gap'?: readonly string[];
  readonly 'x-limit'?: { readonly value: number; readonly unit: string };
  readonly [bound: string]: unknown;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly 'x-clause': string | readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

type Operations = Readonly<Record<string, Operation>>;

interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Operations>>;
  readonly webhooks: Readonly<Record<string, Operations>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
  readonly 'x-limits': Readonly<Record<string, Limit>>;
}

interface Limit {
  readonly value: number;
  readonly unit: string;
  readonly description: string;
  readonly 'x-clause': string;
  readonly 'x-source': string;
}

/** docs/openapi.html, as it should be. @param text - of docs/openapi.json */
export function openApiPage(text: string): string {
  const document = JSON.parse(text) as ApiDocument;
  return `<!DOCTYPE html>\n${renderToString(h(Page, { document }))}\n`;
}

const STYLE = ['../../../src/report/draw/tokens.css', 'page.css'].map(styleIn).join(' ');

/** Without comments, on one line: the page is read, its style is not. */
function styleIn(file: string): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function Page({ document }: { readonly document: ApiDocument }): JSX.Element {
  const { info, tags, components } = document;
  const parts = [...tags.map(({ name }) => name), 'webhook requests', 'headers', 'errors', 'schemas', 'limits'];
  return h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('title', null, info.title),
      h('style', { dangerouslySetInnerHTML: { __html: STYLE } }),
    ),
    h(
      'body',
      null,
      h(
        'header',
        null,
        h('h1', null, info.title),
        info.description.split('\n\n').map((paragraph) => h('p', null, prose(paragraph))),
        h(
          'p',
          null,
          'The same as OpenAPI 3.1, with every example: ',
          h('a', { href: 'openapi.json' }, 'openapi.json'),
          '.',
        ),
        h(
          'nav',
          { 'aria-label': 'Parts' },
          h(
            'ul',
            null,
            parts.map((name) => h('li', null, h('a', { href: `#${idOf(name)}` }, name))),
          ),
        ),
      ),
      h(
        'main',
        null,
        tags.map(({ name, description }) => h(Part, { name }, h('p', null, description), operationsOf(document, name))),
        h(Part, { name: 'webhook requests' }, webhooksOf(document)),
        h(Part, { name: 'headers' }, h(FieldTable, { rows: Object.values(components.parameters).map(parameterRow) })),
        h(
          Part,
          { name: 'errors' },
          Object.entries(components.responses).map(([name, answer]) => h(ErrorAnswer, { name, answer })),
        ),
        h(
          Part,
          { name: 'schemas' },
          Object.entries(components.schemas).map(([name, schema]) => h(SchemaTable, { name, schema })),
        ),
        h(Part, { name: 'limits' }, h(LimitTable, { limits: document['x-limits'] })),
      ),
    ),
  );
}

function Part({ name, children }: { readonly name: string; readonly children?: ComponentChildren }): JSX.Element {
  return h('section', { 'aria-labelledby': idOf(name) }, h('h2', { id: idOf(name) }, name), children);
}

function idOf(name: string): string {
  return name.replaceAll(' ', '-');
}

function operationsOf(document: ApiDocument, tag: string): JSX.Element[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => h(OperationView, { title: `${method.toUpperCase()} ${path}`, operation })),
  );
}

function webhooksOf(document: ApiDocument): JSX.Element[] {
  return Object.entries(document.webhooks).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      h(OperationView, { title: `${method.toUpperCase()} to a server of the caller: ${name}`, operation }),
    ),
  );
}

interface OperationViewProps {
  readonly title: string;
  readonly operation: Operation;
}

function OperationView({ title, operation }: OperationViewProps): JSX.Element {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const given = parameters.filter(({ $ref }) => $ref === undefined);
  const headers = parameters.flatMap(({ $ref }) => $ref ?? []).map(nameIn);
  return h(
    'article',
    { id: operationId },
    h('h3', null, h('code', null, title)),
    h('p', null, prose(summary), ' ', h(Origin, { schema: operation as unknown as Schema })),
    given.length > 0 && h(FieldTable, { rows: given.map(parameterRow) }),
    headers.length > 0 && h(Headers, { names: headers }),
    Object.entries(requestBody?.content ?? {}).map(([type, media]) => h(Body, { title: `Body, ${type}`, media })),
    Object.entries(responses).map(([status, answer]) => h(AnswerView, { status, answer })),
  );
}

function Headers({ names }: { readonly names: readonly string[] }): JSX.Element {
  const links = names.map((name) => h('a', { href: '#headers' }, name));
  return h(
    'p',
    null,
    'Headers: ',
    links.flatMap((link, index) => [index > 0 && ', ', link]),
  );
}

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly place: string;
}

function parameterRow({ name, in: place, required = false, description, schema }: Parameter): Row {
  return { name, schema: description === undefined ? schema : { ...schema, description }, isRequired: required, place };
}

function propertyRows({ properties = {}, required = [] }: Schema, prefix = ''): Row[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { name: prefix + name, schema, isRequired: required.includes(name), place: '' },
    ...propertyRows(schema, `${prefix}${name}.`),
  ]);
}

function FieldTable({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  return h(
    'table',
    null,
    h('thead', null, h('tr', null, h('th', null, 'field'), h('th', null, 'type'), h('th', null, 'meaning'))),
    h(
      'tbody',
      null,
      rows.map(({ name, schema, isRequired, place }) =>
        h(
          'tr',
          null,
          h(
            'td',
            null,
            h('code', { class: isRequired ? 'required' : undefined }, name),
            place && h('small', null, ` ${place}`),
          ),
          h('td', null, typeOf(schema), boundsOf(schema)),
          h('td', null, prose(schema.description ?? ''), ' ', h(Origin, { schema })),
        ),
      ),
    ),
  );
}

function Origin({ schema }: { readonly schema: Schema }): JSX.Element {
  const names = [schema['x-clause'] ?? [], schema['x-gap'] ?? []].flat();
  return h(
    'small',
    null,
    names.map((name) => h('code', { title: schema['x-source'] }, name)),
  );
}

/** A type, with a link to the schema that it names. */
function typeOf(schema: Schema): ComponentChildren {
  const { $ref, type, items, anyOf, enum: values, additionalProperties: each } = schema;
  if ($ref) return h('a', { href: `#${nameIn($ref)}` }, nameIn($ref));
  if (anyOf) return anyOf.flatMap((one, index) => [index > 0 && ' or ', typeOf(one)]);
  if (values) return values.flatMap((value, index) => [index > 0 && ', ', h('code', null, JSON.stringify(value))]);
  if (schema.const !== undefined) return h('code', null, JSON.stringify(schema.const));
  if (type === 'array') return ['array of ', items && Object.keys(items).length > 0 ? typeOf(items) : 'anything'];
  if (type === 'object' && typeof each === 'object') return ['object of ', typeOf(each)];
  return [type ?? 'anything'].flat().join(' or ');
}

const BOUNDS = ['format', 'minimum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'default'] as const;

function boundsOf(schema: Schema): ComponentChildren {
  const limit = schema['x-limit'];
  const texts = [
    ...BOUNDS.filter((name) => schema[name] !== undefined).map((name) => `${name} ${String(schema[name])}`),
    ...(limit ? [`limit ${limit.value} ${limit.unit}`] : []),
    ...(schema.examples ? [`such as ${schema.examples.map(String).join(', ')}`] : []),
  ];
  return texts.map((text) => [h('br', null), h('small', null, text)]);
}

function Body({ title, media }: { readonly title: string; readonly media: Media }): JSX.Element {
  const rows = propertyRows(media.schema);
  return h(
    'div',
    null,
    h('h4', null, title),
    rows.length > 0
      ? h(FieldTable, { rows })
      : h('p', null, typeOf(media.schema), ' ', prose(media.schema.description ?? '')),
    h(Example, { example: media.example }),
  );
}

function AnswerView({ status, answer }: { readonly status: string; readonly answer: Answer }): JSX.Element {
  if (answer.$ref) {
    const name = nameIn(answer.$ref);
    return h('p', null, h('strong', null, status), ' ', h('a', { href: `#${name}` }, name));
  }
  const [media] = Object.values(answer.content ?? {});
  return h(
    'div',
    null,
    h('p', null, h('strong', null, status), ' ', answer.description, media && [': ', typeOf(media.schema)]),
    h(Example, { example: media?.example }),
  );
}

function ErrorAnswer({ name, answer }: { readonly name: string; readonly answer: Answer }): JSX.Element {
  const [media] = Object.values(answer.content ?? {});
  return h(
    'article',
    { id: name },
    h('h3', null, name),
    h('p', null, prose(answer.description ?? ''), ' ', h(Origin, { schema: answer as unknown as Schema })),
    h(Example, { example: media?.example }),
  );
}

function SchemaTable({ name, schema }: { readonly name: string; readonly schema: Schema }): JSX.Element {
  return h(
    'article',
    { id: name },
    h('h3', null, name),
    schema.description && h('p', null, prose(schema.description), ' ', h(Origin, { schema })),
    h(FieldTable, { rows: propertyRows(schema) }),
  );
}

function LimitTable({ limits }: { readonly limits: ApiDocument['x-limits'] }): JSX.Element {
  return h(
    'table',
    null,
    h(
      'tbody',
      null,
      Object.values(limits).map((limit) =>
        h(
          'tr',
          null,
          h('td', null, `${limit.value} ${limit.unit}`),
          h(
            'td',
            null,
            prose(limit.description),
            ' ',
            h('small', null, h('code', { title: limit['x-source'] }, limit['x-clause'])),
          ),
        ),
      ),
    ),
  );
}

function Example({ example }: { readonly example: unknown }): JSX.Element | null {
  if (example === undefined) return null;
  return h('details', null, h('summary', null, 'Example'), h('pre', null, JSON.stringify(example, undefined, 2)));
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Text with `code` in it. */
function prose(text: string): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', null, part) : part));
}
