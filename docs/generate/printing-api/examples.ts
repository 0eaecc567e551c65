/**
 * Examples of the printing API: what the reference service really answers, asked in this process. Time is virtual and
 * chance has a seed, so that the same answers come out each time.
 *
 *   a room ─► a story that calls every endpoint once ─► request and answer, by endpoint
 */

import { once } from 'node:events';
import { request } from 'node:http';

import { basicAuthorization } from '../../../src/common/basic-authorization.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { start, type StartedPlaten } from '../../../src/index.ts';
import type { Endpoint } from '../../../src/specification/clause.ts';
import { ENDPOINTS, type PathPartName } from '../../../src/specification/endpoints.ts';
import { ERRORS } from '../../../src/specification/errors.ts';
import { MEDIA_TYPES, REQUEST_HEADERS } from '../../../src/specification/headers.ts';
import { LIMITS } from '../../../src/specification/limits.ts';

export type ErrorName = Exclude<keyof typeof ERRORS, 'Unauthorized'>;

export interface Examples {
  /** By `METHOD /path`, as the table of endpoints writes it. */
  readonly calls: ReadonlyMap<string, Call>;
  readonly errors: Readonly<Record<ErrorName, unknown>>;
  /** The body of a request to a webhook. */
  readonly events: readonly unknown[];
}

export interface Call {
  /** Undefined where none was sent. */
  readonly request: unknown;
  readonly answer: unknown;
}

const START = '2026-01-05T08:00:00.000Z';
const ZPL = Buffer.from('^XA^FO50,50^ADN,36,20^FDOrder 1017^FS^XZ').toString('base64');
const UUID = '6f1d2c1e-58f4-4c0e-9a35-0f6f3d1c7b52';
const JOB = { printerId: 2, contentType: 'raw_base64', content: ZPL, title: 'Order 1017', source: 'Shop' };

type Values = Partial<Record<PathPartName, string>>;

interface Step {
  readonly values?: Values;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** @throws Error when an endpoint has no example, or one that is not a success */
export async function captureExamples(): Promise<Examples> {
  const clock = new VirtualClock(Date.parse(START));
  await using platen = await start({ port: 0, clock, seed: 'examples', limits: 'off' });
  const story = new Story(platen);
  const events = await eventsOfOneJob(platen);
  await tellOfAccounts(story);
  await tellOfPrinting(story, platen);
  await tellOfScales(story, platen);
  await tellOfWebhooks(story);
  await tellOfClients(story);
  const errors = { ...(await errorsOf(platen)), TooManyRequests: await tooManyRequests() };
  await tellOfDeletions(story);
  const missing = ENDPOINTS.map(nameOf).filter((name) => !story.calls.has(name));
  if (missing.length > 0) throw new Error(`no example of ${missing.join(', ')}`);
  return { calls: story.calls, errors, events };
}

export function nameOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

class Story {
  readonly calls = new Map<string, Call>();
  readonly #platen: StartedPlaten;

  constructor(platen: StartedPlaten) {
    this.#platen = platen;
  }

