/**
 * Pages of every list, bare, nested and by sets: `limit`, `after` and `dir` are judged on the three newest records of
 * each kind. Where time costs nothing the check makes more of each kind than a page has by default, and asks without a
 * limit too.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { LIST_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { CheckContext } from '../context/context.ts';
import { plainPrinter, type ConnectedComputer } from '../context/computers.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { expectHeaderValue, expectIds, expectStatus, idsIn, type Answer } from '../expect/answer.ts';
import { expectThat } from '../expect/that.ts';
import { atEndpoint, firstReason, type MatrixRules } from './matrix-rule.ts';
import { pathOf, type Values } from './sound-request.ts';

/** The ids of the three newest records of a kind, ascending. */
type Three = readonly [number, number, number];

/** All ids that the check has made of a kind. */
type Made = Readonly<Record<'computers' | 'printers' | 'print jobs', readonly number[]>>;

const MORE_THAN_A_PAGE = LIMITS.pageSize.value + 1;

interface Page {
  readonly clause: ClauseId;
  readonly query: (ids: Three) => string;
  readonly expected: (ids: Three) => readonly number[];
}

const PAGES: readonly Page[] = [
  { clause: 'service/page-limit', query: () => 'limit=2', expected: ([, second, third]) => [third, second] },
  { clause: 'service/page-dir-default', query: () => 'limit=3', expected: (ids) => ids.toReversed() },
  { clause: 'service/page-dir-desc', query: () => 'dir=desc&limit=3', expected: (ids) => ids.toReversed() },
  {
    clause: 'service/page-dir-asc',
    query: ([first]) => `dir=asc&limit=2&after=${first}`,
    expected: ([, second, third]) => [second, third],
  },
  {
    clause: 'service/page-after',
    query: ([, , third]) => `limit=1&after=${third}`,
    expected: ([, second]) => [second],
  },
  {
    clause: 'service/page-after-desc',
    query: ([, , third]) => `dir=desc&limit=2&after=${third}`,
    expected: ([first, second]) => [second, first],
  },
  {
    clause: 'service/page-after-asc',
    query: ([, second]) => `dir=asc&after=${second}`,
    expected: ([, , third]) => [third],
  },
  { clause: 'service/page-after-last', query: ([, , third]) => `dir=asc&after=${third}`, expected: () => [] },
];

export const LIST_PAGE_RULES: MatrixRules = {
  'matrix/list-pages': {
    columns: ['limit, after and dir'],
    title: 'Every list, bare, nested or by sets, takes limit, after and dir',
    needs: ['computer'],
    locks: ['account'],
    whyNot: ({ method, paginated }) =>
      firstReason(
        [method !== 'GET', 'is not a list'],
        [!paginated, 'is not printed as paginated; for states that is gap/print-job-states-paging'],
      ),
    judge: judgePages,
  },
};

async function judgePages(context: CheckContext, endpoints: readonly Endpoint[]): Promise<void> {
  const { api, judge } = context;
  const records = await makeRecords(context);
  const values: Values = {
    computer_set: records.computers.join(),
    printer_set: records.printers.join(),
    print_job_set: records['print jobs'].join(),
  };
  for (const endpoint of endpoints) {
    const newest = records[endpoint.returns as keyof Made].toSorted((left, right) => right - left);
    const ids = lowestFirst(newest);
    for (const { clause, query, expected } of PAGES) {
      const answer = await api.get(`${pathOf(endpoint, values)}?${query(ids)}`);
      judge(clause, atEndpoint(endpoint, query(ids), expectPage(answer, expected(ids))));
    }
    const page = await api.get(pathOf(endpoint, values));
    if (endpoint.path.includes('{')) {
      judge('service/records-total-of-set', atEndpoint(endpoint, 'without a limit', expectTotal(page, newest.length)));
    }
    const most = LIMITS.pageSize.value;
    if (newest.length <= most) continue;
    const count = idsIn(page)?.length ?? 0;
    const bounded = expectThat(count <= most, `number of records of ${page.request}`, `at most ${most}`, count);
    judge('service/page-limit', atEndpoint(endpoint, 'without a limit', bounded));
    const ordered = expectPage(page, newest.slice(0, count || most));
    judge('service/page-dir-default', atEndpoint(endpoint, 'without a limit', ordered));
  }
}

/**
 * Computers with a printer each, of which one gets another when all are there, and jobs for each of them in turn: the
 * order of ids is never that of what the records belong to.
 */
async function makeRecords(context: CheckContext): Promise<Made> {
  const count = context.target.timekeeper.isVirtual ? MORE_THAN_A_PAGE : 3;
  // Where records have the ids of jobs may have to be asked, with jobs that would stand between these.
  const { printerId: asked } = await context.computers.away();
  await context.api.get(`/printjobs/${await submit(context, jobBody(asked))}`);
  const computers: ConnectedComputer[] = [];
  while (computers.length < count) computers.push(await context.computers.connect());
  const printers = [...computers.map(({ printerId }) => printerId), ...(await printerMore(context, computers[1]))];
  const jobs: number[] = [];
  for (const printerId of printers.slice(-count).toReversed()) jobs.push(await submit(context, jobBody(printerId)));
  return { computers: computers.map(({ computerId }) => computerId), printers, 'print jobs': jobs };
}

/** The id of a printer that the computer reports beside its first; none where a client program does the reporting. */
async function printerMore(context: CheckContext, computer: ConnectedComputer | undefined): Promise<readonly number[]> {
  if (!computer || context.target.link?.program) return [];
  await computer.reportPrinters([...computer.printers, plainPrinter({ key: 'printer-2', name: 'Second Printer' })]);
  const shown = idsIn(await context.api.get(`/computers/${computer.computerId}/printers`)) ?? [];
  return shown.filter((id) => id !== computer.printerId);
}

function expectTotal(answer: Answer, count: number): Mismatch | undefined {
  const { name } = LIST_HEADERS.total;
  return answer.header(name) === undefined ? undefined : expectHeaderValue(answer, name, String(count));
}

function lowestFirst([third = 0, second = 0, first = 0]: readonly number[]): Three {
  return [first, second, third];
}

function expectPage(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  return expectStatus(answer, 200) ?? expectIds(answer, ids);
}
