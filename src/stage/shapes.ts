/**
 * Shapes: an id, a list or an object taken out of an answer that has it in another way than printed.
 *
 *   5          out of   {"id": 5}   "5"   [5]   Location: /printjobs/5
 *   […]        out of   {"data": […]}, or the list afterwards where a change answers what it changed
 *   {…}        out of   {"data": {…}}   [{…}]
 */

import { headerValues } from '../common/header-pairs.ts';
import { isObject, NotJson } from '../common/json-value.ts';
import type { Endpoint, Returned } from '../specification/clause.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { ENDPOINTS } from '../specification/endpoints.ts';
import { ANSWERS } from '../specification/resources.ts';
import { fieldsOf, isSuccess, nameOf, type AnswerView } from './answer-view.ts';
import type { Ask, Manner } from './manner.ts';

/** What was taken out of an answer. */
interface Taken {
  readonly actual: string;
  readonly value: unknown;
  readonly isThroughout?: true;
}

type Take = (view: AnswerView, endpoint: Endpoint) => Taken | undefined;

export const otherShapes: Manner = (view) => {
  const { endpoint } = view;
  if (!endpoint || !isSuccess(view)) return [];
  const { take, expected } = shapeOf(endpoint) ?? {};
  const taken = take?.(view, endpoint);
  if (!taken || expected === undefined) return [];
  const { actual, isThroughout } = taken;
  const at = `body of ${nameOf(view)}`;
  const id = isThroughout ? actual : `${clauseOfBody(endpoint)}: ${actual}`;
  const deviation = {
    id,
    clauses: [clauseOfBody(endpoint)],
    at,
    expected,
    actual,
    ...(isThroughout && { isThroughout }),
  };
  return [
    {
      deviation: deviation as typeof deviation & { clauses: [ClauseId] },
      // Taken again, since what was read before may have changed it.
      read: async (seen, ask) => ({ ...seen, value: await valueOf(take?.(seen, endpoint)?.value, ask) }),
    },
  ];
};

/** What has to be asked for. */
class Elsewhere {
  readonly path: string;
  /** What to take where it is not answered. */
  readonly instead: unknown;
  constructor(path: string, instead: unknown) {
    this.path = path;
    this.instead = instead;
  }
}

async function valueOf(value: unknown, ask: Ask): Promise<unknown> {
  if (!(value instanceof Elsewhere)) return value;
  const list = (await ask.get(value.path))?.value;
  return Array.isArray(list) ? list : value.instead;
}

/** The clause that prints what is in the body. */
export function clauseOfBody(endpoint: Endpoint): ClauseId {
  return BODY_CLAUSES[`${endpoint.method} ${endpoint.path}`] ?? clauseOfSuccess(endpoint);
}

const BODY_CLAUSES: Readonly<Record<string, ClauseId>> = {
  'POST /printjobs': 'print-jobs/created-id-integer',
  'GET /account/state': 'accounts/state-json-string',
  'POST /webhook': 'webhooks/create-answers-list',
  'PATCH /webhook/{webhook_id}': 'webhooks/update-answers-list',
  'DELETE /webhook/{webhook_id}': 'webhooks/delete-answers-list',
};

/** For an endpoint that deletes all that an account has, the one of its row that deletes what it names. */
export function namingOf(endpoint: Endpoint): Endpoint {
  if (!endpoint.isUnrestricted) return endpoint;
  const { method, family, returns } = endpoint;
  const isNaming = (one: Endpoint): boolean =>
    one.method === method && one.family === family && one.returns === returns && !one.isUnrestricted;
  return ENDPOINTS.find(isNaming) ?? endpoint;
}

/** The clause that prints the status of a success. */
export function clauseOfSuccess(endpoint: Endpoint): ClauseId {
  const { method, family, clause } = namingOf(endpoint);
  return method === 'DELETE' && family === 'print-jobs' ? 'print-jobs/delete-200-ids' : (clause as ClauseId);
}

function shapeOf(endpoint: Endpoint): { readonly take: Take; readonly expected: string } | undefined {
  if (endpoint.gaps.length > 0 && endpoint.returns !== 'states') return undefined;
  const own = OWN_SHAPES[endpoint.returns];
  if (own) return own;
  const { kind } = ANSWERS[endpoint.returns];
  if (kind === 'one') return { take: takeOne, expected: 'the object' };
  if (kind !== 'list' && kind !== 'list or lists') return undefined;
  return { take: endpoint.effect === 'none' ? takeList : takeListAfterwards, expected: 'an array' };
}

const OWN_SHAPES: Readonly<Partial<Record<Returned, { readonly take: Take; readonly expected: string }>>> = {
  id: { take: takeId, expected: 'the id, an integer' },
  ids: { take: takeIds, expected: 'an array of ids' },
  'account state': { take: takeState, expected: 'the state, a string' },
};

/** Lists by the names or ids of other things are shapes that the specification leaves open. */
const MAY_BE_BY_NAME: ReadonlySet<Returned> = new Set(['states', 'readings']);
const WRAPPER = /^(data|items|results?|records|list|content|values|response|payload|states|scales|readings)$/i;

