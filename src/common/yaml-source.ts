/**
 * YAML source: the text of a file as a value that knows the place of each of its parts.
 *
 *   text ─► YAML nodes ─► plain value, with limits ─► (schema) ─► problems at line and column
 *
 * Files may come from anywhere: size, depth and number of values are limited. Anchors, aliases and tags are refused:
 * no format here needs them, and a dozen lines of aliases can mean gigabytes.
 */

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';

import { failure, success, type Outcome } from './outcome.ts';
import { formatPath, type Path, type Problem } from './problem.ts';

export interface YamlSource {
  readonly value: unknown;
  /** A problem with the value at a path, or with the nearest thing around it that there is. */
  problemAt(path: Path, message: string): Problem;
  /** A problem with the key `key` of the object at a path. */
  problemWithKey(path: Path, key: string, message: string): Problem;
}

const MOST_CHARACTERS = 64 * 1024;
const MOST_LEVELS = 24;
const MOST_VALUES = 5_000;
/** More than these are of no use. */
const MOST_PROBLEMS = 50;

/** Reads a file of one YAML document; the error names every problem found. */
export function readYaml(text: string): Outcome<YamlSource, readonly Problem[]> {
  if (text.length > MOST_CHARACTERS) {
    return failure([{ ...FILE_START, message: `the file is longer than ${MOST_CHARACTERS} characters` }]);
  }
  if (isNestedWithoutEnd(text)) return failure([{ ...FILE_START, message: TOO_DEEP }]);
  return new Reader(text).read();
}

const BRACKETS = /[[\]{}]/g;
/** Above MOST_LEVELS, as brackets in strings need not be closed. */
const MOST_BRACKETS_OPEN = 100;
/** Lists in lists, all on one line: `- - - - …`. */
const COMPACT_NESTING = new RegExp(`^[ ]*(?:[-?:][ \\t]+){${MOST_LEVELS}}`, 'm');

const FILE_START = { line: 1, column: 1, at: '' };
const ONE_DOCUMENT = 'a file is one document, and a second one begins here';
const TOO_DEEP = `nested more than ${MOST_LEVELS} levels deep`;

/** The parser calls itself for each level: what is nested without end must not reach it. */
function isNestedWithoutEnd(text: string): boolean {
  if (COMPACT_NESTING.test(text)) return true;
  let levels = 0;
  for (const bracket of text.match(BRACKETS) ?? []) {
    levels += bracket === '[' || bracket === '{' ? 1 : -1;
    if (levels > MOST_BRACKETS_OPEN) return true;
  }
  return false;
}

/** What the parser takes for a key of several lines is most often one whose colon is missing. */
const COLON_MISSING = 'a key and its colon stand on one line: a colon may be missing here, as in `why: …`';
const OF_KEYS = /^Implicit (map )?keys need to be/;

/** In `{ }` and `[ ]` YAML takes the brace of a variable for a brace of its own. */
function explained(text: string, offset: number, message: string): string {
  if (OF_KEYS.test(message)) return COLON_MISSING;
  const start = text.lastIndexOf('\n', offset) + 1;
  const isInVariable = text.slice(start, offset + 1).endsWith('${');
  return isInVariable ? `${message}: write '\${NAME}' in quotes between { } or [ ]` : message;
}

class Reader {
  readonly #lines = new LineCounter();
  readonly #root: Node | null;
  readonly #problems: Problem[] = [];
  #values = 0;

  constructor(text: string) {
    const document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // Compares every key with every other; #mapOf does it in one pass.
      uniqueKeys: false,
      logLevel: 'error',
    });
    this.#root = document.contents;
    // The parser has lost its way after the first one: what it says next is about that.
    for (const { pos, code, message } of document.errors.slice(0, 1))
      this.#complain(pos[0], [], code === 'MULTIPLE_DOCS' ? ONE_DOCUMENT : explained(text, pos[0], message));
  }

  read(): Outcome<YamlSource, readonly Problem[]> {
    const value = this.#problems.length > 0 ? undefined : this.#valueOf(this.#root, [], 0);
    if (this.#problems.length > 0) return failure(this.#problems.slice(0, MOST_PROBLEMS));
    return success({
      value,
      problemAt: (path, message) => this.#problem(this.#offsetOf(path), path, message),
      problemWithKey: (path, key, message) => this.#problem(this.#keyOffset(path, key), path, message),
    });
  }

  #valueOf(node: unknown, path: Path, depth: number): unknown {
    this.#values++;
    if (node === null || this.#isRefused(node, path, depth)) return null;
    if (isMap(node)) return this.#mapOf(node.items, path, depth);
    if (isSeq(node)) return node.items.map((item, index) => this.#valueOf(item, [...path, index], depth + 1));
    return isScalar(node) ? node.value : null;
  }

  #mapOf(pairs: readonly Pair[], path: Path, depth: number): Readonly<Record<string, unknown>> {
    const entries = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      if (!isScalar(key) || key.anchor !== undefined || !isKey(key.value)) {
        this.#complain(startOf(key), path, 'a key must be a plain string');
        continue;
      }
      const name = String(key.value);
      if (entries.has(name)) this.#complain(startOf(key), path, `the key '${name}' appears here twice`);
      entries.set(name, this.#valueOf(value, [...path, name], depth + 1));
    }
    return Object.fromEntries(entries);
  }

  /** Whether a file may not have this node; complains once. */
  #isRefused(node: unknown, path: Path, depth: number): boolean {
    const reason = refusalOf(node) ?? (depth > MOST_LEVELS ? TOO_DEEP : undefined);
    if (reason !== undefined) this.#complain(startOf(node), path, reason);
    else if (this.#values === MOST_VALUES) this.#complain(startOf(node), path, `more than ${MOST_VALUES} values`);
    return reason !== undefined || this.#values >= MOST_VALUES;
  }

  #complain(offset: number, path: Path, message: string): void {
    this.#problems.push(this.#problem(offset, path, message));
  }

  #problem(offset: number, path: Path, message: string): Problem {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), at: formatPath(path), message };
  }

  #offsetOf(path: Path): number {
    let node: unknown = this.#root;
    for (const part of path) {
      const inner = childOf(node, part);
      if (inner === undefined) break;
      node = inner;
    }
    return startOf(node);
  }

  #keyOffset(path: Path, key: string): number {
    let node: unknown = this.#root;
    for (const part of path) node = childOf(node, part);
    const pair = isMap(node) ? node.items.find((each) => keyOf(each) === key) : undefined;
    return pair ? startOf(pair.key) : this.#offsetOf(path);
  }
}

function refusalOf(node: unknown): string | undefined {
  if (isAlias(node)) return 'aliases are not part of the format; write the value out';
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return undefined;
  if (node.anchor !== undefined) return 'anchors are not part of the format; write the value out';
  return node.tag === undefined ? undefined : 'tags are not part of the format';
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function childOf(node: unknown, part: PropertyKey): unknown {
  if (isSeq(node)) return node.items[Number(part)];
  if (!isMap(node)) return undefined;
  const pair = node.items.find((each) => keyOf(each) === String(part));
  // A key without a value has the place of the key.
  return pair && (pair.value ?? pair.key);
}

function startOf(node: unknown): number {
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  return range?.[0] ?? 0;
}
