/**
 * Exchange log: every exchange of a run, a line of JSON each, compressed, without secrets. Enough to judge
 * the run again when the target is long gone.
 *
 *   {"position":0,"check":"misc/ping","method":"GET","path":"/ping","asked":[…],"status":200,"headers":[…],
 *    "body":"\"OK\"","isAltered":false,"sentMs":0,"receivedMs":1.2}
 *
 * A body that a secret was taken out of, or that was too long to keep whole, is marked as altered: what it
 * says can no longer be held against the target.
 */

import { isUtf8 } from 'node:buffer';
import { gunzipSync, gzipSync } from 'node:zlib';

import { z } from 'zod';

import { parseAs } from '../../common/json-value.ts';
import type { Exchange } from '../../wire/http-exchange.ts';
import type { ConformanceResult } from '../run/run-conformance.ts';
import { createRedaction, secretsOf, type Redact } from './redaction.ts';

const BODY_MAX_BYTES = 64 * 1024;
/** The limit for the whole log before compression, in characters; the rest is left out. */
const LOG_MAX_CHARACTERS = 64 * 1024 * 1024;
/** A unit of UTF-16 takes at most three bytes in UTF-8. */
const LOG_MAX_BYTES = 3 * LOG_MAX_CHARACTERS;

const header = z.tuple([z.string(), z.string()]);
const lineSchema = z.object({
  position: z.number(),
  method: z.string(),
  path: z.string(),
  asked: z.array(header),
  status: z.number(),
  headers: z.array(header),
  body: z.string(),
  isAltered: z.boolean(),
  sentMs: z.number(),
  receivedMs: z.number(),
});

export type LoggedExchange = z.infer<typeof lineSchema>;

/** The log of a run, compressed. */
export function renderExchangeLog(
  result: Pick<ConformanceResult, 'exchanges' | 'target' | 'keys' | 'handedOut'>,
): Buffer {
  // Each key by a name of its own: a rule says that one key leads to one account.
  const redact = remembered(
    createRedaction(secretsOf(result).map(({ value }, index) => ({ value, variable: `KEY_${index + 1}` }))),
  );
  const beginMs = result.exchanges[0]?.sentMs ?? 0;
  let characters = 0;
  const lines: string[] = [];
  for (const [position, exchange] of result.exchanges.entries()) {
    const line = JSON.stringify(lineOf(exchange, position, beginMs, redact));
    characters += line.length;
    if (characters > LOG_MAX_CHARACTERS) break;
    lines.push(line);
  }
  return gzipSync(`${lines.join('\n')}\n`, { level: 1 });
}

function lineOf(
  { request, response, sentMs, receivedMs }: Exchange,
  position: number,
  beginMs: number,
  redact: Redact,
): LoggedExchange {
  const isLong = response.body.length > BODY_MAX_BYTES;
  const text = isLong ? '' : response.body.toString('utf8');
  const body = redact(text);
  return {
    position,
    method: request.method,
    path: redact(request.path),
    asked: request.headers.map(([name, value]) => [redact(name), redact(redactCredentials(value, redact))]),
    status: response.status,
    headers: response.headers.map(([name, value]) => [redact(name), redact(value)]),
    body,
    isAltered: isLong || body !== text || !isUtf8(response.body),
    sentMs: round(sentMs - beginMs),
    receivedMs: round(receivedMs - beginMs),
  };
}

const REMEMBERED_MOST_CHARACTERS = 200;

/** Most of what is sent and answered was sent and answered before. */
function remembered(redact: Redact): Redact {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > REMEMBERED_MOST_CHARACTERS) return redact(text);
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
}

/** Basic credentials stay what they are, with the name of the key in them. */
function redactCredentials(value: string, redact: Redact): string {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return value;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const redacted = redact(decoded);
  return redacted === decoded ? value : `Basic ${Buffer.from(redacted).toString('base64')}`;
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;

/** The exchanges in a log, in their order. @throws Error when it is not a log */
export function readExchangeLog(compressed: Uint8Array): readonly LoggedExchange[] {
  const text = gunzipSync(compressed, { maxOutputLength: LOG_MAX_BYTES }).toString('utf8');
  const exchanges: LoggedExchange[] = [];
  // One by one: the first line that is of no log ends it, however many there are.
  for (let begin = 0; begin < text.length;) {
    const end = text.indexOf('\n', begin);
    const line = text.slice(begin, end < 0 ? undefined : end);
    const read = parseAs(lineSchema, line);
    if (!read.ok) throw new Error(`line ${exchanges.length + 1}: ${read.error}`);
    exchanges.push(read.value);
    begin += line.length + 1;
  }
  return exchanges;
}
