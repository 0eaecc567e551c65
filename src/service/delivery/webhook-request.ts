/**
 * Webhook request: one POST to a caller's server, and whether it was a success.
 *
 * A success is a 2xx status with the header `X-Service-Webhook-Status: OK`. Everything else is a
 * failure: another status, another value, a redirect (not followed), a timeout, no connection.
 */

import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

import type { Agent, request } from 'undici';

import type { Clock } from '../../common/clock.ts';
import { ON_BEHALF } from '../../common/on-behalf.ts';
import { MEDIA_TYPES, WEBHOOK_STATUS_HEADER } from '../../specification/headers.ts';
import type { WebhookAnswer } from '../service-observer.ts';
import type { TargetKey } from '../store/event-table.ts';

/** Choice (gap/webhook-request-timeout): how long a receiver may take to answer. */
const ANSWER_LIMIT_MS = 10_000;
/** Choice (gap/secret-transmission). */
const SECRET_HEADER = 'X-Service-Webhook-Secret';
/** An answer's body is of no interest; more of it than this ends the connection. */
const BODY_MAX_BYTES = 64 * 1024;

/** A target; a forged request may come without a secret. */
export type Recipient = Omit<TargetKey, 'secret'> & { readonly secret: string | undefined };

export interface WebhookSender<Target = TargetKey> {
  /**
   * Sends the body, a JSON array of events. Never rejects.
   *
   * @param onAnswer - called with what the outcome rests on
   */
  send(target: Target, body: string, onAnswer?: (answer: WebhookAnswer) => void): Promise<'success' | 'failure'>;
  /** Gives up the requests under way. */
  close(): void;
}

/** Addresses to which no webhook is sent: `link-local`, where clouds keep their keys, or all of `private` networks. */
export type ForbiddenAddresses = 'link-local' | 'private';

export interface WebhookSenderOptions {
  readonly clock: Clock;
  readonly forbiddenAddresses: ForbiddenAddresses | undefined;
}

interface Client {
  readonly agent: Agent;
  readonly request: typeof request;
}

/** Loaded with the first webhook that is due: it takes a quarter of the time of a start. */
async function openClient(forbidden: BlockList): Promise<Client> {
  const undici = await import('undici');
  const agent = new undici.Agent({
    connect: { timeout: ANSWER_LIMIT_MS, lookup: lookupBut(forbidden) },
    // The limit is kept on the injected clock; undici's own would run on real time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { agent, request: undici.request };
}

export function createWebhookSender({ clock, forbiddenAddresses }: WebhookSenderOptions): WebhookSender<Recipient> {
  let opening: Promise<Client> | undefined;
  const forbidden = blockList(forbiddenAddresses ? NETWORKS[forbiddenAddresses] : []);
  return {
    async send(target, body, onAnswer = () => undefined) {
      if (isAmong(forbidden, new URL(target.url).hostname)) {
        onAnswer({ status: null, headers: {}, error: 'no webhook is sent to this address' });
        return 'failure';
      }
      const limit = new AbortController();
      const timer = clock.schedule(ANSWER_LIMIT_MS, () => limit.abort());
      const hold = clock.hold(`the answer of webhook ${target.webhookId}`, undefined, URL.parse(target.url)?.host);
      try {
        const client = await (opening ??= openClient(forbidden));
        const response = await client.request(target.url, {
          method: 'POST',
          headers: { ...ON_BEHALF, 'content-type': MEDIA_TYPES.json.value, [SECRET_HEADER]: target.secret },
          body,
          dispatcher: client.agent,
          signal: limit.signal,
        });
        await response.body.dump({ limit: BODY_MAX_BYTES });
        onAnswer({ status: response.statusCode, headers: response.headers, error: null });
        const status = response.headers[WEBHOOK_STATUS_HEADER.name.toLowerCase()];
        const isSuccess = response.statusCode >= 200 && response.statusCode < 300;
        return isSuccess && status === WEBHOOK_STATUS_HEADER.value ? 'success' : 'failure';
      } catch (error) {
        onAnswer({ status: null, headers: {}, error: limit.signal.aborted ? NO_ANSWER : reasonOf(error) });
        return 'failure';
      } finally {
        timer.cancel();
        hold.release();
      }
    },
    close: () => void opening?.then(({ agent }) => agent.destroy()),
  };
}

const NO_ANSWER = `no answer within ${ANSWER_LIMIT_MS / 1_000} seconds`;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10'];
const NETWORKS: Readonly<Record<ForbiddenAddresses, readonly string[]>> = {
  'link-local': LINK_LOCAL,
  private: [
    ...LINK_LOCAL,
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '::/127',
    'fc00::/7',
  ],
};

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

function isAmong(list: BlockList, hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves a name where the connection is made, and fails if it leads to a forbidden address. */
function lookupBut(forbidden: BlockList): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const hidden = addresses.find(({ address }) => isAmong(forbidden, address));
      if (hidden) return callback(new Error(`no webhook is sent to ${hidden.address}, where ${hostname} leads`), []);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}
