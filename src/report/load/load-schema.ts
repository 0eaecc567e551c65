/**
 * Load schema: what may stand in the run.json of a load run. Times are whole microseconds unless the name says
 * otherwise.
 */

import { z } from 'zod';

import type { LoadRecord } from '../../load/load-record.ts';

const count = z.int().min(0);
const us = z.number().min(0);
const share = z.number().min(0);
const texts = z.array(z.string());
const shard = z.int().min(1).max(999_999);

/** What every record says of itself: of run-schema.ts. */
type About = Pick<
  LoadRecord,
  'tool' | 'recordVersion' | 'platenVersion' | 'runId' | 'startedAt' | 'durationMs'
>;

const histogram = z.string().describe('HdrHistogram, compressed (V2), in base64.');

const duration = z.object({
  count,
  meanUs: us,
  p50Us: us,
  p90Us: us,
  p95Us: us,
  p99Us: us,
  p999Us: us,
  maxUs: us,
  histogram,
});

const mismatch = z.object({
  expected: z.string(),
  actual: z.string(),
  at: z.string().describe('Where it was seen.'),
  exchange: count.exactOptional(),
});

const plan = z.object({
  hash: z.string().describe('Of the file and the seed: shards with one hash are of one plan.'),
  seed: z.union([z.number(), z.string()]),
  title: z.string(),
  why: z.string(),
  shards: shard.describe('Shards of the plan; 1 when it ran whole.'),
  present: z.array(shard).min(1).describe('Which of them are in this record, from 1.'),
  thresholds: texts.describe('As written in the scenario; judged on the whole only.'),
  losses: z
    .object({
      declared: z.array(
        z.object({ atMs: z.number().min(0), withinMs: z.number().min(0).nullable(), workers: count }),
      ),
      submissions: z.array(count).describe('Due in each shard, from the first on.'),
    })
    .exactOptional()
    .describe('Of a scenario that declares the loss of workers.'),
});

const stream = z.object({
  name: z.string(),
  counts: z
    .object({
      ok: count,
      limited: count.describe('Answered with 429.'),
      refused: count.describe('Answered with another 3xx or 4xx.'),
      failed: count.describe('Answered with 5xx.'),
      timeout: count.describe('No answer in time.'),
      broken: count.describe('The connection failed.'),
      shed: count.describe('Not sent: too many were under way.'),
    })
    .describe('Requests by what became of them.'),
  response: duration.describe('From the intended start to the end: what a caller waits.'),
  service: duration.describe('From sending to the end: what the service needs.'),
  lateness: duration.describe('From the intended start to the sending: how late the generator was.'),
  statuses: z.record(z.string(), count).describe('Answers by status code.'),
});

const leg = z.object({
  name: z.enum(['submit', 'accept', 'deliver', 'fetch', 'spool', 'paper', 'report', 'webhook', 'whole']),
  duration,
});

const second = z.object({
  second: count.describe('Counted from the start of the run.'),
  arrivals: count,
  ended: count,
  errors: count,
  response: z.object({ p50Us: us, p99Us: us, histogram }),
  latenessP99Us: us,
  jobs: z
    .object({ intended: count, accepted: count, delivered: count, printed: count, reported: count })
    .describe('How far jobs have come at the end of the second.'),
  self: z.object({ cpu: share, rssBytes: us, eventLoopDelayP99Us: us }),
});

const ledgerClass = z.enum([
  'delivered-once',
  'duplicated',
  'lost',
  'wrong-printer',
  'wrong-account',
  'wrong-bytes',
  'wrong-copies',
  'wrong-options',
  'after-cancel',
  'after-expiry',
  'after-refusal',
  'failed-at-printer',
  'expired',
  'cancelled',
  'refused',
  'shed',
  'unknown',
]);

const stamp = z.enum(['sent', 'accepted', 'delivered', 'fetched', 'spooled', 'printed', 'reported']);

const ledger = z.object({
  totals: z.object({
    intents: count,
    classes: z.record(ledgerClass, count).describe('What became of the jobs; they add up to the intents.'),
    unreported: count.describe('Printed, but the service never acknowledged a report of it.'),
    redelivered: count.describe('Given to a computer more than once.'),
    clashes: count.describe('Job ids that two submissions were given.'),
  }),
  samples: z
    .array(
      z.object({
        row: count,
        class: ledgerClass,
        jobId: z.number().nullable(),
        account: count,
        printer: count,
        document: count,
        copies: count,
        copiesPrinted: count,
        deliveries: count,
        intendedUs: us,
        stamps: z.partialRecord(stamp, us).describe('Since the run began; what did not happen is left out.'),
      }),
    )
    .describe('Some of each class that should be empty, and the slowest of those that went well.'),
});

