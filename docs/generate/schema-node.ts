/** A JSON Schema as the pages about formats read it. */

export interface SchemaNode {
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

/** What the pages call the types of JSON Schema. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: '`null`',
};

/** Text for a cell of a table. What stands between backticks is shown as it is. */
export function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? '&lt;' : part));
}
