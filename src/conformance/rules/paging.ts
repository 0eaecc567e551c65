/**
 * Checks of pages: limit, after, dir, and pages joined. They look at the jobs of a printer of their own,
 * where the whole collection is known.
 */

import * as fc from 'fast-check';

import { showValue } from '../../common/json-value.ts';
import { ofList, type Mismatch } from '../../oracle/mismatch.ts';
import { LIST_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, submit, submitMany } from '../context/jobs.ts';
import { expectHeader, expectIdArray, expectIds, expectRecords, expectStatus, idsIn } from '../expect/answer.ts';
import { expectEqual, expectEvery, expectThat, firstOf } from '../expect/that.ts';
import { isBehind, pageOf, pageParameters, pageQuery, type PageInput } from '../generate/page-parameters.ts';

interface Collection {
  readonly path: string;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** The jobs of a printer that has no others. */
async function jobCollection(
  context: CheckContext,
  count: number,
): Promise<Collection & { readonly printerId: number }> {
  const { printerId } = await context.computers.away();
  const ids = await submitMany(context, printerId, count);
  const path = `/printers/${printerId}/printjobs`;
  await idsAt(context, path);
  return { printerId, path, ids: ids.toSorted((a, b) => a - b) };
}

/** The ids of a list that the check builds on. */
async function idsAt({ api, require }: CheckContext, path: string): Promise<readonly number[]> {
  const answer = await api.get(path);
  require(expectStatus(answer, 200), expectRecords(answer));
  return idsIn(answer) ?? [];
}

async function expectPage(
  context: CheckContext,
  { path, ids }: Collection,
  page: PageInput,
): Promise<Mismatch | undefined> {
  const answer = await context.api.get(path + pageQuery(page));
  return firstOf(expectStatus(answer, 200), expectIds(answer, pageOf(ids, page)));
}

/** A walk never needs more pages than this. */
const MOST_PAGES = 50;
/** More than ten pages, of which the last one is not full. */
const LIMIT_OF_MANY_PAGES = 9;

/** All ids seen by going from page to page until one is empty. */
async function walk(
  context: CheckContext,
  path: string,
  { limit, dir }: { readonly limit: number; readonly dir: 'asc' | 'desc' },
  betweenPages?: () => Promise<unknown>,
): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const ids = await idsAt(context, path + pageQuery({ limit, dir, after: seen.at(-1) }));
    for (const id of ids) seen.push(id);
    if (ids.length === 0) break;
    await betweenPages?.();
  }
  return seen;
}

