/**
 * Defects: which failures of a run show the same defect of the service, so that it is reported once.
 *
 *   POST /printjobs answers 500 ─┬─ print-jobs/created  fail      the first: it fails for this alone, in few requests
 *                                ├─ cancelling/one      blocked   follow from it
 *                                └─ states/history      blocked
 *
 * Two failures are taken for one when they were seen in the same way:
 *
 *   the same unexpected refusal   method, path without ids, status
 *   the same wrong part           method, path without ids, part of the answer, what was expected there
 *   the same page                 the parameter that a list was asked with, and other records came; whatever the list
 *   the same rule                 clause, what was expected, what kind of thing came; whatever the endpoint
 *   the same words                of what stopped it, where no request is named
 *
 * A check follows another one only if all that is wrong with it is wrong with that one too.
 *
 * Flaky checks that failed one soon after the other follow from the first of them: the service, or the machine, stood
 * still for all of them.
 */

import type { Ending, Verdict } from '../../record/words.ts';
import { requestName } from '../../common/request-name.ts';
import { endpointFor } from '../../oracle/endpoint-for.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { requestKind } from './replayed.ts';

/** What of a check in a record is looked at. */
export interface FailedCheck {
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
  readonly endedBy?: Ending;
  readonly unmet?: Mismatch;
  readonly requests: number;
  readonly known?: unknown;
  readonly evidence: {
    readonly judgements: readonly { readonly clause: string; readonly mismatch?: Mismatch }[];
    readonly exchanges: readonly SeenExchange[];
  };
}

interface SeenExchange {
  readonly position: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly response: { readonly status: number };
}

/** Verdicts that may show a defect, those first that tell it best. */
const TELLING: readonly Verdict[] = ['fail', 'warn', 'blocked'];

/** For each check that follows from another one, the id of that one. */
export function followersOf(checks: readonly FailedCheck[]): ReadonlyMap<string, string> {
  const rank = ({ verdict }: FailedCheck): number => TELLING.indexOf(verdict);
  const open = checks
    .filter((check) => rank(check) !== -1 && check.known === undefined)
    .map((check) => ({ check, signs: signsOf(check) }))
    .toSorted(
      (left, right) =>
        rank(left.check) - rank(right.check) ||
        Number(isPrinted(right.check)) - Number(isPrinted(left.check)) ||
        left.check.requests - right.check.requests,
    );
  const followers = new Map(checks.flatMap(victimOf));
  for (const [index, { check: first, signs }] of open.entries()) {
    if (followers.has(first.id)) continue;
    const known = new Set(signs.flat());
    for (const { check, signs: others } of open.slice(index + 1)) {
      const isSame = others.every((ways) => ways.some((way) => known.has(way)));
      if (isSame && !followers.has(check.id)) followers.set(check.id, first.id);
    }
  }
  return followers;
}

/** Whether a clause that it breaks is the one that prints the answer, or the page, in which that was seen. */
function isPrinted({ evidence }: FailedCheck): boolean {
  return evidence.judgements.some(({ clause, mismatch }) => {
    if (mismatch && pagesIn(mismatch).length > 0) return clause.startsWith('service/page-');
    const request = mismatch && exchangeOf(mismatch, evidence)?.request;
    return request && endpointFor(request.method, request.path)?.clause === clause;
  });
}

function exchangeOf({ exchange }: Mismatch, { exchanges }: FailedCheck['evidence']): SeenExchange | undefined {
  return exchanges.find(({ position }) => position === exchange);
}

/** What a service that has died leaves blocked follows from the check that it died in. */
function victimOf({ id, endedBy }: FailedCheck): readonly (readonly [string, string])[] {
  return endedBy?.kind === 'stopped-answering' && endedBy.name !== undefined ? [[id, endedBy.name]] : [];
}

/** For each thing that is wrong with a check, the ways to recognise it elsewhere. */
function signsOf({ verdict, message, unmet, evidence }: FailedCheck): readonly (readonly string[])[] {
  const broken = evidence.judgements.flatMap(({ clause, mismatch }) =>
    mismatch
      ? [
          [
            ...seenIn(mismatch, evidence),
            ...pagesIn(mismatch),
            ...orderIn(mismatch),
            ...wordsIn(mismatch),
            `${clause}: ${kindsOf(mismatch)}`,
          ],
        ]
      : [],
  );
  if (verdict !== 'blocked' && broken.length > 0) return broken;
  return [...broken, [...(unmet ? seenIn(unmet, evidence) : []), kindOf(message)]];
}

