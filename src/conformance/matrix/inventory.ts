/**
 * Inventory: everything that an account can list, as a value: what a refused request did is seen by comparing the
 * one before it with the one after it.
 *
 * What may change by itself is left out: statistics, connections, ages, fields that the specification does not print.
 * An answer that cannot be read counts by its status.
 */

import { sameJson } from '../expect/that.ts';
import { isObject, type JsonObject, showValue, sortedJson } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import { idsIn, type Answer } from '../expect/answer.ts';
import { asRecords } from '../expect/records.ts';
import type { ApiClient } from '../context/api-client.ts';
import { ifOffered } from '../context/check-ended.ts';
import { readHistories } from '../context/jobs.ts';
import { downloadId } from './download-id.ts';
import { settingsOf } from '../context/webhook-settings.ts';

export type Inventory = Readonly<Record<string, unknown>>;

/** What of the account object is set by requests. */
const ACCOUNT_FIELDS = ['id', 'firstname', 'lastname', 'email', 'creatorRef', 'state', 'Tags', 'childAccounts'];

const ids = (answer: Answer): unknown => idsIn(answer)?.toSorted((left, right) => left - right);

const READINGS = 'readings of the simulated scale';

/** What of an answer stays the same as long as no request changes it; undefined where it cannot be read. */
const LASTING: Readonly<Partial<Record<Endpoint['returns'], (answer: Answer) => unknown>>> = {
  account: ({ value }) => (isObject(value) ? partOf(value, ACCOUNT_FIELDS) : undefined),
  computers: ids,
  printers: ids,
  'print jobs': ids,
  states: statesOf,
  webhooks: settingsOf,
  readings: readingsOf,
  downloads: (answer) =>
    asRecords(answer.value)
      ?.map((record) => [downloadId(answer, record), record['enabled']])
      .toSorted(byText),
};

const LOOKS: Readonly<Record<string, readonly [path: string, shows: Endpoint['returns']]>> = {
  'the account': ['/whoami', 'account'],
  computers: ['/computers', 'computers'],
  printers: ['/printers', 'printers'],
  'print jobs': ['/printjobs', 'print jobs'],
  'states of print jobs': ['/printjobs/states', 'states'],
  webhooks: ['/webhooks', 'webhooks'],
  [READINGS]: ['/computer/0/scales', 'readings'],
  downloads: ['/download/clients', 'downloads'],
};

/** What two answers of an endpoint are compared by. */
export function lastingPart({ returns }: Endpoint, answer: Answer): unknown {
  return LASTING[returns]?.(answer) ?? answer.value;
}

/** `paths` lead to things that no list shows, or that may come to be: tags, API keys. */
export async function takeInventory(api: ApiClient, paths: readonly string[] = []): Promise<Inventory> {
  const seen: [string, unknown][] = [];
  for (const [name, [path, shows]] of Object.entries(LOOKS)) {
    const answer = await ifOffered(api.get(path));
    if (answer) seen.push([name, LASTING[shows]?.(answer) ?? `status ${answer.status}`]);
  }
  return { ...Object.fromEntries(seen), ...(await takeUnlisted(api, paths)) };
}

/** What these paths lead to, alone. */
export async function takeUnlisted(api: ApiClient, paths: readonly string[]): Promise<Inventory> {
  const seen: [string, unknown][] = [];
  for (const path of paths) {
    const answer = await ifOffered(api.get(path));
    if (answer) seen.push([path, answer.status < 300 ? answer.value : `status ${answer.status}`]);
  }
  return Object.fromEntries(seen);
}

/** Expects nothing to have changed; the first thing that has is named. */
export function expectSame(before: Inventory, after: Inventory, whose: string): Mismatch | undefined {
  const changed = Object.keys(before).find((name) => !isSame(name, before[name], after[name]));
  if (changed === undefined) return undefined;
  return differenceAt([changed, whose], before[changed], after[changed]);
}

/** The innermost member in which two values differ, by its path, the innermost first; of lists what came or went. */
function differenceAt(path: readonly string[], before: unknown, after: unknown): Mismatch {
  if (isObject(before) && isObject(after)) {
    const name = Object.keys({ ...before, ...after }).find((one) => !sameJson(before[one], after[one]));
    if (name !== undefined) return differenceAt([name, ...path], before[name], after[name]);
  }
  const at = path.join(' of ');
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return { at, expected: `as before, ${showValue(before)}`, actual: showValue(after) };
  }
  const gone = before.filter((one) => !after.some((other) => sameJson(one, other)));
  const added = after.filter((one) => !before.some((other) => sameJson(one, other)));
  const parts = [gone.length > 0 && `without ${showValue(gone)}`, added.length > 0 && `with ${showValue(added)}`];
  const changes = parts.filter((part) => part !== false).join(', ') || 'in another order';
  return { at, expected: `as before, ${showValue(before)}`, actual: changes };
}

/** Readings expire without a request, and none appears without one. */
function isSame(name: string, before: unknown, after: unknown): boolean {
  if (name !== READINGS || !Array.isArray(before) || !Array.isArray(after)) return sameJson(before, after);
  return after.every((reading) => before.some((one) => sameJson(one, reading)));
}

function partOf(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

/** In an order of their own: none is printed. */
function statesOf(answer: Answer): unknown {
  const histories = readHistories(answer);
  return (
    histories &&
    Object.fromEntries([...histories].map(([id, states]) => [id, states.map(({ name }) => name).toSorted(byText)]))
  );
}

/** Not their age. */
function readingsOf({ value }: Answer): unknown {
  const fields = ['mass', 'clientReportedCreateTimestamp'];
  return asRecords(value)?.map((record) => partOf(record, fields));
}

function byText(left: unknown, right: unknown): number {
  const [one, other] = [sortedJson(left), sortedJson(right)];
  return one < other ? -1 : Number(one > other);
}
