/**
 * The faults that a load must notice, each with the finding that must tell of it.
 */

import { request } from 'undici';

import type { DeliveredJob } from '../../src/link/device-link.ts';
import type { LoadScenario } from '../../src/load/load-scenario.ts';
import { TokenBuckets } from '../../src/service/gate/rate-limit.ts';
import { SERVICE_PARTS, type ServiceParts } from '../../src/service/service-parts.ts';
import { each, type LoadFault } from './fault.ts';
import type { Outlet } from './meddled-link.ts';
import { submissions } from './run-fault.ts';

const SUBMIT = /^POST \/printjobs$/;
const CANCEL = /^DELETE \/printjobs\/(\d+)$/;
const OFTEN = 20;

const STORM: Partial<LoadScenario> = {
  disasters: [{ what: 'reconnect-storm', atMs: 1_000, share: 1, forMs: 100, withinMs: 100 }],
};
const POWER_CUT: LoadScenario['disasters'] = [
  { what: 'power-cut', atMs: 200, share: 1, forMs: 1_500, withinMs: 100 },
];
const FAILING: Partial<LoadScenario> = {
  webhooks: { receiver: { answers: 'error', delayMs: 0 }, outage: null },
  streams: [submissions('labels', 1, 40, 500)],
  drainMs: 12_000,
};
const ONE_FAILURE: Partial<LoadScenario> = {
  webhooks: {
    receiver: { answers: 'ok', delayMs: 0 },
    outage: { atMs: 0, forMs: 1_000, receiver: { answers: 'error', delayMs: 0 } },
  },
  drainMs: 12_000,
};

/** Only now and then: the rest passes as it should. */
function sometimes(
  act: (job: DeliveredJob, outlet: Outlet, all: readonly Outlet[]) => Promise<void>,
  isMeant = each(OFTEN),
): LoadFault['link'] {
  return {
    onJob: (job, outlet, all) => (isMeant() ? act(job, outlet, all) : outlet.deliver(job)),
  };
}

const changed = (change: (job: DeliveredJob) => Partial<DeliveredJob>): LoadFault['link'] =>
  sometimes((job, outlet) => outlet.deliver({ ...job, ...change(job) }));

/** The service's ids end far below. */
const otherId = (jobId: number): number => jobId + 1_000_000;

const isPdf = ({ contentType }: DeliveredJob): boolean => contentType.startsWith('pdf');

/** Another computer that fits, or the same one where there is none. */
function another(outlet: Outlet, all: readonly Outlet[], fits: (one: Outlet) => boolean): Outlet {
  return all.find((one) => one.computerName !== outlet.computerName && fits(one)) ?? outlet;
}

