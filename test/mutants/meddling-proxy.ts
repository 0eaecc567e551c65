/**
 * Meddling proxy: stands before a service and changes what it is asked or what it answers, for rules that
 * no single part of the service holds.
 *
 *   suite ──► rewrite ──► service      upgraded connections: rewriteUpgrade, meddleFrames
 *         ◄── meddle  ◄──
 *
 * A body that was changed gets the digest that belongs to it, unless the headers were changed as well.
 */

import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

import { parseJson } from '../../src/common/json-value.ts';
import { portOf } from '../../src/common/port-of.ts';

/** A request on its way, as a value. */
export interface PassingRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

type ChangedRequest = Partial<Omit<PassingRequest, 'body'> & { readonly body: Buffer | string }> | undefined;

/** Asks the service itself: the status and the body of its answer. */
export type Ask = (
  request: Pick<PassingRequest, 'method' | 'path' | 'headers'>,
) => Promise<Pick<PassingAnswer, 'status' | 'body'>>;

/** What the service is asked instead; undefined to let the request pass. */
export type Rewrite = (request: PassingRequest) => ChangedRequest;

/** As Rewrite, for one that has to know what the service would say. */
export type AskingRewrite = (request: PassingRequest, ask: Ask) => ChangedRequest | Promise<ChangedRequest>;

/** An answer on its way, as a value. */
export interface PassingAnswer {
  readonly method: string;
  readonly path: string;
  /** As the suite sent it. */
  readonly request: PassingRequest;
  /** As the service got it. */
  readonly asked: PassingRequest;
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

export type ChangedAnswer = Partial<Pick<PassingAnswer, 'status' | 'headers' | 'body'>> | undefined;

export type Meddle = (answer: PassingAnswer) => ChangedAnswer | Promise<ChangedAnswer>;

/** As Meddle, for one that has to know what the service would say. */
export type AskingMeddle = (answer: PassingAnswer, ask: Ask) => ChangedAnswer | Promise<ChangedAnswer>;

export interface MeddlingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export interface Meddling {
  readonly rewrite?: AskingRewrite | undefined;
  readonly meddle?: AskingMeddle | undefined;
  /** Awaited before a request goes on, and again before its answer does. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** The path that an upgrade asks for instead. */
  readonly rewriteUpgrade?: ((path: string) => string) | undefined;
  /** What reaches the suite of an upgraded connection instead; frames keep their length. */
  readonly meddleFrames?: ((bytes: Buffer) => Buffer) | undefined;
  /** Whether what reaches one upgraded connection reaches all of them. */
  readonly spreadFrames?: ((bytes: Buffer) => boolean) | undefined;
}

export async function startMeddlingProxy(serviceUrl: string, meddling: Meddling): Promise<MeddlingProxy> {
  const service = new URL(serviceUrl);
  const { rewriteUpgrade = (path) => path, meddleFrames = (bytes) => bytes, spreadFrames = () => false } = meddling;
  const upgraded = new Set<Duplex>();
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => void pass(service, meddling, incoming, Buffer.concat(chunks), outgoing));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket, head) => {
    const upstream = connect(Number(service.port), service.hostname, () => {
      upstream.write(`${incoming.method} ${rewriteUpgrade(incoming.url ?? '/')} HTTP/1.1\r\n`);
      for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
        upstream.write(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}\r\n`);
      }
      upstream.write('\r\n');
      upstream.write(head);
      socket.pipe(upstream);
      upgraded.add(socket);
      upstream.on('data', (bytes: Buffer) => {
        for (const one of spreadFrames(bytes) ? upgraded : [socket]) one.write(meddleFrames(bytes));
      });
      upstream.on('end', () => socket.end());
    });
    const end = (): void => {
      upgraded.delete(socket);
      socket.destroy();
      upstream.destroy();
    };
    for (const side of [socket, upstream]) side.on('error', end).on('close', end);
  });
  // On real time a connection that rests is not to end just as a request comes.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function pass(
  service: URL,
  { rewrite, meddle, pause }: Meddling,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/', rawHeaders } = incoming;
  const request = { method, path, headers: rawHeaders, body };
  const localAddress = incoming.socket.remoteAddress;
  const ask: Ask = ({ headers, ...question }) =>
    exchange(service, { ...question, headers: framed(headers, 0), localAddress }, '');
  const asked = { ...request, ...(await rewrite?.(request, ask)) };
  await pause?.();
  try {
    const { body: bytes, ...options } = asked;
    const headers = framed(options.headers, Buffer.byteLength(bytes));
    const given = await exchange(service, { ...options, headers, localAddress }, bytes);
    const answer = { ...given, method, path, request, asked: { ...options, body: Buffer.from(bytes) } };
    const change = await meddle?.(answer, ask);
    await pause?.();
    send(outgoing, { ...answer, ...withDigest(answer, withUid(answer, change ?? {})) });
  } catch {
    outgoing.destroy();
  }
}

type Given = Pick<PassingAnswer, 'status' | 'headers' | 'body'>;

/** One exchange with the service, from the address that the suite sent from. */
function exchange({ hostname, port }: URL, options: RequestOptions, body: Buffer | string): Promise<Given> {
  const { promise, resolve, reject } = Promise.withResolvers<Given>();
  const upstream = forward({ ...options, host: hostname, port });
  upstream.on('error', reject);
  upstream.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('error', reject);
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, headers: response.rawHeaders, body: text });
    });
  });
  upstream.end(body);
  return promise;
}

/** The id in a made-up error object, which is to be wrong in nothing else. */
export const UID_TO_COME = 'x';

function withUid({ headers }: PassingAnswer, changed: Partial<PassingAnswer>): Partial<PassingAnswer> {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'request-id');
  const body = changed.body?.replace(`{"uid":"${UID_TO_COME}"`, `{"uid":"${headers[at + 1]}"`);
  return { ...changed, ...(body !== undefined && { body }) };
}

/** The change, with the digest and the number of records that belong to the body when only that was changed. */
export function withDigest(answer: PassingAnswer, changed: Partial<PassingAnswer>): Partial<PassingAnswer> {
  const { body } = changed;
  if (body === undefined || changed.headers) return changed;
  return {
    ...changed,
    headers: mapHeaders(answer.headers, (name, value) => [name, describing(name, body) ?? value]),
  };
}

function describing(header: string, body: string): string | undefined {
  const name = header.toLowerCase();
  if (name === 'content-md5') return hash('md5', body, 'base64');
  const [records] = name === 'records-returned' ? [parseJson(Buffer.from(body))] : [];
  return Array.isArray(records) ? String(records.length) : undefined;
}

/** Headers, names and values in turn, each as `change` has it. */
export function mapHeaders(
  headers: readonly string[],
  change: (name: string, value: string) => readonly string[],
): readonly string[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? change(name, headers[index + 1] ?? '') : []));
}

/** Headers for a body of this length. */
function framed(headers: readonly string[], bytes: number): string[] {
  const kept = withoutFraming(headers);
  return bytes > 0 ? [...kept, 'Content-Length', String(bytes)] : [...kept];
}

function withoutFraming(headers: readonly string[]): readonly string[] {
  return mapHeaders(headers, (name, value) =>
    /^(content-length|transfer-encoding)$/i.test(name) ? [] : [name, value],
  );
}

function send(outgoing: ServerResponse, { status, headers, body }: PassingAnswer): void {
  const kept = withoutFraming(headers);
  const isBodiless = status === 204;
  const length = isBodiless ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  outgoing.writeHead(status, [...kept, ...length]);
  outgoing.end(isBodiless ? undefined : body);
}
