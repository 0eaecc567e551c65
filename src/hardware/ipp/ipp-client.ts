/**
 * IPP client: asks printers and print systems, and a printer for what it says of itself.
 */

import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { ActionableError } from '../../common/actionable-error.ts';
import { connectionTrouble } from '../../common/connection-words.ts';
import { addressOf } from '../../common/service-address.ts';
import { within } from '../../common/waiter.ts';
import { keyword, strings, stringOf, uri, type IppAttribute } from './attribute.ts';
import { decodeMessage, encodeMessage, IppFormatError, type IppMessage } from './codec.ts';
import { OPERATIONS, STATUSES } from './operations.ts';

const IPP_PORT = 631;
/** Without a byte from the printer. In real time: it is about a real socket. */
const LIMIT_MS = 15_000;
/** However many bytes come. */
const WHOLE_LIMIT = '60s';
/** A printer with hundreds of media says some hundred kilobytes. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;

/** All attributes of the printer at an address of `ipp:` or `ipps:`, its database of media included. */
export async function printerAttributes(address: string): Promise<IppAttribute[]> {
  const attributes = [uri('printer-uri', address), keyword('requested-attributes', 'all', 'media-col-database')];
  const code = OPERATIONS['Get-Printer-Attributes'];
  const url = httpUrlOf(address);
  const answer = await askIpp({ url, code, attributes }).catch((error: unknown) => {
    throw new ActionableError('unreachable', `the printer at ${address} does not answer: ${reasonOf(error)}`, TRY, {
      cause: error,
    });
  });
  const said = answer.groups.filter(({ type }) => type === 'printer').flatMap((group) => group.attributes);
  if (answer.code < STATUSES['client-error-bad-request'] && said.length > 0) return said;
  const message = stringOf(answer.groups[0]?.attributes.find(({ name }) => name === 'status-message')) ?? '';
  const status = Object.entries(STATUSES).find(([, code]) => code === answer.code)?.[0] ?? String(answer.code);
  throw new ActionableError('unreachable', `the printer at ${address} answers ${status} ${message}`.trim(), TRY);
}

function reasonOf(error: unknown): string {
  const isPlain = error instanceof Error && 'code' in error && error.code === 'EPROTO';
  return isPlain ? 'it does not speak TLS; write ipp:// instead of ipps://' : connectionTrouble(error);
}

const TRY = 'Is it switched on, and is the address right? The path is often /ipp/print.';

function httpUrlOf(address: string): URL {
  const http = address.replace(/^ipp(s?):/, 'http$1:');
  const url = addressOf(http, 'a printer', 'Write ipp://HOST/ipp/print, or ipps://….');
  if (url.port === '' && address.startsWith('ipp')) url.port = String(IPP_PORT);
  return url;
}

export interface IppCall {
  readonly url: URL;
  /** The path of a local socket, in place of the host and port of the URL. */
  readonly socketPath?: string | undefined;
  readonly code: number;
  /** The attributes of the operation, after charset and language. */
  readonly attributes: readonly IppAttribute[];
}

/** The answer, whatever its status. @throws Error when none comes, or it is not IPP */
export async function askIpp({ url, socketPath, code, attributes }: IppCall): Promise<IppMessage> {
  const language = [
    strings('charset', 'attributes-charset', ['utf-8']),
    strings('naturalLanguage', 'attributes-natural-language', ['en']),
  ];
  const body = encodeMessage({
    version: { major: 2, minor: 0 },
    code,
    requestId: 1,
    groups: [{ type: 'operation', attributes: [...language, ...attributes] }],
    data: new Uint8Array(),
  });
  const headers = { 'content-type': 'application/ipp', 'content-length': body.length };
  // Printers sign their certificates themselves.
  const post =
    url.protocol === 'https:'
      ? httpsRequest(url, { method: 'POST', headers, rejectUnauthorized: false })
      : httpRequest(url, { method: 'POST', headers, socketPath });
  post.setTimeout(LIMIT_MS, () => post.destroy(new Error(`no answer within ${LIMIT_MS / 1_000} s`)));
  post.end(body);
  // An error after the head of the answer is one of reading it as well.
  post.on('error', () => undefined);
  try {
    return await within(answerTo(post), { description: 'the whole answer', limit: WHOLE_LIMIT });
  } finally {
    post.destroy();
  }
}

async function answerTo(post: ClientRequest): Promise<IppMessage> {
  const [response] = (await once(post, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_ANSWER_BYTES) throw new Error(`its answer is longer than ${MOST_ANSWER_BYTES} bytes`);
  }
  const bytes = Buffer.concat(pieces);
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof IppFormatError) throw new Error(`its answer is not IPP: ${error.message}`, { cause: error });
    throw error;
  }
}