  /** Calls an endpoint and keeps what was sent and answered. @throws Error when it was refused */
  async tell(endpoint: string, { values = {}, query = '', headers = {}, body }: Step = {}): Promise<unknown> {
    const [method = '', template = ''] = endpoint.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: PathPartName) => encodeURIComponent(values[name] ?? ''));
    const response = await fetch(this.#platen.url + path + query, {
      method,
      headers: { ...authorized(this.#platen), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${endpoint}: ${response.status} ${JSON.stringify(answer)}`);
    this.calls.set(endpoint, { request: body, answer });
    return answer;
  }
}

async function eventsOfOneJob(platen: StartedPlaten): Promise<readonly unknown[]> {
  await using inbox = await platen.webhooks.receive();
  const jobId = await submit(platen, JOB);
  await inbox.wait({ jobId, state: 'done' });
  return inbox.events.slice(0, 1);
}

function authorized({ apiKey }: StartedPlaten): Readonly<Record<string, string>> {
  return { authorization: basicAuthorization(apiKey), 'content-type': MEDIA_TYPES.json.value };
}

async function submit(platen: StartedPlaten, job: unknown): Promise<number> {
  const init = { method: 'POST', headers: authorized(platen), body: JSON.stringify(job) };
  const response = await fetch(`${platen.url}/printjobs`, init);
  return (await response.json()) as number;
}

async function tellOfAccounts(story: Story): Promise<void> {
  await story.tell('GET /ping');
  await story.tell('GET /noop');
  await story.tell('GET /whoami');
  await story.tell('POST /account', {
    body: {
      Account: {
        firstname: '-',
        lastname: '-',
        email: 'shop@example.com',
        password: 'aaaaaaaa',
        creatorRef: 'shop-17',
      },
      ApiKeys: ['checkout'],
      Tags: { plan: 'gold' },
    },
  });
  const headers = { [REQUEST_HEADERS.childAccountByCreatorRef.name]: 'shop-17' };
  await story.tell('PATCH /account', { headers, body: { lastname: 'Corner shop' } });
  await story.tell('GET /account/controllable');
  await story.tell('PUT /account/state', { headers, body: 'suspended' });
  await story.tell('GET /account/state', { headers });
  await story.tell('DELETE /account', { headers });
  for (const [path, values, body] of [
    ['/account/tag/{name}', { name: 'plan' }, 'gold'],
    ['/account/apikey/{description}', { description: 'checkout' }, undefined],
  ] as const) {
    await story.tell(`POST ${path}`, { values, body });
    await story.tell(`GET ${path}`, { values });
    await story.tell(`DELETE ${path}`, { values });
  }
}

const FRONT_DESK = { computer_set: '1', printer_set: '2' };

async function tellOfPrinting(story: Story, platen: StartedPlaten): Promise<void> {
  await story.tell('GET /computers');
  await story.tell('GET /computers/{computer_set}', { values: FRONT_DESK });
  await story.tell('GET /printers', { query: '?limit=1&dir=asc' });
  await story.tell('GET /printers/{printer_set}', { values: FRONT_DESK });
  await story.tell('GET /computers/{computer_set}/printers', { values: { computer_set: '1' }, query: '?limit=1' });
  await story.tell('GET /computers/{computer_set}/printers/{printer_set}', { values: FRONT_DESK });
  const body = { ...JOB, expireAfter: 600, qty: 2 };
  const id = String(await story.tell('POST /printjobs', { body }));
  await platen.jobs.wait({ id: Number(id), state: 'done' });
  const one = { print_job_set: id, printer_set: '2' };
  for (const path of JOB_PATHS) await story.tell(`GET ${path}`, { values: one, query: '?limit=1' });
  await story.tell('GET /printjobs/states', { query: '?limit=1' });
  await story.tell('GET /printjobs/{print_job_set}/states', { values: one });
  await platen.computer('FRONT-DESK').disconnect();
  for (const path of JOB_PATHS) {
    const waiting = String(await submit(platen, body));
    await story.tell(`DELETE ${path}`, { values: { ...one, print_job_set: waiting } });
  }
}

const JOB_PATHS = [
  '/printjobs',
  '/printjobs/{print_job_set}',
  '/printers/{printer_set}/printjobs',
  '/printers/{printer_set}/printjobs/{print_job_set}',
] as const;

async function tellOfScales(story: Story, platen: StartedPlaten): Promise<void> {
  await platen.clock.advance('1s');
  await story.tell('PUT /scale', { body: { mass: [1_250_000_000, 5_000_000] } });
  await platen.clock.advance('1s');
  const values = { computer_id: '0', device_name: 'Service Test Scale', device_number: '0' };
  await story.tell('GET /computer/{computer_id}/scales', { values });
  await story.tell('GET /computer/{computer_id}/scales/{device_name}', { values });
  await story.tell('GET /computer/{computer_id}/scale/{device_name}/{device_number}', { values });
}

async function tellOfWebhooks(story: Story): Promise<void> {
  const made = await story.tell('POST /webhook', {
    body: { url: 'https://shop.example/events', secret: 'a long secret', messages: ['print job state'] },
  });
  const values = { webhook_id: String((made as readonly { readonly webhookId: number }[])[0]?.webhookId) };
  await story.tell('GET /webhooks');
  await story.tell('PATCH /webhook/{webhook_id}', { values, body: { messages: ['*'] } });
  await story.tell('DELETE /webhook/{webhook_id}', { values });
}

async function tellOfClients(story: Story): Promise<void> {
  await story.tell('GET /client/key/{uuid}', { values: { uuid: UUID }, query: '?edition=shop&version=4.27.8' });
  await story.tell('GET /download/client/{os}', { values: { os: 'osx' } });
  await story.tell('GET /download/clients/{os}', { values: { os: 'windows' } });
  await story.tell('GET /download/clients');
  await story.tell('GET /download/clients/{download_id_set}', { values: { download_id_set: '7' } });
  const values = { download_id_set: '7,8' };
  await story.tell('PATCH /download/clients/{download_id_set}', { values, body: { enabled: false } });
}

async function tellOfDeletions(story: Story): Promise<void> {
  await story.tell('DELETE /computers/{computer_set}', { values: FRONT_DESK });
  await story.tell('DELETE /computers');
}

/** What a request gets that breaks the rule of each error. */
async function errorsOf(platen: StartedPlaten): Promise<Omit<Examples['errors'], 'TooManyRequests'>> {
  const { url } = platen;
  const refusal = async (path: string, init?: RequestInit): Promise<unknown> =>
    (await fetch(url + path, { headers: authorized(platen), ...init })).json();
  const again = { method: 'POST', body: JSON.stringify(JOB) };
  const headers = { ...authorized(platen), [REQUEST_HEADERS.idempotencyKey.name]: 'order-1017' };
  await refusal('/printjobs', { ...again, headers });
  return {
    InvalidContent: await refusal('/printjobs', { method: 'POST', body: '{"printerId": 2,' }),
    InvalidCredentials: await refusal('/whoami', { headers: {} }),
    ScaleNotFound: await refusal('/computer/1/scale/No%20Such%20Scale/0'),
    Conflict: await refusal('/printjobs', { ...again, headers }),
    BodyTooLarge: await tooLarge(platen),
  };
}

/** Announces a body that is too large; it is refused before it is sent. */
async function tooLarge(platen: StartedPlaten): Promise<unknown> {
  const length = String((LIMITS.requestBodyMegabytes.value + 10) * 1024 * 1024);
  const headers = { ...authorized(platen), 'content-length': length };
  const sent = request(`${platen.url}/printjobs`, { method: 'POST', headers, agent: false });
  sent.flushHeaders();
  sent.on('error', () => undefined);
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
  const chunks = await Array.fromAsync(response);
  sent.destroy();
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** On a clock that stands still, no rate is ever regained. */
async function tooManyRequests(): Promise<unknown> {
  const clock = new VirtualClock(Date.parse(START));
  await using platen = await start({ port: 0, clock, seed: 'rate' });
  for (;;) {
    const response = await fetch(`${platen.url}/noop`, { headers: authorized(platen) });
    const answer: unknown = await response.json();
    if (response.status === ERRORS.TooManyRequests.status) return answer;
  }
}
