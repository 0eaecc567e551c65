/** Checks of DELETE on print jobs. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Rules } from '../check.ts';
import { requireActsFor } from '../context/account-view.ts';
import type { ApiClient } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { plainPrinter, type ComputerOwner, type ConnectedComputer } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { newKey } from '../context/keys-and-tags.ts';
import {
  jobBody,
  submit,
  submitExpiring,
  submitMany,
  namesIfShown,
  readHistories,
  stateNames,
} from '../context/jobs.ts';
import { expectIdArray, expectStatus, expectRefusal } from '../expect/answer.ts';
import { expectEmpty, expectEqual, expectExcludes, expectIncludes, expectThat, firstOf } from '../expect/that.ts';
import { expectKnownAffected, UNKNOWN_ID } from '../context/unknown-ids.ts';
import { stateOnceAway } from '../context/once-away.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';

/** A state that a client reports of a job that it has and has not printed yet. */
const UNDER_WAY = 'received';

/** Cancels by a path and expects 200 with exactly these ids. */
async function expectCancelled(
  context: CheckContext,
  path: string,
  ids: readonly number[],
): Promise<Mismatch | undefined> {
  const answer = await context.api.delete(path);
  return firstOf(expectStatus(answer, 200), expectIdArray(answer, ids));
}

/** Whether jobs are still to be delivered: their computer comes back and gets exactly them. */
async function expectStillDelivered(
  context: CheckContext,
  computer: ConnectedComputer,
  ids: readonly number[],
): Promise<Mismatch | undefined> {
  await computer.connect();
  const marker = await submit(context, jobBody(computer.printerId));
  await computer.waitForJob(marker);
  const got = computer.deliveries.map((job) => job.jobId).filter((id) => id !== marker);
  const at = `jobs delivered to computer ${computer.computerId} when it came back`;
  return expectThat(got.join() === ids.join(), at, `[${ids.join(', ')}]`, got);
}

/** Expects that a computer that came back got these, whatever else it got. */
function expectLeft({ deliveries, computerId }: ConnectedComputer, ids: readonly number[]): Mismatch | undefined {
  const got = deliveries.map(({ jobId }) => jobId);
  const isLeft = ids.every((id) => got.includes(id));
  return expectThat(isLeft, `jobs delivered to computer ${computerId}`, `${ids.join(', ')} among them`, got);
}

/** An account in which everything may be cancelled: that of the run, if it was made for it, or else a Child. */
async function accountToEmpty(
  context: CheckContext,
): Promise<{ readonly api: ApiClient; readonly owner: ComputerOwner | 'account' }> {
  const { target, children, callAs } = context;
  if (target.isDisposable === true) return { api: context.api, owner: 'account' };
  if (target.isIntegrator !== true) {
    throw new CheckEnded('untestable', 'would cancel every job of the account, also those of others');
  }
  const child = await children.create();
  const apiKey = await newKey(context, child.api, 'own');
  const api = callAs(apiKey);
  await requireActsFor(context, api, child.id);
  return { api, owner: { ...child, apiKey } };
}

/** Time enough to cancel one of two, also where a request has to wait for the rate. */
const EXPIRES_AFTER_S = 8;

