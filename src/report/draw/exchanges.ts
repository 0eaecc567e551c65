/**
 * Wire log: what was sent and answered, and the command that sends it again.
 */

import { createContext, h, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import type { ExchangeRecord, RequestRecord, UnansweredRecord } from '../../record/check-record.ts';
import type { Finding, ResultView } from '../view/run-view.ts';
import { shownExchange } from '../view/story.ts';
import { aside, clip, fold, label } from './pieces.ts';

const BODY_MOST = 1_200;
const HEADERS_MOST = 2_000;
const COMMAND_MOST = 2_000;
const PATH_MOST = 160;
/** Exchanges shown beside the one that shows the finding; the rest is in run.json. */
const OTHERS_MOST = 12;

export function WireLog({ result }: { readonly result: ResultView }): ComponentChildren {
  const { exchanges, unanswered, traffic } = result;
  const shown = shownExchange(result);
  const others = exchanges.filter((one) => one !== shown);
  const last = others.slice(-OTHERS_MOST);
  return [
    shown && [label('On the wire'), h(Exchange, { exchange: shown, isOpen: true, wrong: wrongIn(result, shown) })],
    unanswered.slice(-OTHERS_MOST).map((one) => h(Silence, { unanswered: one })),
    traffic.length > 0 && [
      label('On the links and at the webhooks'),
      h('pre', null, traffic.map((line) => clip(line, BODY_MOST)).join('\n')),
    ],
    last.length > 0 &&
      fold(
        { class: 'more' },
        `${countOf(others.length, 'other exchange')}${last.length < others.length ? `, the last ${last.length} of them here` : ''}`,
        last.map((exchange) => h(Exchange, { exchange, isOpen: false })),
      ),
  ];
}

function wrongIn({ findings }: ResultView, { position }: ExchangeRecord): readonly Finding[] {
  return findings.filter(({ exchange }) => exchange === undefined || exchange === position);
}

interface ExchangeProps {
  readonly exchange: ExchangeRecord;
  readonly isOpen: boolean;
  /** What is not as it should be in it. */
  readonly wrong?: readonly Finding[];
}

function Exchange({ exchange, isOpen, wrong = [] }: ExchangeProps): JSX.Element {
  const { position, request, response, durationMs, curl, sender } = exchange;
  const by = sender === undefined ? '' : ` of ${sender}`;
  return fold(
    { class: 'exchange', open: isOpen },
    lineOf(request, response.status, `${formatDuration(durationMs)}, exchange ${position}${by}`),
    h(
      'pre',
      null,
      `${messageOf('>', request)}\n\n`,
      marked(`< ${response.status}\n${messageOf('<', response)}`, wrong),
    ),
    h(Command, { text: curl }),
  );
}

const FIELD = /(?:\[(\d{1,4})\])?\.([\w-]{1,60})$/;

/** The status, or the field that the place ends with (`body[2].state`), where they are in the text. */
function rangeOf(text: string, { at, expected }: Finding): readonly [from: number, to: number] | undefined {
  if (expected.startsWith('status ')) return [2, 5];
  const [, element = '0', name] = FIELD.exec(at) ?? [];
  if (name === undefined) return undefined;
  const literal = name.replaceAll('-', String.raw`\-`);
  const fields = [...text.matchAll(new RegExp(`"${literal}"\\s*:\\s*(?:"(?:[^"\\\\]|\\\\.)*"|[^,}\\]]*)`, 'g'))];
  const found = fields[Number(element)] ?? fields[0];
  return found && [found.index, found.index + found[0].length];
}

/** A text with what is wrong in it marked. */
function marked(text: string, wrong: readonly Finding[]): ComponentChildren {
  const ranges = wrong.map((finding) => rangeOf(text, finding)).filter((range) => range !== undefined);
  const ascending = ranges.toSorted(([a], [b]) => a - b);
  let at = 0;
  const parts = ascending.flatMap(([from, to]) => {
    if (from < at) return [];
    const before = text.slice(at, from);
    at = to;
    return [before, h('mark', null, text.slice(from, to))];
  });
  return [...parts, text.slice(at)];
}

function Silence({ unanswered }: { readonly unanswered: UnansweredRecord }): JSX.Element {
  const { kind, message, request, curl } = unanswered;
  return fold(
    { class: 'exchange', open: true },
    lineOf(request, 'no answer', `${kind}: ${clip(message, PATH_MOST)}`),
    h('pre', null, messageOf('>', request)),
    h(Command, { text: curl }),
  );
}

function lineOf({ method, path }: RequestRecord, answer: string | number, more: string): ComponentChildren {
  return [h('code', null, clip(`${method} ${path}`, PATH_MOST)), ' ', h('b', null, answer), ' ', aside(more)];
}

/** Headers that are long and the same each time, or of the connection: named, their values left to run.json. */
const RARELY_TELLING = /^(access-control-.+|date|connection|keep-alive)$/i;

function messageOf(mark: string, { headers, body }: Pick<RequestRecord, 'headers' | 'body'>): string {
  const telling = headers.filter(([name]) => !RARELY_TELLING.test(name));
  const others = headers.filter(([name]) => RARELY_TELLING.test(name)).map(([name]) => name);
  const lines = [
    ...telling.map(([name, value]) => `${mark} ${name}: ${value}`),
    ...(others.length > 0 ? [`${mark} (and ${others.join(', ')})`] : []),
  ];
  const head = clip(lines.join('\n'), HEADERS_MOST);
  return body === '' ? head : `${head}\n${mark}\n${clip(body, BODY_MOST)}`;
}

/** What stands beside a command: on a page with script, a button that copies it. */
export const CopyContext = createContext<(command: string) => ComponentChildren>(() => null);

/** A command to type; a click selects all of it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  const copyButton = useContext(CopyContext);
  return h('div', { class: 'command' }, h('pre', null, clip(text, COMMAND_MOST)), copyButton(text));
}
