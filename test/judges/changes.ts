/**
 * The changes that are made to judging code, one at a time: what a mistake in it would look like.
 *
 *   if (seconds > 0) return 'late';   ─►   if (seconds >= 0) …   if (true) …   if (false) …   return '';   …
 *
 * Only the strongest of changes that imply each other: a && b becomes a, and b; what tells both from the original
 * also tells a || b from it.
 */

import { parseSync } from 'vite';

export interface Change {
  /** What changes, in one line: `find: if («count > 0 → true») return 'late';`. */
  readonly name: string;
  readonly line: number;
  /** The whole source with the change made. */
  readonly source: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What is written instead of a part of the source. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Place {
  readonly source: string;
  readonly parent: Node | undefined;
}

type Changer = (node: Node, place: Place) => readonly Edit[];

/** All changes of a source, in order. */
export function changesOf(source: string): readonly Change[] {
  const found: { readonly edit: Edit; readonly owner: string }[] = [];
  const visit = (node: Node, parent: Node | undefined, owner: string): void => {
    if (isNotChanged(node, parent)) return;
    const own = nameOf(node, owner);
    const edits = CHANGERS[node.type]?.(node, { source, parent }) ?? [];
    found.push(...edits.map((edit) => ({ edit, owner: own })));
    for (const child of childrenOf(node)) visit(child, node, own);
  };
  visit(programOf(source), undefined, '');
  return found
    .filter(({ edit }) => source.slice(edit.start, edit.end) !== edit.text)
    .toSorted((one, other) => one.edit.start - other.edit.start)
    .map(({ edit, owner }) => ({
      name: `${owner}: ${describe(source, edit)}`,
      line: source.slice(0, edit.start).split('\n').length,
      source: `${source.slice(0, edit.start)}${edit.text}${source.slice(edit.end)}`,
    }));
}

/** The source with a call at the beginning of each turn of each loop. */
export function withCallInLoops(source: string, call: string): string {
  const bodies: Node[] = [];
  const visit = (node: Node): void => {
    const { body } = node;
    if (LOOPS.has(node.type) && isNode(body)) bodies.push(body);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(programOf(source));
  const inserts = bodies.flatMap(({ start, end }) => [
    { at: start, text: `{ ${call}; ` },
    { at: end, text: ' }' },
  ]);
  return inserts
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: insert }) => `${text.slice(0, at)}${insert}${text.slice(at)}`, source);
}

const LOOPS = new Set(['ForStatement', 'ForOfStatement', 'WhileStatement']);

function programOf(source: string): Node {
  const { program, errors } = parseSync('source.ts', source);
  const [error] = errors;
  if (error) throw new SyntaxError(error.message);
  return program as unknown as Node;
}

// ── What is looked at ────────────────────────────────────────────────────────────────────────────────

/** Types that stand around an expression; others are left alone. */
const AROUND_EXPRESSIONS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
/** Descriptions of a field for the documentation: they judge nothing. */
const DESCRIPTIONS = new Set(['describe', 'about']);

function isNotChanged(node: Node, parent: Node | undefined): boolean {
  if (node.type.startsWith('TS')) return !AROUND_EXPRESSIONS.has(node.type);
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true;
  if (parent?.type === 'Property' && parent['key'] === node) return true;
  if (node.type === 'Property') return DESCRIPTIONS.has(identifierOf(node['key']));
  return parent?.type === 'CallExpression' && isArgument(node, parent) && DESCRIPTIONS.has(methodOf(parent));
}

function isArgument(node: Node, call: Node): boolean {
  return nodesOf(call['arguments']).includes(node);
}

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** The name of a function, or of anything at the top of a file. */
function nameOf(node: Node, owner: string): string {
  const [name, value] = [identifierOf(node['id'] ?? node['key']), node['value'] ?? node['init']];
  const isFunction = node.type === 'FunctionDeclaration' || (isNode(value) && FUNCTIONS.has(value.type));
  return name !== '' && (isFunction || owner === '') ? name : owner;
}

