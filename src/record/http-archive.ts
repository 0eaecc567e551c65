/**
 * HTTP archive: exchanges that a browser, a proxy or a test tool recorded (HAR 1.2), in the order in which they
 * were sent. What a recorder leaves out stays unknown: a body that was not kept is no empty body.
 */

import { z } from 'zod';

import type { HeaderPair } from '../common/header-pairs.ts';
import { parseAs } from '../common/json-value.ts';
import { success, type Outcome } from '../common/outcome.ts';

export interface ArchivedExchange {
  /** In milliseconds since 1970. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** The connection that it went over, where the recorder says so. */
  readonly connection: string | undefined;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HeaderPair[];
    /** Undefined when none was sent. */
    readonly body: Buffer | undefined;
  };
  /** Undefined when no whole answer came. */
  readonly response: ArchivedResponse | undefined;
}

export interface ArchivedResponse {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** With its Content-Encoding taken off; undefined when it was not kept as it came. */
  readonly body: Buffer | undefined;
}

/** Recorders differ in what they leave out and in what they write as null. */
const headers = z.array(z.object({ name: z.string(), value: z.string() }));
const parameter = z.object({ name: z.string(), value: z.string().nullish() });
const postData = z.object({ text: z.string().nullish(), params: z.array(parameter).nullish() });
const content = z.object({ size: z.number().nullish(), text: z.string().nullish(), encoding: z.string().nullish() });

const entry = z.object({
  /** What came out of the cache of a browser was not sent to a service. */
  _fromCache: z.string().nullish(),
  startedDateTime: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time'),
  time: z.number().nullish(),
  connection: z.string().nullish(),
  request: z.object({ method: z.string(), url: z.url(), headers, postData: postData.nullish() }),
  response: z.object({ status: z.number(), headers, content: content.nullish() }),
});

const archive = z.object({ log: z.object({ entries: z.array(entry) }) });

/** The error says what is wrong, and where: `log.entries[2].request: …`. */
export function readHttpArchive(text: string): Outcome<readonly ArchivedExchange[], string> {
  // Some recorders write a byte order mark.
  const read = parseAs(archive, text.replace(/^\uFEFF/, ''));
  if (!read.ok) return read;
  // What a browser has read from itself, such as a data: url, was not asked of a service either.
  const asked = read.value.log.entries.filter(
    ({ _fromCache: cache, request }) => !cache && /^https?:/i.test(request.url),
  );
  return success(asked.map(exchangeOf).toSorted((one, other) => one.sentMs - other.sentMs));
}

function exchangeOf({ startedDateTime, time, connection, request, response }: z.infer<typeof entry>): ArchivedExchange {
  const sentMs = Date.parse(startedDateTime);
  return {
    sentMs,
    receivedMs: sentMs + Math.max(time ?? 0, 0),
    connection: connection ?? undefined,
    request: {
      method: request.method,
      url: request.url,
      headers: pairsOf(request.headers),
      body: sentBody(request.postData ?? undefined),
    },
    // What was refused, blocked or cut off has status 0.
    response:
      response.status === 0
        ? undefined
        : { status: response.status, headers: pairsOf(response.headers), body: answeredBody(response) },
  };
}

/** Without the pseudo headers of HTTP/2. */
function pairsOf(given: z.infer<typeof headers>): readonly HeaderPair[] {
  return given.filter(({ name }) => !name.startsWith(':')).map(({ name, value }) => [name, value]);
}

function sentBody(sent: z.infer<typeof postData> | undefined): Buffer | undefined {
  if (!sent) return undefined;
  const { text, params } = sent;
  if (typeof text === 'string') return Buffer.from(text);
  return params ? Buffer.from(params.map(({ name, value }) => `${name}=${value ?? ''}`).join('&')) : undefined;
}

/** What could not be read as text stands in the archive as a sign for what is unknown. */
const UNREADABLE = '\uFFFD';

function answeredBody({ status, content: kept }: z.infer<typeof entry>['response']): Buffer | undefined {
  const { text, encoding, size } = kept ?? {};
  if (typeof text === 'string' && text !== '') {
    if (encoding === 'base64') return Buffer.from(text, 'base64');
    return text.includes(UNREADABLE) ? undefined : Buffer.from(text);
  }
  return status === 204 || status === 304 || size === 0 ? Buffer.alloc(0) : undefined;
}
