/**
 * Sets of ids in every position of every path: a repeated id counts once, Records-Total counts what the sets match and
 * not the account, and of two sets both restrict.
 *
 *   the account    one computer with two printers and two jobs, which the sets name
 *                  another one with a job, which they do not
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { PathPartName } from '../../specification/endpoints.ts';
import { LIST_HEADERS } from '../../specification/headers.ts';
import { plainPrinter } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, submit, submitMany } from '../context/jobs.ts';
import { expectKnownAffected, expectKnownIds } from '../context/unknown-ids.ts';
import { expectHeader, expectIdArray, expectIds, expectStatus, mismatchIn, type Answer } from '../expect/answer.ts';
import { atEndpoint, firstReason, type MatrixRules } from './matrix-rule.ts';
import { aDownload } from './party.ts';
import { inOrder } from './refusals.ts';
import { isMissing, pathOf, type Values } from './sound-request.ts';

const setsOf = ({ parts }: Endpoint): readonly PathPartName[] =>
  parts.filter(({ isSet }) => isSet).map(({ name }) => name as PathPartName);

export const REPEATED_SET_RULES: MatrixRules = {
  'matrix/repeated-sets': {
    columns: ['repeated ids, two sets and totals'],
    title: 'Every path counts a repeated id once, restricts the list to its sets, and totals what they name',
    needs: ['computer'],
    locks: ['account/downloads'],
    whyNot: (endpoint) =>
      firstReason(
        [setsOf(endpoint).length === 0, 'has no set in its path'],
        [endpoint.effect === 'changes', 'answers with what is gap/client-download-update-response'],
      ),
    judge: judgeSets,
  },
};

async function judgeSets(context: CheckContext, endpoints: readonly Endpoint[]): Promise<void> {
  const printers = ['first', 'second'].map((key) => plainPrinter({ key, name: `The ${key} printer` }));
  const [named, other] = [await context.computers.away({ printers }), await context.computers.away()];
  const jobs = await submitMany(context, named.printerId, 2);
  const otherJob = await submit(context, jobBody(other.printerId));
  const values: Values = {
    computer_set: String(named.computerId),
    printer_set: named.printerIds.toSorted((one, two) => one - two).join(),
    print_job_set: jobs.join(),
    download_id_set: await aDownload(context.api),
  };
  const others: Values = { print_job_set: String(otherJob), printer_set: String(other.printerId) };
  for (const endpoint of inOrder(endpoints).filter((one) => !isMissing(one, values))) {
    await judgeTwoSets(context, endpoint, values, others);
    if (endpoint.effect === 'deletes') await judgeDeletes(context, endpoint);
    else await judgeLists(context, endpoint, values);
  }
}

/** The inner set names what does not belong to the outer one. */
async function judgeTwoSets(context: CheckContext, endpoint: Endpoint, values: Values, others: Values): Promise<void> {
  const [, inner] = setsOf(endpoint);
  if (inner === undefined) return;
  const path = pathOf(endpoint, { ...values, [inner]: others[inner] });
  const answer = await context.api.send({ method: endpoint.method, path });
  const mismatch = endpoint.effect === 'none' ? expectKnownIds(answer, []) : expectKnownAffected(answer, []);
  const what = `a ${inner} of another one`;
  context.judge('service/set-restricts', atEndpoint(endpoint, what, mismatch));
  if (endpoint.paginated && answer.status < 300)
    context.judge('service/records-total-of-set', atEndpoint(endpoint, what, expectTotal(answer, 0)));
}

async function judgeLists({ api, judge }: CheckContext, endpoint: Endpoint, values: Values): Promise<void> {
  const ids = (values[setsOf(endpoint).at(-1) ?? 'os'] ?? '').split(',').map(Number);
  const isNamed = endpoint.path.endsWith('}');
  const plain = await api.get(pathOf(endpoint, values));
  const at = (what: string, mismatch: Mismatch | undefined) => atEndpoint(endpoint, what, mismatch);
  // Under a set alone, all that belongs to it: that is found out by the plain request, which has checks of its own.
  if (isNamed) judge('service/set-restricts', at('as it is', expectIds(plain, ids.toReversed())));
  if (endpoint.paginated) judge('service/records-total-of-set', at('as it is', expectTotal(plain, countOf(plain))));
  for (const [what, repeated] of repetitionsOf(endpoint, values)) {
    const answer = await api.get(pathOf(endpoint, repeated));
    const isSame = answer.status === plain.status && countOf(answer) === countOf(plain);
    const expected = `${countOf(plain)} records, as without the repetition`;
    const mismatch = isSame ? undefined : mismatchIn(answer, expected, `${answer.status}: ${countOf(answer)} records`);
    judge('service/set-repeats-once', at(what, mismatch));
    if (!endpoint.paginated) continue;
    judge('service/set-repeats-once-in-totals', at(what, expectTotal(answer, countOf(plain))));
  }
}

/** States of jobs are lists within a list: all of them count. */
const countOf = ({ value }: Answer): number => [value].flat(2).length;

function expectTotal(answer: Answer, count: number): Mismatch | undefined {
  const { name } = LIST_HEADERS.total;
  // That there is one is for another check.
  if (answer.header(name) === undefined) return undefined;
  return expectHeader(answer, name, String(count), (value) => Number(value) === count);
}

/** New things for each, since a DELETE takes them away. */
async function judgeDeletes(context: CheckContext, endpoint: Endpoint): Promise<void> {
  for (const [index, part] of setsOf(endpoint).entries()) {
    const computer = await context.computers.away();
    const jobs = await submitMany(context, computer.printerId, 2);
    const values: Values = {
      computer_set: String(computer.computerId),
      printer_set: String(computer.printerId),
      print_job_set: jobs.join(),
    };
    const [what, repeated] = repetitionsOf(endpoint, values)[index] ?? ['', values];
    const answer = await context.api.delete(pathOf(endpoint, repeated));
    const ids = part === 'computer_set' ? [computer.computerId] : jobs;
    const mismatch = expectStatus(answer, 200) ?? expectIdArray(answer, ids);
    context.judge('service/set-repeats-once-in-deletes', atEndpoint(endpoint, what, mismatch));
  }
}

/** The path with each of its sets written twice over, one at a time. */
function repetitionsOf(endpoint: Endpoint, values: Values): readonly (readonly [string, Values])[] {
  return setsOf(endpoint).map((name) => [
    `a repeated ${name}`,
    { ...values, [name]: `${values[name]},${values[name]}` },
  ]);
}