/** What was delivered, again, under ids that the computer does not know; or under the old ones. */
function againAfterReconnect(idOf: (jobId: number) => number): LoadFault['link'] {
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
function forgettingTheFirst(): LoadFault['link'] {
  const returned = new Set<string>();
  return {
    onJob: (job, outlet) => (returned.delete(outlet.computerName) ? Promise.resolve() : outlet.deliver(job)),
    onReturn: (computerName) => void returned.add(computerName),
  };
}

type Sender = ReturnType<ServiceParts['webhookSender']>;
type Events = { accountId: number; data: { state: string; uid: string; printJobId: number } }[];

/** Sends webhooks otherwise than the service does. */
function sending(
  send: (honest: Sender, ...args: Parameters<Sender['send']>) => ReturnType<Sender['send']>,
): Partial<ServiceParts> {
  return {
    webhookSender: (options) => {
      const honest = SERVICE_PARTS.webhookSender(options);
      return { send: (target, body) => send(honest, target, body), close: () => honest.close() };
    },
  };
}

/** Changes the events of each request. */
const events = (change: (events: Events) => unknown): Partial<ServiceParts> =>
  sending((honest, target, body) => honest.send(target, JSON.stringify(change(JSON.parse(body) as Events))));

/** An event like the first, of another state. */
const withState = (all: Events, state: string): Events => {
  const [first] = all;
  if (!first) return all;
  return [...all, { ...first, data: { ...first.data, state, uid: `${first.data.uid}-${state}` } }];
};

/** Asks the service once more what it was asked, without the idempotency key. */
async function askAgain(
  url: string,
  { headers, body }: { headers: readonly string[]; body: Buffer },
): Promise<void> {
  const kept = Object.fromEntries(
    headers.flatMap((name, index) =>
      index % 2 === 0 && /^(authorization|content-type)$/i.test(name)
        ? [[name, headers[index + 1] ?? '']]
        : [],
    ),
  );
  const answer = await request(url, { method: 'POST', headers: kept, body });
  await answer.body.dump();
}

/** Whom the request was sent to: the proxy itself, which passes it on. */
const hostOf = (headers: readonly string[]): string =>
  headers[headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host') + 1] ?? '';

/** Takes submissions and stores none of those meant. */
function forgetful(isMeant: () => boolean): Pick<LoadFault, 'rewrite' | 'meddle'> {
  let nextId = 5_000_000;
  return {
    rewrite: ({ method, path }) =>
      SUBMIT.test(`${method} ${path}`) && isMeant()
        ? { method: 'GET', path: '/ping?forgotten', body: '' }
        : undefined,
    meddle: ({ method, path, status }) =>
      SUBMIT.test(`${method} ${path}`) && status === 200
        ? { status: 201, body: String(nextId++) }
        : undefined,
  };
}

/** Answers a cancellation with what was to be cancelled, and leaves it alone. */
const CANCELS_NOTHING: Pick<LoadFault, 'rewrite' | 'meddle'> = {
  rewrite: ({ method, path }) =>
    CANCEL.test(`${method} ${path}`) ? { method: 'GET', path: '/ping', body: '' } : undefined,
  meddle: ({ method, path }) => {
    const id = CANCEL.exec(`${method} ${path}`)?.[1];
    return id === undefined ? undefined : { status: 200, body: `[${id}]` };
  },
};

const CANCELLING: LoadScenario['streams'][number] = {
  ...submissions('cancellations', 0, 20, 1_000),
  startMs: 500,
  operations: [
    { name: 'cancel', weight: 1, document: 0, copies: [1, 1], qty: [1, 1], expireAfterSeconds: null },
  ],
};

const submitted = submissions('labels', 1, 40, 1_200);

export const LOAD_FAULTS: readonly LoadFault[] = [
  // Jobs lost
  {
    name: 'loses one job in 10,000',
    caughtAs: 'ledger lost',
    ...forgetful(each(10_000)),
    scenario: {
      streams: [submissions('labels', 1, 500, 21_000)],
      webhooks: null,
      caps: { requests: 1_000_000, connections: 100, inFlight: 20_000 },
    },
  },
  { name: 'takes a submission and stores nothing', caughtAs: 'ledger lost', ...forgetful(each(OFTEN)) },
  {
    name: 'counts a job as delivered that it never sent',
    caughtAs: 'ledger lost',
    link: sometimes(() => Promise.resolve()),
  },
  {
    name: 'forgets a job that waits when its computer comes back',
    caughtAs: 'ledger lost',
    link: forgettingTheFirst(),
    scenario: { disasters: POWER_CUT },
  },

  // Jobs doubled
  {
    name: 'delivers a job twice, under two ids',
    caughtAs: 'ledger duplicated',
    link: sometimes(async (job, outlet) => {
      await outlet.deliver(job);
      await outlet.deliver({ ...job, jobId: otherId(job.jobId) });
    }),
  },
  {
    name: 'delivers again after a reconnect, as new',
    caughtAs: 'ledger duplicated',
    link: againAfterReconnect(otherId),
    scenario: STORM,
  },
  {
    name: 'delivers again after a reconnect what was acknowledged',
    caughtAs: 'ledger duplicated',
    link: againAfterReconnect((jobId) => jobId),
    forgetful: true,
    scenario: STORM,
  },
  {
    name: 'stores a submission twice',
    caughtAs: 'ledger duplicated',
    meddle: askTwice(each(OFTEN)),
  },
  {
    name: 'forgets idempotency keys when an answer is lost',
    caughtAs: 'ledger duplicated',
    parts: { idempotencyKeys: () => ({ claim: () => true }) },
    meddle: failing(each(OFTEN)),
  },
  {
    name: 'gives two submissions one id',
    caughtAs: 'ledger clashes',
    meddle: oneIdForTwo(each(OFTEN)),
  },

  // Jobs astray
  {
    name: 'delivers to another printer of the computer',
    caughtAs: 'ledger wrong-printer',
    link: changed(({ printerKey }) => ({
      printerKey: printerKey === 'printer-1' ? 'printer-2' : 'printer-1',
    })),
  },
  {
    name: 'delivers to another computer of the account',
    caughtAs: 'ledger wrong-printer',
    link: sometimes((job, outlet, all) => another(outlet, all, ({ key }) => key === outlet.key).deliver(job)),
  },
  {
    name: 'delivers to a printer that is not there',
    caughtAs: 'ledger wrong-printer',
    link: changed(() => ({ printerKey: 'printer-9' })),
  },
  {
    name: 'delivers to a computer of another account',
    caughtAs: 'ledger wrong-account',
    link: sometimes((job, outlet, all) => another(outlet, all, ({ key }) => key !== outlet.key).deliver(job)),
  },

  // Paper
  {
    name: 'alters a byte of the document',
    caughtAs: 'ledger wrong-bytes',
    link: changed(({ content }) => ({
      content: Buffer.concat([Buffer.from(content, 'base64'), Buffer.from('\n')]).toString('base64'),
    })),
  },
  {
    name: 'delivers the document of another job',
    caughtAs: 'ledger wrong-bytes',
    link: changed(() => ({
      contentType: 'raw_base64',
      content: Buffer.from('^XA^FDAnother^FS^XZ').toString('base64'),
    })),
  },
  {
    name: 'asks for a copy more',
    caughtAs: 'ledger wrong-copies',
    link: sometimes((job, outlet) =>
      outlet.deliver(
        isPdf(job)
          ? { ...job, options: { ...job.options, copies: Number(job.options['copies'] ?? 1) + 1 }, qty: 1 }
          : { ...job, qty: 1 },
      ),
    ),
  },
  {
    name: 'ignores qty',
    caughtAs: 'ledger wrong-copies',
    link: { onJob: (job, outlet) => outlet.deliver({ ...job, qty: 1 }) },
  },
  {
    name: 'drops the option copies',
    caughtAs: 'ledger wrong-copies',
    link: { onJob: (job, outlet) => outlet.deliver({ ...job, options: {} }) },
  },
  {
    name: 'adds an option that nobody asked for',
    caughtAs: 'ledger wrong-options',
    link: changed(({ options }) => ({ options: { ...options, rotate: 180 } })),
  },

  // Given up, and printed all the same
  {
    name: 'prints after it cancelled',
    caughtAs: 'ledger after-cancel',
    ...CANCELS_NOTHING,
    scenario: { streams: [submitted, CANCELLING], disasters: POWER_CUT },
  },
  {
    name: 'delivers after it said expired',
    caughtAs: 'ledger after-expiry',
    parts: events((all) => (all[0]?.data.state === 'new' ? withState(all, 'expired') : all)),
  },
  {
    name: 'refuses a submission and prints it',
    caughtAs: 'ledger after-refusal',
    meddle: refusing(each(OFTEN)),
  },

  // States
  {
    name: 'never acknowledges a report',
    caughtAs: 'ledger unreported',
    link: { onReport: sparing(each(OFTEN), () => new Promise(() => undefined)) },
  },
  {
    name: 'acknowledges done and stores nothing',
    caughtAs: 'webhooks lost',
    link: { onReport: sparing(each(OFTEN), () => Promise.resolve()) },
  },

  // Webhooks
  {
    name: 'loses a webhook request',
    caughtAs: 'webhooks lost',
    parts: sending(now(each(OFTEN), () => Promise.resolve('success' as const))),
  },
  {
    name: 'leaves an event out of a request',
    caughtAs: 'webhooks lost',
    parts: events((all) => (all.length > 1 ? all.slice(1) : all)),
  },
  {
    name: 'gives an event up after one failure',
    caughtAs: 'webhooks lost',
    parts: { mayTryAgain: () => false },
    scenario: ONE_FAILURE,
  },
  {
    name: 'retries a webhook twice',
    caughtAs: 'webhooks too-often',
    parts: { mayTryAgain: (attempts) => attempts <= 2 },
    scenario: FAILING,
  },
  {
    name: 'sends a webhook again that was taken',
    caughtAs: 'webhooks too-often',
    parts: sending(
      now(each(OFTEN), async (honest, target, body) => {
        await honest.send(target, body);
        return honest.send(target, body);
      }),
    ),
  },
  {
    name: 'tells of done before it is',
    caughtAs: 'webhooks early',
    parts: events((all) => {
      const others = all.filter(({ data }) => data.state !== 'done');
      return others[0]?.data.state === 'new' ? withState(others, 'done') : others;
    }),
    scenario: { disasters: POWER_CUT },
  },
  {
    name: 'sends a wrong secret',
    caughtAs: 'webhooks wrong-secret',
    parts: sending(
      now(each(OFTEN), (honest, target, body) => honest.send({ ...target, secret: 'another' }, body)),
    ),
  },
  {
    name: 'publishes a state that is not stable',
    caughtAs: 'webhooks unstable-state',
    parts: events((all) => withState(all, 'queued_to_print')),
  },
  {
    name: 'tells one account of the jobs of another',
    caughtAs: 'webhooks wrong-account',
    parts: events((all) => all.map((event) => ({ ...event, accountId: event.accountId + 1 }))),
  },
  {
    name: 'sends one event where an array belongs',
    caughtAs: 'webhooks unreadable',
    parts: sending(now(each(OFTEN), (honest, target, body) => honest.send(target, body.slice(1, -1)))),
  },
  {
    name: 'counts events that never were',
    caughtAs: 'counter receivedEvents',
    parts: {
      decayingCounts: {
        ...SERVICE_PARTS.decayingCounts,
        add: (count, happenings, nowMs) =>
          SERVICE_PARTS.decayingCounts.add(
            count,
            happenings + Number(happenings === 1 && nowMs % 7 === 0),
            nowMs,
          ),
      },
    },
  },

  // Limits
  {
    name: 'counts the request rate for each key instead of each account',
    caughtAs: 'threshold labels.ok <= 75',
    limits: 'spec',
    // Two keys take turns: each has a bucket of its own.
    parts: {
      rateLimit: () => {
        const buckets = new TokenBuckets();
        let turn = 0;
        return { take: (key, nowMs) => buckets.take(`${key} ${turn++ % 2}`, nowMs) };
      },
    },
    scenario: {
      accounts: 1,
      streams: [{ ...submissions('labels', 1, 50, 3_000), accounts: { first: 0, last: 0 } }],
      thresholds: ['labels.ok <= 75'],
    },
  },
];

function askTwice(isMeant: () => boolean): LoadFault['meddle'] {
  return async ({ method, path, status, request: asked }) => {
    if (!SUBMIT.test(`${method} ${path}`) || status !== 201 || !isMeant()) return undefined;
    await askAgain(`http://${hostOf(asked.headers)}/printjobs`, asked);
    return undefined;
  };
}

/** Stores the submission, and the answer is an error. */
function failing(isMeant: () => boolean): LoadFault['meddle'] {
  return ({ method, path, status }) =>
    SUBMIT.test(`${method} ${path}`) && status === 201 && isMeant()
      ? { status: 503, body: '{"uid":"x","code":"Unavailable","message":"lost on the way"}' }
      : undefined;
}

function refusing(isMeant: () => boolean): LoadFault['meddle'] {
  return ({ method, path, status }) =>
    SUBMIT.test(`${method} ${path}`) && status === 201 && isMeant()
      ? { status: 400, body: '{"uid":"x","code":"BadRequest","message":"refused on the way"}' }
      : undefined;
}

function oneIdForTwo(isMeant: () => boolean): LoadFault['meddle'] {
  let last = '';
  return ({ method, path, status, body }) => {
    if (!SUBMIT.test(`${method} ${path}`) || status !== 201) return undefined;
    if (isMeant()) return { body: last };
    last = body;
    return undefined;
  };
}

function sparing(
  isMeant: () => boolean,
  instead: () => Promise<void>,
): NonNullable<NonNullable<LoadFault['link']>['onReport']> {
  return (report, pass) => (report.state === 'done' && isMeant() ? instead() : pass());
}

function now(
  isMeant: () => boolean,
  act: (honest: Sender, ...args: Parameters<Sender['send']>) => ReturnType<Sender['send']>,
): typeof act {
  return (honest, target, body) => (isMeant() ? act(honest, target, body) : honest.send(target, body));
}