export const PAGING_RULES: Rules = {
  'paging/any-page': {
    title: 'A page holds at most `limit` records after `after`, in the order of `dir`',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const collection = await jobCollection(context, 6);
      const inputs = pageParameters(collection.ids, await context.speak('after-unlisted'));
      const judgeIds = (expectation: (ids: readonly number[], page: PageInput, at: string) => Mismatch | undefined) =>
        context.property({
          inputs,
          judge: async (page) => {
            const answer = await context.api.get(collection.path + pageQuery(page));
            const ids = idsIn(answer) ?? [];
            return firstOf(
              expectStatus(answer, 200),
              expectRecords(answer),
              ofList(expectation(ids, page, `body of ${answer.request}`)),
            );
          },
        });
      judge(
        'service/page-limit',
        await judgeIds((ids, { limit = LIMITS.pageSize.value }, at) =>
          expectThat(ids.length <= limit, at, `at most ${limit} records`, ids.length),
        ),
      );
      judge(
        'service/page-dir',
        await judgeIds((ids, { dir = 'desc' }, at) =>
          ofList(
            expectThat(showValue(ids) === showValue(pageOf(ids, { dir })), at, `ids in order ${dir}`, ids),
            'order',
          ),
        ),
      );
      judge(
        'service/page-after',
        await judgeIds((ids, { after, dir = 'desc' }, at) =>
          expectEvery(at, ids, (id) => isBehind(id, after, dir), `only ids after ${after}, ${dir}`),
        ),
      );
      // A path with a set restricts the common list to what is known here.
      const bySet = { path: `/printjobs/${collection.ids.join(',')}`, ids: collection.ids };
      await idsAt(context, bySet.path);
      for (const each of [collection, bySet]) {
        const pages = { inputs, judge: (page: PageInput) => expectPage(context, each, page) };
        judge('print-jobs/paginated', await context.property(pages));
      }
    },
  },
  'paging/limit-edges': {
    title: 'A limit of one returns one record, and a limit equal to the total returns all',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const collection = await jobCollection(context, 3);
      judge('service/page-limit-one', await expectPage(context, collection, { limit: 1 }));
      judge('service/page-limit', await expectPage(context, collection, { limit: 3 }));
    },
  },
  'paging/after-edges': {
    title: 'after excludes its id in both directions, may be empty at the start, and needs no record of that id',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const collection = await jobCollection(context, 4);
      const [lowest = 0, second = 0, third = 0, highest = 0] = collection.ids;
      const page = (input: PageInput): Promise<Mismatch | undefined> => expectPage(context, collection, input);
      judge('service/page-after-desc', await page({ dir: 'desc', after: third }));
      judge('service/page-after-asc', await page({ dir: 'asc', after: second }));
      judge('service/page-after-empty-desc', await page({ dir: 'desc', after: null }));
      judge('service/page-after-empty-asc', await page({ dir: 'asc', after: null }));
      judge('service/page-after-last', await page({ dir: 'desc', after: lowest }));
      // Where a service refuses such an id, there is nothing to judge of its place.
      const isTaken = (await context.speak('after-unlisted')) === 'taken';
      const beyond = { dir: 'desc', after: highest + 1_000_000 } as const;
      judge('service/page-after-missing-record', isTaken ? await page(beyond) : undefined);
    },
  },
  'paging/pages-joined': {
    title: 'All pages together have every record of the list once, whatever the page size',
    needs: ['computer'],
    async run(context) {
      const { path, ids } = await jobCollection(context, 7);
      const mismatch = await context.property({
        inputs: fc.record({ limit: fc.integer({ min: 1, max: 8 }), dir: fc.constantFrom('asc', 'desc') }),
        judge: async (input) => {
          const seen = await walk(context, path, input);
          const expected = pageOf(ids, { dir: input.dir });
          return ofList(expectEqual(`pages of ${path} joined`, seen, expected));
        },
      });
      context.judge('service/pages-complete', mismatch);
    },
  },
  'paging/inserts': {
    title: 'Records created while a caller walks down the pages neither repeat nor hide older ones',
    needs: ['computer'],
    async run(context) {
      const computer = await context.computers.away();
      const older = await submitMany(context, computer.printerId, 5);
      const path = `/printers/${computer.printerId}/printjobs`;
      const seen = await walk(context, path, { limit: 2, dir: 'desc' }, () =>
        submit(context, jobBody(computer.printerId)),
      );
      const start = showValue(older.toReversed());
      const wanted = `the jobs there were at the start, ${start}`;
      const mismatch = ofList(expectThat(showValue(seen) === start, `pages of ${path} joined`, wanted, seen));
      context.judge('service/pages-stable-under-inserts', mismatch);
    },
  },
  'paging/odd-parameters': {
    title: 'No invalid or repeated limit, dir or after causes a 5xx, nor does a broken escape',
    async run({ api, judge }) {
      const expectNo5xx = async (path: string): Promise<Mismatch | undefined> => {
        const { status, request } = await api.get(path);
        return expectThat(status < 500, `status of ${request}`, 'no 5xx', status);
      };
      const queries = [
        ...['0', '-1', '1.5', 'ten', '99999999999999999999', ''].map((limit) => `limit=${limit}`),
        ...['up', '', 'ASC'].map((dir) => `dir=${dir}`),
        ...['x', '-5', '1.5', '0'].map((after) => `after=${after}`),
        // An array in place of a string, and a broken escape.
        'limit=5&limit=6',
        'after=1&after=2',
        'dir=asc&dir=desc',
        'limit[a]=1',
        'after[]=1',
        'dir=%E0%A4%A',
      ];
      for (const list of ['/computers', '/printers', '/printjobs']) {
        for (const query of queries) judge('service/no-5xx-on-bad-input', await expectNo5xx(`${list}?${query}`));
      }
      for (const path of ['/computers/%E0%A4%A', '/computers/%', '/printjobs/%zz/states', '/account/tag/%E0%A4%A']) {
        judge('service/no-5xx-on-bad-input', await expectNo5xx(path));
      }
    },
  },
  'paging/totals': {
    title: 'Records-Total counts all matching records, whatever the page',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const { printerId, path, ids } = await jobCollection(context, 5);
      const expectTotal = async (at: string, total: number): Promise<Mismatch | undefined> => {
        const answer = await context.api.get(at);
        context.require(expectHeader(answer, LIST_HEADERS.total.name));
        const isTotal = (value: string): boolean => Number(value) === total;
        return expectHeader(answer, LIST_HEADERS.total.name, String(total), isTotal);
      };
      judge('service/records-total-is-matching', await expectTotal(path, 5));
      const pages = await context.property({
        inputs: pageParameters(ids, await context.speak('after-unlisted')),
        judge: (page) => expectTotal(path + pageQuery(page), 5),
      });
      judge('service/records-total-is-matching', pages);
      const some = ids.slice(1, 4);
      judge('service/records-total-of-set', await expectTotal(`/printjobs/${some.join(',')}`, 3));
      const bySet = { path: `/printjobs/${some.join(',')}`, ids: some };
      const page = { limit: 1, dir: 'asc', after: some[0] } as const;
      judge('service/page-in-sets', await expectPage(context, bySet, page));
      await submit(context, jobBody(printerId));
      judge('service/records-total-is-matching', await expectTotal(path, 6));
    },
  },
  'paging/default-size': {
    title: 'Without a limit a list shows the newest 100 of 101 records; its pages show all, and one set cancels all',
    needs: ['computer', 'many-jobs'],
    async run(context) {
      const { judge } = context;
      const size = LIMITS.pageSize.value;
      const { path, ids } = await jobCollection(context, size + 1);
      for (const list of [path, `/printjobs/${ids.join(',')}`, `${path}/${ids.join(',')}`]) {
        const answer = await context.api.get(list);
        context.require(expectStatus(answer, 200), expectRecords(answer));
        const count = idsIn(answer)?.length ?? 0;
        const at = `number of records of ${answer.request}`;
        judge('limits/page-size-default', expectThat(count <= size, at, `at most ${size}`, count));
        judge('limits/page-size-default-full', expectEqual(at, count, size));
        const newest = ids.toReversed().slice(0, count);
        judge('limits/page-size-default-newest', expectIds(answer, newest));
      }
      const { most } = await context.speak('greatest-limit');
      const above = await context.api.get(`${path}?limit=${Math.min(most, size + 1)}`);
      judge('limits/page-size-above-default', expectIds(above, ids.toReversed().slice(0, most)));
      const hundred = ids.slice(0, size);
      const bySet = await context.api.get(`/printjobs/${hundred.join(',')}`);
      judge('print-jobs/list-set', expectIds(bySet, hundred.toReversed()));
      const seen = await walk(context, path, { limit: LIMIT_OF_MANY_PAGES, dir: 'asc' });
      judge('service/pages-complete', ofList(expectEqual(`pages of ${path} joined`, seen, ids)));
      const deleted = await context.api.delete(`/printjobs/${ids.join(',')}`);
      judge('print-jobs/delete-set', expectStatus(deleted, 200), expectIdArray(deleted, ids));
    },
  },
};