/** The only list in an object that is no record itself. */
function takeList({ value }: AnswerView, endpoint: Endpoint): Taken | undefined {
  if (!isObject(value) || isRecord(value, endpoint)) return undefined;
  const [found, ...others] = Object.entries(value).filter(([, member]) => isRecords(member));
  if (!found || others.length > 0) return undefined;
  const [name, list] = found;
  if (MAY_BE_BY_NAME.has(endpoint.returns) && !WRAPPER.test(name)) return undefined;
  return { actual: `an object with the array at ${name}`, value: list, isThroughout: true };
}

function takeListAfterwards(view: AnswerView, endpoint: Endpoint): Taken | undefined {
  const { value } = view;
  if (Array.isArray(value)) return undefined;
  const list = takeList(view, endpoint);
  if (list) return list;
  const path = endpoint.returns === 'webhooks' ? '/webhooks' : undefined;
  if (path === undefined) return undefined;
  const actual = isObject(value) ? 'an object' : value instanceof NotJson && value.text === '' ? 'nothing' : 'no array';
  return { actual, value: new Elsewhere(path, isRecord(value, endpoint) ? [value] : value) };
}

/** Inside another object, or alone in a list. */
function takeOne({ value }: AnswerView, endpoint: Endpoint): Taken | undefined {
  if (Array.isArray(value)) {
    const [only, ...others] = value as readonly unknown[];
    return isRecord(only, endpoint) && others.length === 0
      ? { actual: 'an array of one object', value: only }
      : undefined;
  }
  if (!isObject(value) || isRecord(value, endpoint)) return undefined;
  const found = Object.entries(value).find(([, member]) => isRecord(member, endpoint));
  return found && { actual: `an object with it at ${found[0]}`, value: found[1] };
}

/** A list of them, or of lists of them. */
const isRecords = (value: unknown): boolean => Array.isArray(value) && value.flat().every(isObject);

/**
 * Whether it has two of the keys: what is wrapped around a list may have one. They are compared without case, since a
 * list may be wrapped and its keys be written otherwise as well.
 */
function isRecord(value: unknown, endpoint: Endpoint): boolean {
  const fields = Object.keys(fieldsOf(endpoint) ?? {}).map(plainName);
  return isObject(value) && Object.keys(value).filter((key) => fields.includes(plainName(key))).length > 1;
}

export function plainName(name: string): string {
  return name.replaceAll(/[^a-z\d]/gi, '').toLowerCase();
}

const LOCATION = /\/(\d+)\/?$/;

function takeId(view: AnswerView): Taken | undefined {
  const { value, headers } = view;
  if (typeof value === 'number') return undefined;
  const bare = idFrom(value);
  if (bare !== undefined) return { actual: 'a string', value: bare };
  const [only] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [];
  if (idFrom(only) !== undefined) return { actual: 'an array', value: idFrom(only) };
  const found = isObject(value) ? memberWithId(value) : undefined;
  if (found) return { actual: `an object with the id at ${found.place}`, value: found.id };
  const [, inHeader] = LOCATION.exec(headerValues(headers, 'Location')[0] ?? '') ?? [];
  return inHeader === undefined ? undefined : { actual: 'no id but in Location', value: Number(inHeader) };
}

/** An id in an object, or in an object in it. */
function memberWithId(value: object): { readonly place: string; readonly id: number } | undefined {
  for (const [name, member] of Object.entries(value) as readonly [string, unknown][]) {
    const id = /id$/i.test(name) && !/^(printer|computer|account)_?id$/i.test(name) ? idFrom(member) : undefined;
    if (id !== undefined) return { place: name, id };
    const inner = isObject(member) ? memberWithId(member) : undefined;
    if (inner) return { place: `${name}.${inner.place}`, id: inner.id };
  }
  return undefined;
}

function idFrom(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  const id = isNumber ? Number(value) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function takeIds({ value }: AnswerView): Taken | undefined {
  const [name, list] = Array.isArray(value) ? [undefined, value as unknown[]] : listOfIdsIn(value);
  if (!list) return undefined;
  const ids = list.map((one) => idFrom(isObject(one) ? (one['id'] ?? one['ID']) : one));
  if (!ids.every((id) => id !== undefined)) return undefined;
  if (name !== undefined) return { actual: `an object with the array at ${name}`, value: ids, isThroughout: true };
  if (list.every((id) => typeof id === 'number')) return undefined;
  return { actual: list.some(isObject) ? 'an array of objects' : 'an array of strings', value: ids };
}

function listOfIdsIn(value: unknown): readonly [string | undefined, unknown[] | undefined] {
  const lists = isObject(value) ? Object.entries(value).filter(([, member]) => Array.isArray(member)) : [];
  const [name, list] = lists.length === 1 ? (lists[0] ?? []) : [];
  return [name, list as unknown[] | undefined];
}

function takeState({ value }: AnswerView): Taken | undefined {
  const state = isObject(value) ? Object.entries(value).find(([name]) => /state$/i.test(name)) : undefined;
  if (typeof state?.[1] !== 'string') return undefined;
  return { actual: `an object with it at ${state[0]}`, value: state[1] };
}
