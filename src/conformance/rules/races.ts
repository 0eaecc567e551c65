/**
 * Checks of races: what several callers ask for at the same time. Recorded first, judged afterwards; a
 * request without an answer may have happened.
 */

import { ofList } from '../../oracle/mismatch.ts';
import { ONCE, places, register } from '../../oracle/race-models.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import {
  expectBody,
  expectStatus,
  expectSuccess,
  textsIn,
  type Answer,
  idsIn,
  expectFound,
  expectRecords,
} from '../expect/answer.ts';
import type { Attempt } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { idempotencyKey, newIdempotencyKey, jobBody, submit, submitMany, namesIfShown } from '../context/jobs.ts';
import { listWebhooks, newWebhookFields } from '../context/webhook-settings.ts';
import { expectThat } from '../expect/that.ts';
import { acceptance, expectOrder, operationOf } from '../context/race.ts';
import { tagPath } from '../context/account-paths.ts';
import { TAG_BODIES, postTag } from '../context/keys-and-tags.ts';

const AT_ONCE = 5;
/** Each race is run a few times: the first may be won in order by chance. */
const ROUNDS = { virtual: 4, real: 2 } as const;

const roundsOf = ({ target }: CheckContext): number => (target.timekeeper.isVirtual ? ROUNDS.virtual : ROUNDS.real);

/** After a pause none of the requests has to wait for its turn. */
const beforeTheStart = ({ elapse }: CheckContext): Promise<void> => elapse('3s');

/** The number of records of a list that the check builds on. */
const countIn =
  ({ require }: CheckContext) =>
  (answer: Answer): { readonly count: number } => {
    const { value } = answer;
    require(expectFound(answer, 'an array', Array.isArray));
    return { count: Array.isArray(value) ? value.length : 0 };
  };

const described = (_: unknown, output: { readonly accepted: boolean } | { readonly count: number }): string => {
  if ('count' in output) return `${output.count} listed`;
  return output.accepted ? 'accepted' : 'refused';
};

/** The ids that an answer has; undefined when none came. */
function affectedBy({ require }: CheckContext, { answer }: Attempt): readonly unknown[] | undefined {
  if (!answer) return undefined;
  require(expectStatus(answer, 200), expectBody(answer, 'an array of ids', Array.isArray));
  return answer.value as readonly unknown[];
}

/** All pages of a list, newest first, while something else goes on. */
async function walk({ api, require }: CheckContext, path: string): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let pages = 0; pages < 50; pages++) {
    const last = seen.at(-1);
    const answer = await api.get(`${path}?limit=2&dir=desc${last === undefined ? '' : `&after=${last}`}`);
    require(expectStatus(answer, 200), expectRecords(answer));
    const ids = idsIn(answer) ?? [];
    if (ids.length === 0) return seen;
    for (const id of ids) seen.push(id);
  }
  return seen;
}

/** Writes of one tag at the same time, and reads of it after them. */
async function writeAtOnce(context: CheckContext, path: string, values: readonly string[]) {
  const body = TAG_BODIES[await context.speak('tag-body')];
  const written = await Promise.all(
    values.map((value) => context.api.attempt({ method: 'POST', path, ...body(value) })),
  );
  const reads: Attempt[] = [];
  for (let count = 0; count < 2; count++) reads.push(await context.api.attempt({ method: 'GET', path }));
  return [
    ...written.flatMap((attempt, index) => {
      // What was refused has not happened.
      if (attempt.answer && !acceptance(attempt.answer).accepted) return [];
      const input = { kind: 'write', value: values[index] ?? '' } as const;
      return [operationOf(input, attempt, () => 'written' as const)];
    }),
    ...reads.map((attempt) =>
      operationOf({ kind: 'read' } as const, attempt, ({ value }) => {
        const texts = textsIn(value);
        return { value: values.find((one) => texts.includes(one)) };
      }),
    ),
  ];
}

