/**
 * Signs: by what two broken judgements are recognised as the same defect of the service.
 *
 *   the same unexpected refusal   method, path without ids, status, what the error says
 *   the same wrong part           method, path without ids, part of the answer, what was expected there
 *   the same page                 the parameter that a list was asked with, and other records came; whatever the list
 *   the same rule                 clause, what was expected, what kind of thing came; whatever the endpoint
 *
 * Some show a defect that others only meet: what an answer lacks whose status is wrong, and a refusal where another one
 * was due, at an endpoint that refuses what it should take.
 */

import { isObject, parseText } from '../common/json-value.ts';
import { requestKind, requestName } from '../common/request-name.ts';

/** What of a mismatch is looked at. */
export interface SeenMismatch {
  readonly at: string;
  readonly part?: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange?: number;
  readonly wanted?: { readonly status?: string };
  readonly differs?: 'records' | 'order';
  readonly absent?: 'all' | readonly string[];
}

export interface SeenExchange {
  readonly position: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly response: { readonly status: number; readonly body?: string };
}

export interface Signs {
  /** Where one of them is shown by another judgement, that has found the same defect. */
  readonly met: readonly string[];
  /** The signs among `met` that name an answer which lacks what was looked for. */
  readonly lacking: readonly string[];
  readonly shown: readonly string[];
}

/** @param exchanges - those of its check */
export function signsOf(mismatch: SeenMismatch, exchanges: readonly SeenExchange[]): Signs {
  const { wanted, absent, exchange } = mismatch;
  const seen = exchanges.find(({ position }) => position === exchange);
  const both = [
    ...seenIn(mismatch, seen),
    ...pagesIn(mismatch, seen),
    ...(mismatch.differs === 'order' ? ['records in another order'] : []),
    ...wordsIn(mismatch),
  ];
  const ofAnswer = exchange === undefined ? [] : [`the status of answer ${exchange}`];
  const isOtherRefusal = wanted?.status?.startsWith('4') === true;
  const isRefusal = wanted?.status?.startsWith('2') === true;
  const lacking = absent && wanted?.status === undefined ? ofAnswer : [];
  return {
    met: [...both, ...lacking, ...(isOtherRefusal && seen ? refusalsIn(seen) : [])],
    lacking,
    shown: [...both, ...(wanted?.status === undefined ? [] : ofAnswer), ...(isRefusal && seen ? refusalsIn(seen) : [])],
  };
}

/** How it shows in the answer to a request, or where its place names none. */
function seenIn(mismatch: SeenMismatch, seen: SeenExchange | undefined): readonly string[] {
  const { part: place = mismatch.at, wanted } = mismatch;
  const part = seen ? place.replace(requestName(seen.request), '') : place;
  if (!seen || part === place) return [`${kindOf(part)}: ${kindsOf(mismatch)}`];
  const refusals = wanted?.status?.startsWith('2')
    ? refusalsIn(seen).map((refusal) => `${refusal} ${saidBy(seen)}`)
    : [];
  return refusals.length > 0 ? refusals : [`${requestKind(seen.request)}, ${kindOf(part)}: ${kindsOf(mismatch)}`];
}

function refusalsIn({ request, response: { status } }: SeenExchange): readonly string[] {
  return status < 400 ? [] : [`${requestKind(request)} answers ${status}`];
}

/** What an error says, whatever it says it of. */
function saidBy({ response: { body = '' } }: SeenExchange): string {
  const error = parseText(body);
  const { code, message } = error.ok && isObject(error.value) ? error.value : {};
  return kindOf(`${String(code)}: ${String(message)}`);
}

const PAGING = ['limit', 'after', 'dir'] as const;

/** Other records than expected, for each parameter that the list was asked with. */
function pagesIn({ differs }: SeenMismatch, seen: SeenExchange | undefined): readonly string[] {
  if (differs === undefined || !seen) return [];
  const asked = new URLSearchParams(seen.request.path.split('?')[1]);
  return PAGING.filter((parameter) => asked.has(parameter)).map((parameter) => `other records with ${parameter}`);
}

/** A word in place of another one, wherever it stands. */
function wordsIn({ expected, actual }: SeenMismatch): readonly string[] {
  const [wanted, came] = [expected, actual].map((text) => WORD.exec(text)?.[1]);
  return wanted === undefined || came === undefined ? [] : [`${came} in place of ${wanted}`];
}

/** A word of a list, and none that tells a type. */
const WORD = /^"?(?!(?:true|false|null|nothing|string|number|integer|boolean|array|object)\b)([a-z]\w+)"?$/i;

export function kindsOf({ expected, actual }: Pick<SeenMismatch, 'expected' | 'actual'>): string {
  return `${kindOf(expected)}, not ${kindOf(actual)}`;
}

const KIND_MOST_CHARACTERS = 60;

/** Without what differs from run to run: numbers, ids, quoted values. */
export function kindOf(text: string): string {
  return text
    .replaceAll(/"[^"]*"|'[^']*'/g, '"…"')
    .replaceAll(/[0-9a-f]{8,}(-[0-9a-f]+)*/gi, '#')
    .replaceAll(/(?<=\bwith )\d+/g, '#')
    .replaceAll(/\d+ ms/g, '# ms')
    .replaceAll(/\d+/g, (digits) => (/^[1-5]\d\d$/.test(digits) ? digits : '#'))
    .slice(0, KIND_MOST_CHARACTERS);
}
