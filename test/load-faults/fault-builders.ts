/**
 * Fault builders: what load-faults.ts makes broken services of. Each breaks one thing now and then, or for all.
 */

import { request } from 'undici';

import type { DeliveredJob } from '../../src/link/device-link.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { each, type LoadFault } from './fault.ts';
import type { Outlet } from './meddled-link.ts';

const SUBMIT = /^POST \/printjobs$/;
const CANCEL = /^DELETE \/printjobs\/(\d+)$/;
export const OFTEN = 20;

/** Only now and then: the rest passes as it should. */
export function sometimes(
  act: (job: DeliveredJob, outlet: Outlet, all: readonly Outlet[]) => Promise<void>,
  isMeant = each(OFTEN),
): LoadFault['link'] {
  return {
    onJob: (job, outlet, all) => (isMeant() ? act(job, outlet, all) : outlet.deliver(job)),
  };
}

export const changed = (change: (job: DeliveredJob) => Partial<DeliveredJob>): LoadFault['link'] =>
  sometimes((job, outlet) => outlet.deliver({ ...job, ...change(job) }));

/** The service's ids end far below. */
export const otherId = (jobId: number): number => jobId + 1_000_000;

export const isPdf = ({ contentType }: DeliveredJob): boolean => contentType.startsWith('pdf');

/** Another computer that fits, or the same one where no other fits. */
export function another(outlet: Outlet, all: readonly Outlet[], fits: (one: Outlet) => boolean): Outlet {
  return all.find((one) => one.computerName !== outlet.computerName && fits(one)) ?? outlet;
}

/** What was delivered, again, under ids that the computer does not know; or under the old ones. */
export function againAfterReconnect(idOf: (jobId: number) => number): LoadFault['link'] {
  const delivered = new Map<string, DeliveredJob>();
  return {
    async onJob(job, outlet) {
      await outlet.deliver(job);
      delivered.set(outlet.computerName, job);
    },
    onReconnect(outlet) {
      const job = delivered.get(outlet.computerName);
      if (job) void outlet.deliver({ ...job, jobId: idOf(job.jobId) }).catch(() => undefined);
    },
  };
}

/** The first job after a reconnect goes nowhere. */
export function forgettingTheFirst(): LoadFault['link'] {
  const returned = new Set<string>();
  return {
    onJob: (job, outlet) => (returned.delete(outlet.computerName) ? Promise.resolve() : outlet.deliver(job)),
    onReturn: (computerName) => void returned.add(computerName),
  };
}

type Sender = ReturnType<ServiceRules['webhookSender']>;
type Events = { accountId: number; data: { state: string; uid: string; printJobId: number } }[];

/** Sends webhooks in another way than the service does. */
export function sending(
  send: (honest: Sender, ...args: Parameters<Sender['send']>) => ReturnType<Sender['send']>,
): Partial<ServiceRules> {
  return {
    webhookSender: (options) => {
      const honest = SERVICE_RULES.webhookSender(options);
      return { send: (target, body) => send(honest, target, body), close: () => honest.close() };
    },
  };
}

/** Changes the events of each request. */
export const events = (change: (events: Events) => unknown): Partial<ServiceRules> =>
  sending((honest, target, body) => honest.send(target, JSON.stringify(change(JSON.parse(body) as Events))));

/** An event like the first, of another state. */
export const withState = (all: Events, state: string): Events => {
  const [first] = all;
  if (!first) return all;
  return [...all, { ...first, data: { ...first.data, state, uid: `${first.data.uid}-${state}` } }];
};

/** Asks the service once more what it was asked, without the idempotency key. */
async function askAgain(url: string, { headers, body }: { headers: readonly string[]; body: Buffer }): Promise<void> {
  const kept = Object.fromEntries(
    headers.flatMap((name, index) =>
      index % 2 === 0 && /^(authorization|content-type)$/i.test(name) ? [[name, headers[index + 1] ?? '']] : [],
    ),
  );
  const answer = await request(url, { method: 'POST', headers: kept, body });
  await answer.body.dump();
}

/** Whom the request was sent to: the proxy itself, which passes it on. */
const hostOf = (headers: readonly string[]): string =>
  headers[headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host') + 1] ?? '';

/** Takes submissions and stores none of those meant. */
export function forgetful(isMeant: () => boolean): Pick<LoadFault, 'rewrite' | 'meddle'> {
  let nextId = 5_000_000;
  return {
    rewrite: ({ method, path }) =>
      SUBMIT.test(`${method} ${path}`) && isMeant() ? { method: 'GET', path: '/noop?forgotten', body: '' } : undefined,
    meddle: ({ method, path, status }) =>
      SUBMIT.test(`${method} ${path}`) && status === 200 ? { status: 201, body: String(nextId++) } : undefined,
  };
}

/** Answers a cancellation with what was to be cancelled, and leaves it alone. */
export const CANCELS_NOTHING: Pick<LoadFault, 'rewrite' | 'meddle'> = {
  rewrite: ({ method, path }) =>
    CANCEL.test(`${method} ${path}`) ? { method: 'GET', path: '/ping', body: '' } : undefined,
  meddle: ({ method, path }) => {
    const id = CANCEL.exec(`${method} ${path}`)?.[1];
    return id === undefined ? undefined : { status: 200, body: `[${id}]` };
  },
};

export function askTwice(isMeant: () => boolean): LoadFault['meddle'] {
  return async ({ method, path, status, request: asked }) => {
    if (!SUBMIT.test(`${method} ${path}`) || status !== 201 || !isMeant()) return undefined;
    await askAgain(`http://${hostOf(asked.headers)}/printjobs`, asked);
    return undefined;
  };
}

/** Stores the submission, and the answer is an error. */
export function failing(isMeant: () => boolean): LoadFault['meddle'] {
  return ({ method, path, status }) =>
    SUBMIT.test(`${method} ${path}`) && status === 201 && isMeant()
      ? { status: 503, body: '{"uid":"x","code":"Unavailable","message":"lost on the way"}' }
      : undefined;
}

export function refusing(isMeant: () => boolean): LoadFault['meddle'] {
  return ({ method, path, status }) =>
    SUBMIT.test(`${method} ${path}`) && status === 201 && isMeant()
      ? { status: 400, body: '{"uid":"x","code":"BadRequest","message":"refused on the way"}' }
      : undefined;
}

export function oneIdForTwo(isMeant: () => boolean): LoadFault['meddle'] {
  let last = '';
  return ({ method, path, status, body }) => {
    if (!SUBMIT.test(`${method} ${path}`) || status !== 201) return undefined;
    if (isMeant()) return { body: last };
    last = body;
    return undefined;
  };
}

export function sparing(
  isMeant: () => boolean,
  instead: () => Promise<void>,
): NonNullable<NonNullable<LoadFault['link']>['onReport']> {
  return (report, pass) => (report.state === 'done' && isMeant() ? instead() : pass());
}

export function now(
  isMeant: () => boolean,
  act: (honest: Sender, ...args: Parameters<Sender['send']>) => ReturnType<Sender['send']>,
): typeof act {
  return (honest, target, body) => (isMeant() ? act(honest, target, body) : honest.send(target, body));
}
