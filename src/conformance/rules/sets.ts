/** Checks of sets of ids in paths. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { LIST_HEADERS } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import { expectHeader, expectIds, expectRecords, expectStatus, type Answer, idsIn } from '../expect/answer.ts';
import type { CheckContext } from '../context/context.ts';
import { submitMany } from '../context/jobs.ts';
import { expectKnownIds, UNKNOWN_ID } from '../context/unknown-ids.ts';
import { expectThat, firstOf } from '../expect/that.ts';
import { distinct, idSets } from '../generate/id-sets.ts';

/** A path of them is shorter than the 8 kB that many servers take at most. */
const MANY_IDS = 600;

async function someJobs(context: CheckContext, count: number): Promise<readonly number[]> {
  const computer = await context.computers.away();
  return submitMany(context, computer.printerId, count);
}

/** The list of one job, which checks of sets build on. */
async function listOfOne({ api, require }: CheckContext, id: number): Promise<Answer> {
  const answer = await api.get(`/printjobs/${id}`);
  require(expectStatus(answer, 200), expectRecords(answer));
  return answer;
}

function expectTotal({ require }: CheckContext, answer: Answer, count: number): Mismatch | undefined {
  for (const { name } of [LIST_HEADERS.total, LIST_HEADERS.returned]) require(expectHeader(answer, name));
  const isCount = (value: string): boolean => Number(value) === count;
  return firstOf(
    expectHeader(answer, LIST_HEADERS.total.name, String(count), isCount),
    expectHeader(answer, LIST_HEADERS.returned.name, String(count), isCount),
  );
}

export const SET_RULES: Rules = {
  'sets/any-set': {
    title: 'A set may name ids in any order and repeat them: each record comes once',
    needs: ['printer'],
    async run(context) {
      const { judge } = context;
      const ids = await someJobs(context, 5);
      await listOfOne(context, ids[0] ?? 0);
      const judgeIds = (expected: string, holds: (shown: readonly number[], written: readonly number[]) => boolean) =>
        context.property({
          inputs: idSets(ids),
          judge: async ({ written }) => {
            const answer = await context.api.get(`/printjobs/${written.join(',')}`);
            const shown = idsIn(answer) ?? [];
            const at = `body of ${answer.request}`;
            return expectRecords(answer) ?? expectThat(holds(shown, written), at, expected, shown);
          },
        });
      judge(
        'service/set-restricts',
        await judgeIds('only what the set names', (shown, written) => shown.every((id) => written.includes(id))),
      );
      judge(
        'service/set-order-irrelevant',
        await judgeIds('all that the set names', (shown, written) => written.every((id) => shown.includes(id))),
      );
      judge(
        'service/set-repeats-once',
        await judgeIds('each record once', (shown) => distinct(shown).length === shown.length),
      );
      const totals = await context.property({
        inputs: idSets(ids),
        judge: async ({ written }) => {
          const answer = await context.api.get(`/printjobs/${written.join(',')}`);
          return expectTotal(context, answer, distinct(written).length);
        },
      });
      judge('service/set-repeats-once-in-totals', totals);
      const [first = 0, last = 0] = [ids[0], ids.at(-1)];
      const unknown = Array.from({ length: MANY_IDS }, (_, index) => UNKNOWN_ID - index);
      const ofMany = await context.api.get(`/printjobs/${[first, ...unknown, last].join()}`);
      judge('service/set-comma-separated', expectKnownIds(ofMany, [last, first]));
    },
  },
  'sets/simple': {
    title: 'A set is one id, or several separated by commas, percent-encoded or not',
    needs: ['printer'],
    async run(context) {
      const { judge } = context;
      const [first = 0, second = 0, third = 0] = await someJobs(context, 3);
      const list = (path: string): Promise<Answer> => context.api.get(`/printjobs/${path}`);
      judge('service/set-comma-separated', expectIds(await listOfOne(context, first), [first]));
      judge('service/set-comma-separated', expectIds(await list(`${first},${third}`), [third, first]));
      const all = [third, second, first];
      judge('service/set-encoded-comma', expectIds(await list(`${first}%2C${second}%2c${third}`), all));
      judge(
        'service/set-repeats-once-in-totals',
        expectIds(await list(`${second},${second},${first}?limit=2`), [second, first]),
      );
    },
  },
};