function identifierOf(node: unknown): string {
  if (!isNode(node)) return '';
  const name = node['name'];
  if (typeof name !== 'string') return '';
  return node.type === 'PrivateIdentifier' ? `#${name}` : name;
}

/** The method that a call names: `some` of `list.some(…)`. */
function methodOf(call: Node): string {
  const { callee } = call;
  return isNode(callee) && callee.type === 'MemberExpression' ? identifierOf(callee['property']) : '';
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap(nodesOf);
}

function nodesOf(value: unknown): readonly Node[] {
  return [value].flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function nodeAt(node: Node, key: string): Node {
  const child = node[key];
  if (isNode(child)) return child;
  throw new TypeError(`${node.type} has no ${key}`);
}

// ── What is written instead ──────────────────────────────────────────────────────────────────────────

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
};

const METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    min: 'max',
    max: 'min',
    floor: 'ceil',
    ceil: 'floor',
    round: 'floor',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    find: 'findLast',
  }),
);

/** Without them the list or the string is as it was before. */
const WITHOUT_METHOD = new Set([
  'filter',
  'toSorted',
  'toReversed',
  'slice',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'replaceAll',
  'concat',
  'subarray',
]);

const CHANGERS: Readonly<Record<string, Changer>> = {
  BinaryExpression: changedOperator,
  AssignmentExpression: changedOperator,
  LogicalExpression: (node) => [
    { start: nodeAt(node, 'left').end, end: node.end, text: '' },
    { start: node.start, end: nodeAt(node, 'right').start, text: '' },
  ],
  ConditionalExpression: (node) => always(nodeAt(node, 'test'), ['true', 'false']),
  UnaryExpression: (node, { source }) =>
    node['operator'] === '!' || node['operator'] === '-'
      ? [replaced(node, textOf(nodeAt(node, 'argument'), source))]
      : [],
  UpdateExpression: (node, { source }) => {
    const text = textOf(node, source);
    return [replaced(node, text.includes('++') ? text.replace('++', '--') : text.replace('--', '++'))];
  },
  IfStatement: (node) => always(nodeAt(node, 'test'), ['true', 'false']),
  WhileStatement: (node) => always(nodeAt(node, 'test'), ['false']),
  ForStatement: (node) => (isNode(node['test']) ? always(node['test'], ['false']) : []),
  ForOfStatement: (node) => [replaced(nodeAt(node, 'right'), '[]')],
  ReturnStatement: (node) => (isNode(node['argument']) ? decided(node['argument']) : [replaced(node, ';')]),
  ArrowFunctionExpression: (node) => decided(nodeAt(node, 'body')),
  ExpressionStatement: (node) => [replaced(node, ';')],
  ThrowStatement: (node) => [replaced(node, ';')],
  ContinueStatement: (node) => [replaced(node, ';')],
  BreakStatement: (node) => [replaced(node, ';')],
  CallExpression: changedCall,
  MemberExpression: (node, { source }) => {
    if (node['optional'] !== true) return [];
    const objectEnd = nodeAt(node, 'object').end;
    const start = source.indexOf('?.', objectEnd);
    return [{ start, end: start + 2, text: node['computed'] === true ? '' : '.' }];
  },
  Literal: changedLiteral,
  TemplateLiteral: (node) => [replaced(node, "''")],
  ArrayExpression: (node, { source }) => {
    const elements = nodesOf(node['elements']);
    if (elements.length === 0) return [];
    return [replaced(node, '[]'), ...(elements.length > 1 ? elements.map((one) => without(one, source)) : [])];
  },
  ObjectExpression: (node, { source }) =>
    nodesOf(node['properties'])
      .filter(({ type }) => type === 'SpreadElement')
      .map((one) => without(one, source)),
};

