/** Questions about print jobs and their states. */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { leavesOf, placeOf, valueAt } from '../../common/places.ts';
import { ifOffered } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, readHistories, submitMany } from '../context/jobs.ts';
import { expectFound, expectRefusal, expectStatus, type Answer } from '../expect/answer.ts';
import { asRecords } from '../expect/records.ts';
import { untold, type Questions } from './question.ts';

type JobQuestion =
  | 'job-id'
  | 'cancelled-job'
  | 'least-expire-after'
  | 'options-outside-capabilities'
  | 'states-shape'
  | 'states-paging';

/** Values that no printer of a check has, and an option that is not printed. */
const OUTSIDE = { bin: 'No such tray', paper: 'No such paper', copies: 9_999, unheard_of: true };

/** Seconds, up to a day. */
const EXPIRIES_TRIED = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** A number of jobs that wait, their ids ascending. */
async function waitingJobs(context: CheckContext, count: number): Promise<readonly number[]> {
  const { printerId } = await context.computers.away();
  return (await submitMany(context, printerId, count)).toSorted((left, right) => left - right);
}

/** The records of a list that the question builds on. */
function recordsOf({ require }: CheckContext, answer: Answer): readonly JsonObject[] {
  const records = asRecords(answer.value);
  require(expectFound(answer, 'an array of objects', () => records !== undefined));
  return records ?? [];
}

/** `id` first, where several would do. */
function placeOfId(records: readonly JsonObject[], ids: readonly number[]): string | undefined {
  const places = ['id', ...leavesOf(records[0]).map(([place]) => place)];
  return places.find((place) => ids.every((id) => records.some((record) => valueAt(record, place) === id)));
}

/** Jobs of states, in the order in which they are answered. */
async function jobsWithStates(
  context: CheckContext,
  ids: readonly number[],
  query: string,
): Promise<readonly number[]> {
  const answer = await context.api.get(`/printjobs/${ids.join()}/states${query}`);
  return [...(readHistories(answer)?.keys() ?? [])];
}

export const JOB_QUESTIONS: Questions<JobQuestion> = {
  'job-id': {
    gap: 'gap/print-job-record',
    async ask(context) {
      const ids = await waitingJobs(context, 2);
      const answer = await context.api.get(`/printjobs/${ids.join()}`);
      return (
        placeOfId(recordsOf(context, answer), ids) ??
        untold(`nothing in the records of ${answer.request} is what POST answered`)
      );
    },
    words: (place) => `the id of a print job is at ${place}`,
  },
  'cancelled-job': {
    gap: 'gap/cancelled-state',
    async ask(context) {
      const { api, require } = context;
      const [id = 0] = await waitingJobs(context, 1);
      require(expectStatus(await api.delete(`/printjobs/${id}`), 200));
      const shown = await api.get(`/printjobs/${id}`);
      const listed = asRecords(shown.value)?.some((record) => placeOf(record, id) !== undefined) ?? false;
      const told = await ifOffered(api.get(`/printjobs/${id}/states`));
      const states = told && readHistories(told)?.get(id);
      const state = states?.at(-1)?.name;
      return { listed: shown.status === 200 && listed, state: typeof state === 'string' ? state : null };
    },
    words: ({ listed, state }) =>
      `a cancelled job ${listed ? 'stays in lists' : 'is in no list'}, ${state === null ? 'without states' : `in state ${state}`}`,
  },
  'least-expire-after': {
    gap: 'gap/expire-after-bounds',
    async ask({ api, computers, require }) {
      const { printerId } = await computers.away();
      for (const expireAfter of EXPIRIES_TRIED) {
        const answer = await api.post('/printjobs', jobBody(printerId, { expireAfter }));
        if (expectRefusal(answer) === undefined) continue;
        require(expectStatus(answer, 201));
        return expireAfter;
      }
      return untold('every expireAfter up to a day was refused');
    },
    words: (seconds) => `an expireAfter of ${seconds} s is taken, and a shorter one may be refused`,
  },
  'options-outside-capabilities': {
    gap: 'gap/options-outside-capabilities',
    async ask({ api, computers, require }) {
      const { printerId } = await computers.away();
      const answer = await api.post('/printjobs', jobBody(printerId, { options: OUTSIDE }));
      if (expectRefusal(answer) === undefined) return 'refused';
      require(expectStatus(answer, 201));
      return 'taken';
    },
    words: (answer) => `a job with options outside the capabilities of its printer is ${answer}`,
  },
  'states-shape': {
    gap: 'gap/print-job-states-shape',
    async ask(context) {
      const ids = await waitingJobs(context, 2);
      const answer = await context.api.get(`/printjobs/${ids.join()}/states`);
      if (readHistories(answer)?.size !== ids.length) return untold(`${answer.request} cannot be read`);
      if (!Array.isArray(answer.value)) return 'object-by-id';
      return answer.value.every(isObject) ? 'flat-array' : 'array-of-arrays';
    },
    words: (shape) => `states of several jobs are an ${shape.replaceAll('-', ' ')}`,
  },
  'states-paging': {
    gap: 'gap/print-job-states-paging',
    async ask(context) {
      const ids = await waitingJobs(context, 3);
      const [first = 0, second = 0] = ids;
      const all = await jobsWithStates(context, ids, '');
      if (all.length !== ids.length) return untold('the states of three jobs cannot be read');
      const one = await jobsWithStates(context, ids, '?limit=1');
      const after = await jobsWithStates(context, ids, `?after=${second}&dir=desc`);
      const [ascending, descending] = [
        await jobsWithStates(context, ids, '?dir=asc'),
        await jobsWithStates(context, ids, '?dir=desc'),
      ];
      return {
        limit: one.length === 1,
        after: after.join() === String(first),
        dir: ascending.join() === ids.join() && descending.join() === ids.toReversed().join(),
      };
    },
    words: (works) => {
      const names = Object.entries(works).flatMap(([name, isWorking]) => (isWorking ? [name] : []));
      return `of the page parameters ${names.join(', ') || 'none'} work${names.length === 1 ? 's' : ''} on states of jobs`;
    },
  },
};