const PAGE_BY_PAGE = /pages of \S+ joined/;
const PAGING = ['limit', 'after', 'dir'] as const;

/** Other records than expected, for each parameter that the list was asked with. */
function pagesIn({ at }: Mismatch): readonly string[] {
  if (PAGE_BY_PAGE.test(at)) return ['limit', 'after'].map(otherRecords);
  const [, query] = /body of GET [^ ?]+\?(\S+)/.exec(at) ?? [];
  const asked = new URLSearchParams(query);
  return PAGING.filter((parameter) => asked.has(parameter)).map(otherRecords);
}

const otherRecords = (parameter: string): string => `other records with ${parameter}`;

/** The records that were expected, in another order. */
function orderIn({ expected, actual }: Mismatch): readonly string[] {
  const came = numbersIn(actual);
  const isSame = came.length > 1 && came.join() === numbersIn(expected).join();
  return isSame || expected.includes('in order') ? ['records in another order'] : [];
}

const numbersIn = (text: string): readonly string[] => (text.match(/\d+/g) ?? []).toSorted();

/** A word in place of another one, wherever it stands. */
function wordsIn({ expected, actual }: Mismatch): readonly string[] {
  const [wanted, came] = [expected, actual].map((text) => WORD.exec(text)?.[1]);
  return wanted === undefined || came === undefined ? [] : [`${came} in place of ${wanted}`];
}

/** A word of a list, and none that tells a type. */
const WORD = /^"?(?!(?:true|false|null|nothing|string|number|integer|boolean|array|object)\b)([a-z]\w+)"?$/i;

/** How it shows in the answer to a request, or where its place names none. */
function seenIn(mismatch: Mismatch, evidence: FailedCheck['evidence']): readonly string[] {
  const { request, response } = exchangeOf(mismatch, evidence) ?? {};
  const part = request ? mismatch.at.replace(requestName(request), '') : mismatch.at;
  if (!request || !response || part === mismatch.at) return [`${kindOf(part)}: ${kindsOf(mismatch)}`];
  const isUnexpectedRefusal = response.status >= 400 && mismatch.wanted?.status?.startsWith('2');
  if (isUnexpectedRefusal) return [`${requestKind(request)} answers ${response.status}`];
  return [`${requestKind(request)}, ${kindOf(part)}: ${kindsOf(mismatch)}`];
}

function kindsOf({ expected, actual }: Mismatch): string {
  return `${kindOf(expected)}, not ${kindOf(actual)}`;
}

const KIND_MOST_CHARACTERS = 60;

/** Without what differs from run to run: numbers, ids, quoted values. */
function kindOf(text: string): string {
  return text
    .replaceAll(/"[^"]*"|'[^']*'/g, '"…"')
    .replaceAll(/[0-9a-f]{8,}(-[0-9a-f]+)*/gi, '#')
    .replaceAll(/(?<=\bwith )\d+/g, '#')
    .replaceAll(/\d+ ms/g, '# ms')
    .replaceAll(/\d+/g, (digits) => (/^[1-5]\d\d$/.test(digits) ? digits : '#'))
    .slice(0, KIND_MOST_CHARACTERS);
}

/** What stood still is noticed when a wait ends, or an answer comes: not by all checks at once. */
const STALL_MS = 15_000;

/** A flaky check, and when it had failed first. */
export interface FlakyCheck {
  readonly id: string;
  readonly atMs: number;
}

/** For each flaky check that failed soon after another one, the id of the first of them. */
export function stalledWith(flaky: readonly FlakyCheck[]): ReadonlyMap<string, string> {
  const followers = new Map<string, string>();
  let first: FlakyCheck | undefined;
  for (const check of flaky.toSorted((one, other) => one.atMs - other.atMs)) {
    if (first && check.atMs - first.atMs <= STALL_MS) followers.set(check.id, first.id);
    else first = check;
  }
  return followers;
}
