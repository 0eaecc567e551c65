/**
 * Wire log: what was sent and answered, and the command that sends it again.
 */

import { createContext, h, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { formatDuration } from '../../common/duration.ts';
import type { ExchangeRecord, RequestRecord, UnansweredRecord } from '../../record/check-record.ts';
import type { ResultView } from '../view/run-view.ts';
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
  const noun = others.length === 1 ? 'exchange' : 'exchanges';
  return [
    shown && [label('On the wire'), h(Exchange, { exchange: shown, isOpen: true })],
    unanswered.slice(-OTHERS_MOST).map((one) => h(Silence, { unanswered: one })),
    traffic.length > 0 && [
      label('On the links and at the webhooks'),
      h('pre', null, traffic.map((line) => clip(line, BODY_MOST)).join('\n')),
    ],
    last.length > 0 &&
      fold(
        { class: 'more' },
        `${others.length} other ${noun}${last.length < others.length ? `, the last ${last.length} of them here` : ''}`,
        last.map((exchange) => h(Exchange, { exchange, isOpen: false })),
      ),
  ];
}

interface ExchangeProps {
  readonly exchange: ExchangeRecord;
  readonly isOpen: boolean;
}

function Exchange({ exchange, isOpen }: ExchangeProps): JSX.Element {
  const { position, request, response, durationMs, curl, sender } = exchange;
  const by = sender === undefined ? '' : ` of ${sender}`;
  return fold(
    { class: 'exchange', open: isOpen },
    lineOf(request, response.status, `${formatDuration(durationMs)}, exchange ${position}${by}`),
    h('pre', null, `${messageOf('>', request)}\n\n< ${response.status}\n${messageOf('<', response)}`),
    h(Command, { text: curl }),
  );
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
