/**
 * The faults that a load must notice, each with the finding that must tell of it.
 */

import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import { TokenBuckets } from '../../src/service/gate/rate-limit.ts';
import { SERVICE_RULES } from '../../src/service/service-rules.ts';
import { submissions } from '../support/load-scenario.ts';
import {
  CANCELS_NOTHING,
  OFTEN,
  againAfterReconnect,
  another,
  askTwice,
  changed,
  events,
  failing,
  forgetful,
  forgettingTheFirst,
  isPdf,
  now,
  oneIdForTwo,
  otherId,
  refusing,
  sending,
  sometimes,
  sparing,
  withState,
} from './fault-builders.ts';
import { each, type LoadFault } from './fault.ts';

const STORM: Partial<LoadScenario> = {
  chaos: [{ what: 'reconnect-storm', atMs: 1_000, share: 1, forMs: 100, withinMs: 100 }],
};
const POWER_CUT: LoadScenario['chaos'] = [{ what: 'power-cut', atMs: 200, share: 1, forMs: 1_500, withinMs: 100 }];
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

const CANCELLING: LoadScenario['streams'][number] = {
  ...submissions('cancellations', 0, 20, 1_000),
  startMs: 500,
  operations: [{ name: 'cancel', weight: 1, document: 0, copies: [1, 1], qty: [1, 1], expireAfterSeconds: null }],
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
    scenario: { chaos: POWER_CUT },
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
    rules: { idempotencyKeys: () => ({ claim: () => true }) },
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
    name: 'adds an option that the caller did not give',
    caughtAs: 'ledger wrong-options',
    link: changed(({ options }) => ({ options: { ...options, rotate: 180 } })),
  },

  { name: 'drops the title', caughtAs: 'ledger lost-title', link: changed(() => ({ title: '' })) },
  {
    name: 'cuts the title',
    caughtAs: 'ledger lost-title',
    link: changed(({ title }) => ({ title: title.slice(0, 9) })),
  },

  // Given up, and printed all the same
  {
    name: 'prints after it cancelled',
    caughtAs: 'ledger after-cancel',
    ...CANCELS_NOTHING,
    scenario: { streams: [submitted, CANCELLING], chaos: POWER_CUT },
  },
  {
    name: 'delivers after it said expired',
    caughtAs: 'ledger after-expiry',
    rules: events((all) => (all[0]?.data.state === 'new' ? withState(all, 'expired') : all)),
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
    rules: sending(now(each(OFTEN), () => Promise.resolve('success' as const))),
  },
  {
    name: 'leaves an event out of a request',
    caughtAs: 'webhooks lost',
    rules: events((all) => (all.length > 1 ? all.slice(1) : all)),
  },
  {
    name: 'gives an event up after one failure',
    caughtAs: 'webhooks lost',
    rules: { mayTryAgain: () => false },
    scenario: ONE_FAILURE,
  },
  {
    name: 'retries a webhook twice',
    caughtAs: 'webhooks too-often',
    rules: { mayTryAgain: (attempts) => attempts <= 2 },
    scenario: FAILING,
  },
  {
    name: 'sends a webhook again that was taken',
    caughtAs: 'webhooks too-often',
    rules: sending(
      now(each(OFTEN), async (honest, target, body) => {
        await honest.send(target, body);
        return honest.send(target, body);
      }),
    ),
  },
  {
    name: 'reports done before it is',
    caughtAs: 'webhooks early',
    rules: events((all) => {
      const others = all.filter(({ data }) => data.state !== 'done');
      return others[0]?.data.state === 'new' ? withState(others, 'done') : others;
    }),
    scenario: { chaos: POWER_CUT },
  },
  {
    name: 'sends a wrong secret',
    caughtAs: 'webhooks wrong-secret',
    rules: sending(now(each(OFTEN), (honest, target, body) => honest.send({ ...target, secret: 'another' }, body))),
  },
  {
    name: 'publishes a state that is not stable',
    caughtAs: 'webhooks unstable-state',
    rules: events((all) => withState(all, 'queued_to_print')),
  },
  {
    name: 'tells one account of the jobs of another',
    caughtAs: 'webhooks wrong-account',
    rules: events((all) => all.map((event) => ({ ...event, accountId: event.accountId + 1 }))),
  },
  {
    name: 'sends one event where an array belongs',
    caughtAs: 'webhooks unreadable',
    rules: sending(now(each(OFTEN), (honest, target, body) => honest.send(target, body.slice(1, -1)))),
  },
  {
    name: 'counts events that never were',
    caughtAs: 'counter receivedEvents',
    rules: {
      decayingCounts: {
        ...SERVICE_RULES.decayingCounts,
        add: (count, happenings, nowMs) =>
          SERVICE_RULES.decayingCounts.add(count, happenings + Number(happenings === 1 && nowMs % 7 === 0), nowMs),
      },
    },
  },

  // Limits
  {
    name: 'counts the request rate for each key instead of each account',
    caughtAs: 'threshold labels.ok <= 75',
    limits: 'spec',
    // Two keys take turns: each has a bucket of its own.
    rules: {
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