export const CANCELLING_RULES: Rules = {
  'cancelling/set': {
    title: 'DELETE /printjobs/{set} cancels the waiting jobs of the set and no others, and answers with their ids',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.away();
      const [first = 0, second = 0, third = 0, fourth = 0] = await submitMany(context, computer.printerId, 4);
      const mismatch = await expectCancelled(context, `/printjobs/${first},${third}`, [first, third]);
      judge('print-jobs/delete-set', mismatch);
      judge('print-jobs/delete-200-ids', mismatch);
      // One that is gone altogether is an id that does not exist.
      const { listed } = await context.speak('cancelled-job');
      const again = await context.api.delete(`/printjobs/${first}`);
      const nothing = expectStatus(again, 200) ?? expectIdArray(again, []);
      judge('print-jobs/delete-nothing', listed ? nothing : expectKnownAffected(again, []));
      const set = listed ? `${first},${fourth}` : fourth;
      judge('print-jobs/delete-set', await expectCancelled(context, `/printjobs/${set}`, [fourth]));
      const delivered = await expectStillDelivered(context, computer, [second]);
      judge('print-jobs/cancelled-not-delivered', delivered);
      judge('print-jobs/delete-leaves-others', expectLeft(computer, [second]));
    },
  },
  'cancelling/of-printers': {
    title: 'DELETE under a printer set cancels the jobs of those printers only',
    needs: ['computer'],
    async run(context) {
      const printers = ['one', 'two', 'three'].map((key) => plainPrinter({ key, name: `Printer ${key}` }));
      const [here, there] = [await context.computers.away({ printers }), await context.computers.away()];
      const ofHere = [...here.printerIds, here.printerId];
      for (const [at, printerId] of ofHere.entries()) ofHere[at] = await submit(context, jobBody(printerId));
      const [elsewhere = 0, both = 0] = await submitMany(context, there.printerId, 2);
      const { judge } = context;
      const nobodys = await context.api.delete(`/printers/${UNKNOWN_ID}/printjobs`);
      judge('print-jobs/delete-of-printers', expectKnownAffected(nobodys, []));
      // Names two printers and three jobs: one of each printer, and one of neither.
      const third = here.printerIds[2] ?? 0;
      const path = `/printers/${there.printerId},${third}/printjobs`;
      const ours = [both, await submit(context, jobBody(third))];
      const mixed = await context.api.delete(`${path}/${[ofHere[0], ...ours].join(',')}`);
      judge('print-jobs/delete-set-of-printers', expectKnownAffected(mixed, ours));
      if (expectRefusal(mixed) === undefined) {
        judge('print-jobs/delete-set-of-printers', await expectCancelled(context, `${path}/${ours.join(',')}`, ours));
      }
      judge(
        'print-jobs/delete-of-printers',
        await expectCancelled(context, `/printers/${here.printerIds.join(',')}/printjobs`, ofHere),
      );
      // What was answered has happened too, and nothing else has.
      judge('print-jobs/delete-of-printers', await expectStillDelivered(context, here, []));
      const left = await expectStillDelivered(context, there, [elsewhere]);
      judge('print-jobs/delete-set-of-printers', left);
      judge('print-jobs/delete-leaves-others', expectLeft(there, [elsewhere]));
    },
  },
  'cancelling/delivered': {
    title: 'No path cancels a job that is delivered or done, even in a set with waiting jobs',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.connect();
      const [delivered = 0, printing = 0, failed = 0, completed = 0] = await submitMany(context, computer.printerId, 4);
      const arrived = await computer.waitForJob(completed);
      if (!arrived) throw new CheckEnded('blocked', `job ${completed} was not delivered`);
      if (!context.target.link?.program) {
        await computer.report(printing, UNDER_WAY);
        await computer.report(failed, 'error');
      }
      await computer.report(completed, 'done');
      await context.elapse(0);
      await computer.disconnect();
      await stateOnceAway(context, computer.computerId);
      const waiting = await submit(context, jobBody(computer.printerId));
      const set = [delivered, printing, failed, completed, waiting].join(',');
      const ofPrinter = `/printers/${computer.printerId}/printjobs`;
      for (const path of [`/printjobs/${set}`, `${ofPrinter}/${set}`, ofPrinter]) {
        const answer = await context.api.delete(path);
        const at = `body of ${answer.request}`;
        const ids: readonly unknown[] = Array.isArray(answer.value) ? answer.value : [];
        // Refused as a whole, it has cancelled neither. What the first path has cancelled may be known no longer.
        if (expectRefusal(answer) !== undefined && path.startsWith('/printjobs')) {
          context.require(expectStatus(answer, 200));
          context.require(expectThat(ids.includes(waiting), at, `${waiting} among the ids`, answer.value));
        }
        judge(
          'print-jobs/delete-delivered-not-cancelled',
          expectThat(!ids.includes(delivered), at, `ids without ${delivered}, which was delivered`, ids),
          expectThat(!ids.includes(printing), at, `ids without ${printing}, which its client has got`, ids),
        );
        judge(
          'print-jobs/delete-completed-not-cancelled',
          expectThat(!ids.includes(completed), at, `ids without ${completed}, which is done`, ids),
          expectThat(!ids.includes(failed), at, `ids without ${failed}, which has failed`, ids),
        );
      }
    },
  },
  'cancelling/never-expires': {
    title: 'A cancelled job does not expire',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const { seconds, cancelled, expired } = await submitExpiring(context, EXPIRES_AFTER_S, async (expireAfter) => ({
        seconds: expireAfter,
        cancelled: await submit(context, jobBody(printerId, { expireAfter })),
        expired: await submit(context, jobBody(printerId, { expireAfter })),
      }));
      context.require(await expectCancelled(context, `/printjobs/${cancelled}`, [cancelled]));
      await context.elapse(`${seconds + lateMs(TOLERANCES.expiryLate, context.target) / 1_000 + 1}s`);
      const control = await stateNames(context, expired);
      judge('print-jobs/body-expire-after', expectIncludes(`states of job ${expired}`, control, 'expired'));
      const names = await namesIfShown(context, cancelled);
      const shown = readHistories(await context.api.get(`/printjobs/${cancelled}/states`))?.get(cancelled) ?? [];
      const versions = shown.map(({ object }) => object['clientVersion']).filter((version) => version !== null);
      judge('states/client-version-null', expectEmpty(`clientVersions of the cancelled job ${cancelled}`, versions));
      const at = `states of job ${cancelled}`;
      judge('print-jobs/cancelled-does-not-expire', expectExcludes(at, names, 'expired'));
      const late = await context.api.delete(`/printjobs/${expired}`);
      const isAmong = Array.isArray(late.value) && late.value.includes(expired);
      context.observe('gap/expired-cancelled', `DELETE: ${late.status}${isAmong ? ', among the ids' : ''}`);
    },
  },
  'cancelling/all': {
    title: 'DELETE /printjobs without a set cancels every waiting job of the account, beyond one page',
    needs: ['computer', 'many-jobs'],
    locks: ['account'],
    async run(context) {
      const { judge, computers } = context;
      const { api, owner } = await accountToEmpty(context);
      const own = { ...context, api };
      const computer = await computers.away({ owner });
      await api.delete('/printjobs');
      const ids = await submitMany(own, computer.printerId, 101);
      const answer = await api.delete('/printjobs');
      const affected: readonly unknown[] = Array.isArray(answer.value) ? answer.value : [];
      const areThere = ids.slice(-50).every((id) => affected.includes(id));
      const at = `number of ids in the body of ${answer.request}`;
      judge(
        'print-jobs/delete-all',
        expectStatus(answer, 200) ??
          expectThat(areThere, `body of ${answer.request}`, 'the newest jobs among the ids', affected),
      );
      judge('print-jobs/delete-all-beyond-a-page', expectEqual(at, affected.length, ids.length));
      const left = await expectStillDelivered(own, computer, []);
      judge('print-jobs/delete-all', left);
      judge('print-jobs/delete-all-beyond-a-page', left);
    },
  },
};