function changedOperator(node: Node, { source }: Place): readonly Edit[] {
  const operator = String(node['operator']);
  const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')];
  const start = source.indexOf(operator, left.end);
  const isOfStrings = operator === '+' && [left, right].some(isText);
  if (isOfStrings || start < 0 || start > right.start) return [];
  return (OPERATORS[operator] ?? []).map((text) => ({ start, end: start + operator.length, text }));
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || typeof value === 'string';
}

function changedCall(node: Node, { source }: Place): readonly Edit[] {
  const callee = nodeAt(node, 'callee');
  if (callee.type !== 'MemberExpression') return [];
  const property = nodeAt(callee, 'property');
  const name = identifierOf(property);
  const other = METHODS.get(name);
  if (other !== undefined) return [replaced(property, other)];
  return WITHOUT_METHOD.has(name) ? [replaced(node, textOf(nodeAt(callee, 'object'), source))] : [];
}

/** Expressions that may be conditions; the compiler refuses the changes of those that are not. */
const DECISIONS = new Set([
  'BinaryExpression',
  'LogicalExpression',
  'UnaryExpression',
  'CallExpression',
  'MemberExpression',
]);

function decided(expression: Node): readonly Edit[] {
  return DECISIONS.has(expression.type) ? always(expression, ['true', 'false']) : [];
}

function always(condition: Node, answers: readonly string[]): readonly Edit[] {
  return answers.map((answer) => replaced(condition, answer));
}

/** A larger number, such as a unit or a limit, is doubled: one more would hardly be another. */
const SMALL = 100;

function changedLiteral(node: Node): readonly Edit[] {
  const { value, raw, regex } = node;
  if (typeof value === 'string') return [replaced(node, value === '' ? "'changed'" : "''")];
  if (typeof value === 'number') return [replaced(node, `${value < SMALL ? value + 1 : value * 2}`)];
  if (typeof value === 'boolean') return [replaced(node, `${!value}`)];
  return typeof regex === 'object' && regex !== null ? changedPattern(node, String(raw)) : [];
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '\\d': '\\D',
  '\\s': '\\S',
  '\\S': '\\s',
  '\\w': '\\W',
  '[^': '[',
};

/** A pattern without an anchor, a quantifier or a flag, or with the opposite of a class. */
function changedPattern({ start, end }: Node, raw: string): readonly Edit[] {
  const tokens = raw.slice(0, raw.lastIndexOf('/')).matchAll(/\\.|\[\^|\(\?[:=!]|[\^$+*?]|\{\d+(?:,\d*)?\}|./gs);
  const edits = [...tokens].flatMap(({ 0: token, index }) => {
    const text = OPPOSITES[token] ?? (/^(?:[\^$+*?]|\{\d.*\})$/.test(token) ? '' : undefined);
    return text === undefined ? [] : [{ start: start + index, end: start + index + token.length, text }];
  });
  return raw.endsWith('i') ? [...edits, { start: end - 1, end, text: '' }] : edits;
}

function replaced({ start, end }: Node, text: string): Edit {
  return { start, end, text };
}

/** An element is taken out of a list, with the comma after it. */
function without({ start, end }: Node, source: string): Edit {
  const comma = /^\s*,/.exec(source.slice(end))?.[0] ?? '';
  return { start, end: end + comma.length, text: '' };
}

function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end);
}

const SHOWN_MOST_CHARACTERS = 60;

/** The line of a change, with what is written instead: `if (count «> → >=» 0)`. */
function describe(source: string, { start, end, text }: Edit): string {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end);
  const before = oneLine(source.slice(lineStart, start)).trimStart().slice(-SHOWN_MOST_CHARACTERS);
  const after = oneLine(source.slice(end, lineEnd)).trimEnd().slice(0, SHOWN_MOST_CHARACTERS);
  return `${before}«${shortened(source.slice(start, end))} → ${shortened(text)}»${after}`;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > SHOWN_MOST_CHARACTERS ? `${line.slice(0, SHOWN_MOST_CHARACTERS)}…` : line;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
