/**
 * Causes: what is wrong with a service, in the order in which fixing helps most: how many checks hang on it, then how
 * many clauses, then how severe it is.
 *
 *   results that show a defect ─► each with those that follow from it ─► causes, those first on which most hangs
 */

import { countOf } from '../../common/count-of.ts';
import type { DeviationRecord, ExchangeRecord } from '../../record/check-record.ts';
import { defectsIn, type CauseView, type ClauseView, type Finding, type ResultView } from './run-view.ts';
import { curlOf, shownExchange } from './story.ts';

/** Those first that fail a run. */
const LEVELS = ['must', 'should', 'observed'];

/** @param deviations - what the service does otherwise than printed wherever it does it */
export function causesOf(
  results: readonly ResultView[],
  clauses: readonly ClauseView[],
  deviations: readonly DeviationRecord[] = [],
): readonly CauseView[] {
  const open = new Set(clauses.filter(({ outcome }) => OPEN.has(outcome)).map(({ id }) => id));
  const broken = new Set(clauses.filter(({ outcome }) => BROKEN.has(outcome)).map(({ id }) => id));
  const byId = new Map(results.map((result) => [result.id, result]));
  const told = new Set(deviations.flatMap((deviation) => deviation.clauses));
  // A check of a clause that a deviation breaks says the same again, and so does one that names it as what it lacks.
  const isTold = ({ findings, endedBy }: ResultView): boolean =>
    findings.length > 0 ? findings.every(({ clause }) => told.has(clause)) : endedBy?.kind === 'deviation';
  const heads = defectsIn(results).filter((result) => !isTold(result));
  const causes = heads.map((head) => {
    const hanging = [head, ...head.followers.flatMap(({ id }) => byId.get(id) ?? [])];
    return causeOf(head, broken, { checks: hanging.length, clauses: clausesOf(hanging, open).size });
  });
  const others = alike(deviations).map((group) => causeOfDeviations(group, clauses));
  // What a run stopped at is what was asked for; how much hangs on the others it has not seen.
  if (results.some(({ endedBy }) => endedBy?.kind === 'failed-enough')) return [...inOrder(causes), ...inOrder(others)];
  return inOrder([...others, ...causes]);
}

function inOrder(causes: readonly CauseView[]): readonly CauseView[] {
  return causes.toSorted(
    (left, right) => right.checks - left.checks || right.clauses - left.clauses || severityOf(left) - severityOf(right),
  );
}

/** Groups deviations that one answer shows in the same way, such as missing headers: one change corrects them. */
function alike(deviations: readonly DeviationRecord[]): readonly (readonly DeviationRecord[])[] {
  return [...Map.groupBy(deviations, wayOf).values()];
}

function wayOf({ actual, checks, exchange }: DeviationRecord): string {
  return JSON.stringify([actual, checks, exchange?.curl]);
}

function causeOfDeviations(group: readonly DeviationRecord[], clauses: readonly ClauseView[]): CauseView {
  const [first, ...others] = group as [DeviationRecord, ...DeviationRecord[]];
  const [clause = ''] = first.clauses;
  const known = clauses.find((one) => one.id === clause);
  const { checks, exchange } = first;
  const places = [...others, ...group.flatMap((one) => one.likewise ?? [])].map(({ at }) => at);
  const shown = [...new Set(places)].slice(0, PLACES_SHOWN).join(', ');
  const likewise = shown === '' ? '' : `; likewise ${shown}${places.length > PLACES_SHOWN ? ' …' : ''}`;
  return {
    id: checks[0] ?? first.id,
    clause,
    level: known?.level ?? '',
    says: known ? saidBy(known) : clause,
    did: `${doneIn(first)}${likewise}; met in ${countOf(checks.length, 'check')}; all else there was judged`,
    curl: exchange?.curl ?? '',
    checks: checks.length,
    clauses: new Set(group.flatMap((one) => one.clauses)).size,
  };
}

const PLACES_SHOWN = 6;

/** What has no clause comes last. */
function severityOf({ level }: Pick<Finding, 'level'>): number {
  const place = LEVELS.indexOf(level);
  return place === -1 ? LEVELS.length : place;
}

const BROKEN: ReadonlySet<string> = new Set(['broken', 'warned', 'differs']);
/** Outcomes that hang on what is wrong. */
const OPEN: ReadonlySet<string> = new Set([...BROKEN, 'not judged']);

function clausesOf(hanging: readonly ResultView[], open: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(hanging.flatMap((result) => result.clauses.filter((id) => open.has(id))));
}

/** @param broken - of the clauses that it found broken, those that are no consequences of others */
function causeOf(
  head: ResultView,
  broken: ReadonlySet<string>,
  hanging: Pick<CauseView, 'checks' | 'clauses'>,
): CauseView {
  const findings = head.findings.toSorted(
    (left, right) =>
      Number(broken.has(right.clause)) - Number(broken.has(left.clause)) || severityOf(left) - severityOf(right),
  );
  const [worst] = findings;
  const worstFirst = { ...head, findings };
  const shown = shownExchange(worstFirst);
  return {
    ...hanging,
    id: head.id,
    clause: worst?.clause ?? '',
    level: worst?.level ?? '',
    says: worst ? saidBy(worst) : `Needed to find out: ${head.title}`,
    did: `${worst ? doneIn(worst) : head.message}${shown ? toldHeaders(shown) : ''}`,
    curl: curlOf(worstFirst)[0] ?? '',
  };
}

function saidBy({ statement, source }: Pick<Finding, 'statement' | 'source'>): string {
  return source === '' ? statement : `${statement} (${source})`;
}

function doneIn({ at, expected, actual }: Pick<Finding, 'at' | 'expected' | 'actual'>): string {
  return `${at}: ${actual}; expected: ${expected}`;
}

/** What every request has. */
const PLAIN_HEADERS: readonly RegExp[] = [
  /^authorization: Basic /,
  /^content-type: application\/json$/,
  /^(host|connection|content-length|user-agent|accept|accept-encoding): /,
];

/** The headers that make a request another one than most: what is wrong may hang on them. */
function toldHeaders({ request }: ExchangeRecord): string {
  const told = request.headers
    .filter(([name, value]) => !PLAIN_HEADERS.some((plain) => plain.test(`${name.toLowerCase()}: ${value}`)))
    .map(([name, value]) => `\`${name}: ${value.slice(0, HEADER_MOST)}\``);
  const credentials = request.headers.some(([name]) => name.toLowerCase() === 'authorization');
  const parts = [...told, ...(credentials || request.path === '/ping' ? [] : ['no `Authorization`'])];
  return parts.length === 0 ? '' : `; sent with ${parts.join(', ')}`;
}

const HEADER_MOST = 80;
