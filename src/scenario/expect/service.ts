/**
 * service: everything that the service did and answered, judged by all that the specification says over time.
 *
 *   history of the scenario ─► a last look at everything ─► judges of the account
 */

import { z } from 'zod';

import { parseJson } from '../../common/json-value.ts';
import { judgeAccount } from '../../oracle/account/judge-account.ts';
import type { Observation, SeenWebhookRequest } from '../../oracle/account/observation.ts';
import type { Level } from '../../specification/clause.ts';
import { deliveryBy } from '../../sink/reply-plan.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';
import type { GivenDialect } from '../../targets/dialect.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import type { Expectation } from './expectation.ts';

const LEVELS: Readonly<Record<'sound' | 'strict', readonly Level[]>> = {
  sound: ['must'],
  strict: ['must', 'should'],
};

export const service: z.ZodType<Expectation> = z
  .enum(['sound', 'strict'])
  .describe(
    'Everything that the service answered, delivered and sent in this scenario keeps the specification: `sound` as far as it states something, `strict` also where it recommends it.',
  )
  .transform((strictness): Expectation => ({
    names: [],
    judge: (setup) => judgeService(setup, LEVELS[strictness]),
  }));

/** What the reference service answers where the specification is silent. Others are asked, or declare it. */
export const REFERENCE_DIALECT = {
  'api-key-body': 'none',
  'job-id': 'id',
  'message-types': { 'computer state': 'computer state', 'print job state': 'print job state' },
  'tag-body': 'json-string',
  'simulated-reading': {},
} as const satisfies GivenDialect;

async function judgeService(setup: Setup, levels: readonly Level[]): Promise<readonly Break[]> {
  const judge = (history: readonly Observation[]): readonly Break[] => breaksIn(history, setup, levels);
  const history = await historyOf(setup);
  const breaks = judge(history);
  if (setup.time.isVirtual) return breaks;
  const seen = new Set(judge(history.filter(({ kind }) => kind !== 'quiet')).map(({ at }) => at));
  return breaks.map((one) => ({ ...one, isSeen: seen.has(one.at) }));
}

function breaksIn(history: readonly Observation[], setup: Setup, levels: readonly Level[]): readonly Break[] {
  const { excuses, time, target, child } = setup;
  const dialect = target.kind === 'embedded' ? REFERENCE_DIALECT : (target.dialect ?? {});
  const isReference = dialect === REFERENCE_DIALECT;
  // What connects there is not seen.
  const hasOtherComputers = target.link?.program !== undefined || (setup.isUnseen && target.usePrinter !== undefined);
  const { broken } = judgeAccount({
    history,
    circumstances: {
      isLinkDisturbed: excuses.has('link') || setup.isUnseen || hasOtherComputers,
      isHttpDisturbed: excuses.has('http'),
      isWhole: (child !== undefined || isFresh(target)) && !hasOtherComputers,
      ownAccount: target.isDisposable === true ? undefined : child && String(child.id),
      isReference,
      // A clock that a hook moves is followed from here, not shared; and others need not be as quick.
      isVirtual: isReference && time.isVirtual && time.moved === undefined,
      clockErrorMs: time.moved?.errorMs ?? 0,
      isMoved: time.moved !== undefined,
      dialect,
    },
    levels,
  });
  return broken.map(({ clause, at, expected, actual, jobId }) => ({
    clause,
    at: `${clause}: ${at}`,
    expected,
    actual,
    jobs: jobId === undefined ? [] : setup.namesOfJob(jobId),
  }));
}

/** Made for the scenario. One that was started for a run has in its account what the scenarios before have left. */
function isFresh({ kind, isDisposable }: Setup['target']): boolean {
  return kind === 'embedded' && isDisposable === true;
}

/** All that was seen in a scenario, and one more look at all that the account has. */
export async function historyOf(setup: Setup): Promise<readonly Observation[]> {
  const { recorder, sinks, time } = setup;
  if (!time.isVirtual) await setup.rest();
  await lookAtEverything(setup);
  await setup.comeToRest();
  const { url, deliveries } = await sinks.webhookRequests();
  const history = [...recorder.history, ...deliveries.map((one) => asSeen(one, url))];
  // In real time nothing says that all is over. What is still to come has until the last of the judgements to do so.
  return time.isVirtual ? history : [...history, { kind: 'quiet', atMs: recorder.nowMs() }];
}

const PAGE = 3;

/** Reads whatever can be read; the judges compare it with what happened. */
async function lookAtEverything(setup: Setup): Promise<void> {
  const look = (path: string): Promise<unknown> => setup.api.lookFor(path);
  for (const path of ['/whoami', '/computers', '/printers', '/printjobs', '/printjobs/states', '/webhooks']) {
    await look(path);
  }
  const newest = Math.max(...[...setup.jobs.values()].flat().map(({ id }) => id));
  if (newest > 0) {
    await look(`/printjobs?limit=${PAGE}&after=${newest}`);
    await look(`/printjobs?limit=${PAGE}&dir=asc`);
  }
  const computers = setup.cast.computerIds();
  if (computers.length > 0) await look(`/computers/${computers.join(',')}/printers`);
  await look('/account/state');
  for (const { scales, name } of setup.isUnseen ? [] : setup.room.computers) {
    if (scales.length > 0) await look(`/computer/${setup.cast.computerId(setup.computer(name))}/scales`);
  }
}

function asSeen(delivery: WebhookDelivery, url: string): SeenWebhookRequest {
  const { arrivedAtMs, path, query, secret, events, reply, rawHeaders, body } = delivery;
  return {
    kind: 'webhook',
    atMs: arrivedAtMs,
    url: url + path + (query && `?${query}`),
    secret,
    values: [...rawHeaders.map(([, value]) => value), ...stringsIn(parseJson(body.bytes))],
    events: events.ok ? events.value : undefined,
    answer: answerOf(delivery),
    endedMs: reply.endedAtMs ?? Infinity,
  };
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function answerOf({ reply: { chosen, ended } }: WebhookDelivery): SeenWebhookRequest['answer'] {
  const answer = chosen ? deliveryBy(chosen) : 'unsure';
  return answer === 'good' && ended === 'peer-gone' ? 'bad' : answer;
}