export const RACE_RULES: Rules = {
  'races/idempotency-key': {
    title: 'Exactly one of several simultaneous submissions with one key is accepted, and creates one job',
    needs: ['computer'],
    async run(context) {
      for (let round = 0; round < roundsOf(context); round++) {
        const { printerId } = await context.computers.away();
        const headers = idempotencyKey(newIdempotencyKey(context));
        await beforeTheStart(context);
        const request = { method: 'POST', path: '/printjobs', json: jobBody(printerId), headers };
        const uses = await Promise.all(Array.from({ length: AT_ONCE }, () => context.api.attempt(request)));
        const list = await context.api.attempt({ method: 'GET', path: `/printers/${printerId}/printjobs` });
        const history = [
          ...uses.map((attempt) => operationOf({ kind: 'use' } as const, attempt, acceptance)),
          operationOf({ kind: 'count' } as const, list, countIn(context)),
        ];
        const mismatch = expectOrder(ONCE, history, {
          at: `${AT_ONCE} submissions with one key, and the list of jobs after them`,
          expected: 'one accepted, the others refused, one job',
          tell: described,
        });
        if (!context.judge('print-jobs/idempotency-in-parallel', mismatch)) return;
      }
    },
  },
  'races/webhook-limit': {
    title: 'An account with four webhooks refuses one of two that are created simultaneously',
    locks: ['account'],
    async run(context) {
      const { api } = context;
      const most = LIMITS.webhooksPerAccount.value;
      const others = (await listWebhooks(context)).map(({ webhookId }) => webhookId);
      if (others.length >= most) throw new CheckEnded('inconclusive', 'the account has no webhook left to make');
      for (let round = 0; round < roundsOf(context); round++) {
        for (let count = (await listWebhooks(context)).length; count < most - 1; count++) {
          context.require(expectSuccess(await api.post('/webhook', newWebhookFields(context))));
        }
        await beforeTheStart(context);
        const takes = await Promise.all(
          [1, 2].map(() => api.attempt({ method: 'POST', path: '/webhook', json: newWebhookFields(context) })),
        );
        const list = await api.attempt({ method: 'GET', path: '/webhooks' });
        const history = [
          ...takes.map((attempt) => operationOf('take' as const, attempt, acceptance)),
          operationOf('count' as const, list, countIn(context)),
        ];
        const mismatch = expectOrder(places(most, most - 1), history, {
          at: `two creations next to ${most - 1} webhooks, and the list after them`,
          expected: `one accepted, one refused, ${most} webhooks`,
          tell: described,
        });
        if (!context.judge('limits/webhooks-sixth-refused', mismatch)) return;
        const ours = (await listWebhooks(context)).filter(({ webhookId }) => !others.includes(webhookId));
        for (const { webhookId } of ours.slice(0, 2)) await api.delete(`/webhook/${String(webhookId)}`);
      }
    },
  },
  'races/cancel-delivery': {
    title: 'A job cancelled while its computer reconnects is either cancelled or delivered, never both',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      for (let round = 0; round < roundsOf(context); round++) {
        const computer = await context.computers.away();
        const jobs = await submitMany(context, computer.printerId, 3);
        await beforeTheStart(context);
        const path = `/printjobs/${jobs.join(',')}`;
        const [attempt] = await Promise.all([context.api.attempt({ method: 'DELETE', path }), computer.connect()]);
        // A job after them all: once it is there, the others were sent or never will be.
        await computer.waitForJob(await submit(context, jobBody(computer.printerId)));
        const cancelled = affectedBy(context, attempt);
        const delivered = computer.deliveries.map(({ jobId }) => jobId);
        for (const job of jobs) {
          const names = await namesIfShown(context, job);
          const wasSent = delivered.includes(job) || names.includes('sent_to_client');
          // Without an answer it may have happened to whatever was not sent.
          const isCancelled = cancelled ? cancelled.includes(job) : !wasSent;
          const at = `job ${job}, cancelled while its computer came back`;
          const both = `cancelled and sent, with the states ${names.join(', ')}`;
          const never = expectThat(!(isCancelled && wasSent), at, 'cancelled, and never sent', both);
          const neither = expectThat(
            isCancelled || wasSent,
            at,
            'sent, since it was not among the cancelled',
            'neither cancelled nor sent',
          );
          judge('print-jobs/cancelled-not-delivered', never, neither);
          judge('print-jobs/delete-delivered-not-cancelled', never);
        }
      }
    },
  },
  'races/paging': {
    title: 'A caller that walks down the pages while others submit sees every older record exactly once',
    needs: ['computer'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const older = await submitMany(context, printerId, 6);
      await beforeTheStart(context);
      const path = `/printers/${printerId}/printjobs`;
      const [seen] = await Promise.all([walk(context, path), submitMany(context, printerId, 6)]);
      const lived = seen.filter((id) => older.includes(id));
      const repeated = seen.filter((id, index) => seen.indexOf(id) !== index);
      const at = `pages of ${path} joined, while others submitted`;
      context.judge(
        'service/pages-stable-under-inserts',
        ofList(expectThat(repeated.length === 0, at, 'no record twice', seen)),
        ofList(
          expectThat(lived.join() === older.toReversed().join(), at, `each of ${older.toReversed().join(', ')}`, seen),
        ),
      );
    },
  },
  'races/tag-writes': {
    title: 'After simultaneous writes of one tag, every read returns the same one of their values',
    async run(context) {
      const name = `check-${context.naming.hex(18)}`;
      const path = tagPath(name);
      context.removeLater(path);
      const first = context.uniqueText('first');
      context.require(expectSuccess(await postTag(context, name, first)));
      await beforeTheStart(context);
      const values = [first, ...[1, 2, 3].map((which) => context.uniqueText(`value-${which}`))];
      const history = await writeAtOnce(context, path, values);
      const mismatch = expectOrder(register(first), history, {
        at: `writes of ${path} at the same time, and two reads after them`,
        expected: 'both reads show the write that was last',
        tell: (input, output) =>
          input.kind === 'write'
            ? `wrote ${input.value}`
            : `read ${typeof output === 'object' ? output.value : output}`,
      });
      context.judge('accounts/tag-update', mismatch);
    },
  },
};
