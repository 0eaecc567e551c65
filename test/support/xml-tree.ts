/**
 * XML read strictly: a document that is not well-formed is an error. Knows what reports need: elements, attributes,
 * text, the five entities and numbered ones.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const NAME = String.raw`[A-Za-z][\w.-]*`;
const TAG = new RegExp(String.raw`<(?:\?xml[^<>]*\?|(/)(${NAME})|(${NAME})((?:\s+${NAME}="[^"<]*")*)\s*(/?))>`, 'y');
const ATTRIBUTE = new RegExp(String.raw`(${NAME})="([^"<]*)"`, 'g');
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d+));/g;

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** The root element. @throws Error where the document is not well-formed */
export function readXml(source: string): XmlElement {
  const stack: Open[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const top = (): Open => stack.at(-1) ?? { name: '', attributes: {}, children: [], text: '' };
  for (let at = 0; at < source.length;) {
    if (source[at] !== '<') {
      const end = source.indexOf('<', at) === -1 ? source.length : source.indexOf('<', at);
      top().text += textOf(source.slice(at, end));
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const match = TAG.exec(source);
    if (!match) throw new Error(`no tag at ${at}: ${source.slice(at, at + 40)}`);
    const [, closing, closed = '', opened = '', attributes = '', empty] = match;
    if (opened !== '') stack.push({ name: opened, attributes: attributesOf(attributes), children: [], text: '' });
    if (closing || (opened !== '' && empty)) close(stack, closed || opened, at);
    at = TAG.lastIndex;
  }
  const [root] = stack[0]?.children ?? [];
  if (stack.length !== 1 || !root) throw new Error('the document does not end with its root');
  return root;
}

function close(stack: Open[], name: string, at: number): void {
  const element = stack.pop();
  if (!element || element.name !== name) throw new Error(`</${name}> at ${at} closes nothing`);
  stack.at(-1)?.children.push(element);
}

function attributesOf(source: string): Readonly<Record<string, string>> {
  const pairs = [...source.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, textOf(value)] as const);
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`an attribute twice: ${source}`);
  return Object.fromEntries(pairs);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOf(source: string): string {
  if (source.replaceAll(ENTITY, '').includes('&')) throw new Error(`not an entity: ${source.slice(0, 80)}`);
  const text = source.replaceAll(ENTITY, (_, name: string | undefined, number: string) =>
    name === undefined ? String.fromCodePoint(Number(number)) : (NAMED[name] ?? ''),
  );
  if (/(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text)) throw new Error('a character that XML does not have');
  return text;
}
