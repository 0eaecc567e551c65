/**
 * Wire log: what was sent and answered, and the curl command that sends it again.
 */

import { formatDuration } from '../../common/duration.ts';
import type { ExchangeRecord, RequestRecord, UnansweredRecord } from '../../record/check-record.ts';
import type { ResultView } from '../view.ts';
import { clip } from './allowance.ts';
import { markup, NOTHING, OPEN, type Markup } from './markup.ts';

const BODY_MOST = 1_200;
const HEADERS_MOST = 2_000;
const CURL_MOST = 2_000;
const PATH_MOST = 160;
/** The exchanges before the one that shows it; the rest stands in run.json. */
const OTHERS_MOST = 12;

export function wireLog(result: ResultView): Markup {
  const { exchanges, unanswered } = result;
  const shown = tellingExchange(result);
  const others = exchanges.filter((one) => one !== shown);
  const told = others.slice(-OTHERS_MOST);
  return markup`${
    shown
      ? markup`<h5>On the wire</h5>
          ${exchange(shown, true)}`
      : NOTHING
  }
  ${unanswered.slice(-OTHERS_MOST).map(silence)}
  ${
    told.length === 0
      ? NOTHING
      : markup`<details class="more">
          <summary>
            ${others.length} other
            ${others.length === 1 ? 'exchange' : 'exchanges'}${
              told.length < others.length ? `, the last ${told.length} of them here` : ''
            }
          </summary>
          ${told.map((one) => exchange(one, false))}
        </details>`
  }`;
}

/** The exchange that shows the first finding, or the last one that was kept. */
function tellingExchange({ findings, exchanges }: ResultView): ExchangeRecord | undefined {
  const positions = findings.map((finding) => finding.exchange);
  return exchanges.find(({ position }) => positions.includes(position)) ?? exchanges.at(-1);
}

function exchange(
  { position, request, response, durationMs, curl }: ExchangeRecord,
  isOpen: boolean,
): Markup {
  const dialogue = `${messageOf('>', request)}\n\n< ${response.status}\n${messageOf('<', response)}`;
  return markup`<details class="exchange" ${isOpen ? OPEN : NOTHING}>
    <summary>
      <code>${lineOf(request)}</code> <b>${response.status}</b>
      <span class="quiet">${formatDuration(durationMs)}, exchange ${position}</span>
    </summary>
    <pre>${dialogue}</pre>
    ${command(curl)}
  </details> `;
}

function silence({ kind, message, request, curl }: UnansweredRecord): Markup {
  return markup`<details class="exchange" open>
    <summary>
      <code>${lineOf(request)}</code> <b>no answer</b>
      <span class="quiet">${kind}: ${clip(message, PATH_MOST)}</span>
    </summary>
    <pre>${messageOf('>', request)}</pre>
    ${command(curl)}
  </details> `;
}

function lineOf({ method, path }: RequestRecord): string {
  return clip(`${method} ${path}`, PATH_MOST);
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

export function command(text: string): Markup {
  return markup`<pre class="command">${clip(text, CURL_MOST)}</pre>`;
}
