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

/** @param caughtAs - the finding that must tell of it */
function fault(caughtAs: string, name: string, how: Omit<LoadFault, 'name' | 'caughtAs'>): LoadFault {
  return { name, caughtAs, ...how };
}

export const LOAD_FAULTS: readonly LoadFault[] = [
  // Jobs lost
  fault('ledger lost', 'loses one job in 10,000', {
    ...forgetful(each(10_000)),
    scenario: {
      streams: [submissions('labels', 1, 500, 21_000)],
      webhooks: null,
      caps: { requests: 1_000_000, connections: 100, inFlight: 20_000 },
    },
  }),
  fault('ledger lost', 'takes a submission and stores nothing', forgetful(each(OFTEN))),
  fault('ledger lost', 'counts a job as delivered that it never sent', {
    link: sometimes(() => Promise.resolve()),
  }),
  fault('ledger lost', 'forgets a job that waits when its computer comes back', {
    link: forgettingTheFirst(),
    scenario: { chaos: POWER_CUT },
  }),

  // Jobs doubled
  fault('ledger duplicated', 'delivers a job twice, under two ids', {
    link: sometimes(async (job, outlet) => {
      await outlet.deliver(job);
      await outlet.deliver({ ...job, jobId: otherId(job.jobId) });
    }),
  }),
  fault('ledger duplicated', 'delivers again after a reconnect, as new', {
    link: againAfterReconnect(otherId),
    scenario: STORM,
  }),
  fault('ledger duplicated', 'delivers again after a reconnect what was acknowledged', {
    link: againAfterReconnect((jobId) => jobId),
    forgetful: true,
    scenario: STORM,
  }),
  fault('ledger duplicated', 'stores a submission twice', {
    meddle: askTwice(each(OFTEN)),
  }),
  fault('ledger duplicated', 'forgets idempotency keys when an answer is lost', {
    rules: { idempotencyKeys: () => ({ claim: () => true }) },
    meddle: failing(each(OFTEN)),
  }),
  fault('ledger clashes', 'gives two submissions one id', {
    meddle: oneIdForTwo(each(OFTEN)),
  }),

  // Jobs astray
  fault('ledger wrong-printer', 'delivers to another printer of the computer', {
    link: changed(({ printerKey }) => ({
      printerKey: printerKey === 'printer-1' ? 'printer-2' : 'printer-1',
    })),
  }),
  fault('ledger wrong-printer', 'delivers to another computer of the account', {
    link: sometimes((job, outlet, all) => another(outlet, all, ({ key }) => key === outlet.key).deliver(job)),
  }),
  fault('ledger wrong-printer', 'delivers to a printer that is not there', {
    link: changed(() => ({ printerKey: 'printer-9' })),
  }),
  fault('ledger wrong-account', 'delivers to a computer of another account', {
    link: sometimes((job, outlet, all) => another(outlet, all, ({ key }) => key !== outlet.key).deliver(job)),
  }),

  // Paper
  fault('ledger wrong-bytes', 'alters a byte of the document', {
    link: changed(({ content }) => ({
      content: Buffer.concat([Buffer.from(content, 'base64'), Buffer.from('\n')]).toString('base64'),
    })),
  }),
  fault('ledger wrong-bytes', 'delivers the document of another job', {
    link: changed(() => ({
      contentType: 'raw_base64',
      content: Buffer.from('^XA^FDAnother^FS^XZ').toString('base64'),
    })),
  }),
  fault('ledger wrong-copies', 'asks for a copy more', {
    link: sometimes((job, outlet) =>
      outlet.deliver(
        isPdf(job)
          ? { ...job, options: { ...job.options, copies: Number(job.options['copies'] ?? 1) + 1 }, qty: 1 }
          : { ...job, qty: 1 },
      ),
    ),
  }),
  fault('ledger wrong-copies', 'ignores qty', {
    link: { onJob: (job, outlet) => outlet.deliver({ ...job, qty: 1 }) },
  }),
  fault('ledger wrong-copies', 'drops the option copies', {
    link: { onJob: (job, outlet) => outlet.deliver({ ...job, options: {} }) },
  }),
  fault('ledger wrong-options', 'adds an option that the caller did not give', {
    link: changed(({ options }) => ({ options: { ...options, rotate: 180 } })),
  }),

  fault('ledger lost-title', 'drops the title', { link: changed(() => ({ title: '' })) }),
  fault('ledger lost-title', 'cuts the title', {
    link: changed(({ title }) => ({ title: title.slice(0, 9) })),
  }),

  // Given up, and printed all the same
  fault('ledger after-cancel', 'prints after it cancelled', {
    ...CANCELS_NOTHING,
    scenario: { streams: [submitted, CANCELLING], chaos: POWER_CUT },
  }),
  fault('ledger after-expiry', 'delivers after it said expired', {
    rules: events((all) => (all[0]?.data.state === 'new' ? withState(all, 'expired') : all)),
  }),
  fault('ledger after-refusal', 'refuses a submission and prints it', {
    meddle: refusing(each(OFTEN)),
  }),

  // States
  fault('ledger unreported', 'never acknowledges a report', {
    link: { onReport: sparing(each(OFTEN), () => new Promise(() => undefined)) },
  }),
  fault('webhooks lost', 'acknowledges done and stores nothing', {
    link: { onReport: sparing(each(OFTEN), () => Promise.resolve()) },
  }),

  // Webhooks
  fault('webhooks lost', 'loses a webhook request', {
    rules: sending(now(each(OFTEN), () => Promise.resolve('success' as const))),
  }),
  fault('webhooks lost', 'leaves an event out of a request', {
    rules: events((all) => (all.length > 1 ? all.slice(1) : all)),
  }),
  fault('webhooks lost', 'gives an event up after one failure', {
    rules: { mayTryAgain: () => false },
    scenario: ONE_FAILURE,
  }),
  fault('webhooks too-often', 'retries a webhook twice', {
    rules: { mayTryAgain: (attempts) => attempts <= 2 },
    scenario: FAILING,
  }),
  fault('webhooks too-often', 'sends a webhook again that was taken', {
    rules: sending(
      now(each(OFTEN), async (honest, target, body) => {
        await honest.send(target, body);
        return honest.send(target, body);
      }),
    ),
  }),
  fault('webhooks early', 'reports done before it is', {
    rules: events((all) => {
      const others = all.filter(({ data }) => data.state !== 'done');
      return others[0]?.data.state === 'new' ? withState(others, 'done') : others;
    }),
    scenario: { chaos: POWER_CUT },
  }),
  fault('webhooks wrong-secret', 'sends a wrong secret', {
    rules: sending(now(each(OFTEN), (honest, target, body) => honest.send({ ...target, secret: 'another' }, body))),
  }),
  fault('webhooks unstable-state', 'publishes a state that is not stable', {
    rules: events((all) => withState(all, 'queued_to_print')),
  }),
  fault('webhooks wrong-account', 'tells one account of the jobs of another', {
    rules: events((all) => all.map((event) => ({ ...event, accountId: event.accountId + 1 }))),
  }),
  fault('webhooks unreadable', 'sends one event where an array belongs', {
    rules: sending(now(each(OFTEN), (honest, target, body) => honest.send(target, body.slice(1, -1)))),
  }),
  fault('counter receivedEvents', 'counts events that never were', {
    rules: {
      decayingCounts: {
        ...SERVICE_RULES.decayingCounts,
        add: (count, happenings, nowMs) =>
          SERVICE_RULES.decayingCounts.add(count, happenings + Number(happenings === 1 && nowMs % 7 === 0), nowMs),
      },
    },
  }),

  // Limits
  fault('threshold labels.ok <= 75', 'counts the request rate for each key instead of each account', {
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
  }),
];