const webhooks = z.object({
  events: count.describe('Owed or come; the classes add up to it.'),
  classes: z.record(
    z.enum(['delivered', 'repeated', 'dropped', 'lost', 'early', 'late', 'too-often', 'wrong-secret']),
    count,
  ),
  strays: z
    .record(z.enum(['again', 'unknown-job', 'unstable-state', 'wrong-account', 'unreadable']), count)
    .describe('What came beside the events that are accounted for.'),
  receipts: z.object({ good: count, failed: count }),
  reconciliation: z
    .array(
      z.object({
        counter: z.enum(['receivedEvents', 'droppedEvents', 'successfulRequests', 'failedRequests']),
        service: z.number(),
        seen: z.number(),
        agrees: z.boolean(),
      }),
    )
    .describe("The service's own counters beside what its receivers saw."),
});

const disaster = z.object({
  what: z.enum(['power-cut', 'reconnect-storm', 'rolling-restart', 'service-killed']),
  atMs: z.number().min(0),
  hit: count.describe('Computers that were hit.'),
  lowestConnected: count,
  mostBacklog: count.describe('Most jobs accepted and not reported meanwhile.'),
  recoveredMs: z
    .number()
    .min(0)
    .nullable()
    .describe('Until all were connected and the backlog as before; null when the run ended first.'),
});

const fairness = z.object({
  jainIndex: share,
  accounts: z.array(z.object({ account: count, asked: count, served: count, meanResponseUs: us })),
});

const worker = z.object({
  shard,
  name: z.string(),
  clockOffsetMs: z.number().nullable(),
  roundTripMs: z.number().nullable(),
  startLateMs: z.number().nullable(),
  finding: z.string().describe('Why its shard is missing; empty when it is not.'),
  lostAtMs: z
    .number()
    .exactOptional()
    .describe('About when its last sign of life came; only of one that was lost.'),
});

const floor = z.object({
  responseP50Us: us,
  responseP99Us: us,
  latenessP99Us: us,
  requestsPerSecond: z.number().min(0),
});

/** @param about - the fields that every record begins with */
export function loadSchema(about: {
  readonly [Key in keyof About]: z.ZodType<About[Key]>;
}): z.ZodType<LoadRecord> {
  return z.object({
    ...about,
    kind: z.literal('load'),
    plan,
    ending: z.enum(['complete', 'interrupted', 'aborted']),
    abortedBy: z.string().nullable().describe('The rule that ended it early.'),
    target: z.object({ name: z.string(), baseUrl: z.string().nullable() }),
    machine: z.object({ cpus: count, node: z.string(), platform: z.string() }),
    streams: z.array(stream),
    legs: z.array(leg).describe("The legs of a job's life that were measured."),
    series: z.array(second).describe('The run, second by second.'),
    ledger: ledger.describe('The account of every job.'),
    webhooks: webhooks.nullable().describe('The account of every event; null without receivers.'),
    disasters: z.array(disaster),
    fairness: fairness.nullable().describe('What each account got of what it asked for.'),
    responses: z.object({
      judged: count,
      broken: z.array(z.object({ clause: z.string(), count, example: mismatch })),
    }),
    settlement: z
      .object({ wereAccepted: count, submittedAgain: count, refused: count, open: count })
      .describe('What became of submissions that had no answer.'),
    leaks: z.object({
      accounts: z.array(z.number()).describe('Ids of accounts that could not be taken away again.'),
    }),
    self: z
      .object({
        lateness: duration,
        cpu: share.describe('Of one core; more than 1 where threads help.'),
        rssBytes: us,
        eventLoopDelayP99Us: us,
        floor: floor.nullable().describe('The same traffic against a service that does nothing.'),
      })
      .describe('The generator itself.'),
    thresholds: z.array(
      z.object({
        text: z.string(),
        measured: z.string().nullable().describe('Null when there was nothing to measure.'),
        kept: z.boolean(),
      }),
    ),
    verdict: z.enum(['pass', 'fail', 'invalid', 'incomplete', 'aborted']),
    reasons: texts.describe('Why the verdict is no pass.'),
    missingShards: z.array(shard).describe('Without those of `losses`.'),
    losses: z
      .array(
        z.object({
          shard,
          name: z.string(),
          atMs: z.number(),
          unknownJobs: count.describe('Due in its shard: nobody can tell what became of them.'),
        }),
      )
      .exactOptional()
      .describe('Workers that were lost as the scenario declares.'),
    summary: z.object({
      exitCode: z.int().min(0).max(255).describe('What the command came to; 130 when it was interrupted.'),
      thresholds: z.object({ total: count, pass: count, fail: count }),
    }),
    workers: z
      .array(worker)
      .exactOptional()
      .describe('Of a run on several machines: who played which shard.'),
  });
}
