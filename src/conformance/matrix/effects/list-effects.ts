/**
 * Effects seen in lists: what was reported and submitted is in each list that has it, the newest first.
 */

import { isObject, type JsonObject } from '../../../common/json-value.ts';
import type { Mismatch } from '../../../oracle/mismatch.ts';
import type { Endpoint } from '../../../specification/clause.ts';
import { ENDPOINTS } from '../../../specification/endpoints.ts';
import type { ConnectedComputer } from '../../context/computers.ts';
import type { ApiClient } from '../../context/api-client.ts';
import { expectFound, expectIds, expectStatus, idsIn, sameIds } from '../../expect/answer.ts';
import { asRecords } from '../../expect/records.ts';
import { expectEqual, firstOf } from '../../expect/that.ts';
import { nameOf } from '../matrix-rule.ts';
import { pathOf, type Values } from '../sound-request.ts';
import type { JudgeEffect, OpenPart } from './effect.ts';
import type { PrintingStage } from './printing-stage.ts';

/** Every list, bare, nested and by sets. */
export function listEffects(stage: PrintingStage): OpenPart['effects'] {
  const lists = ENDPOINTS.filter(({ paginated }) => paginated);
  return Object.fromEntries(
    lists.map((endpoint) => [nameOf(endpoint), (judge: JudgeEffect) => judgeList(stage, endpoint, judge)]),
  );
}

/** Records of a kind, ascending, and the sets that name all of them. */
interface Expected {
  readonly ids: readonly number[];
  readonly values: Values;
  /** Expects of the records in the list what was reported of them. */
  readonly judgeRecords: (records: readonly JsonObject[], judge: JudgeEffect) => void;
}

async function judgeList(stage: PrintingStage, endpoint: Endpoint, judge: JudgeEffect): Promise<void> {
  const { api } = stage.context;
  const { ids, values, judgeRecords } = await (endpoint.returns === 'print jobs'
    ? jobsOf(stage)
    : devicesOf(stage, endpoint));
  const path = pathOf(endpoint, values);
  const [newest, , third] = ids.toReversed();
  const whole = await api.get(path);
  const shown = idsIn(whole) ?? [];
  const ours = shown.filter((id) => ids.includes(id));
  const isInOrder = sameIds(ours, ids.toReversed());
  const wanted = `the records ${ids.toReversed().join()} in this order`;
  judge(
    'service/page-dir-default',
    expectStatus(whole, 200),
    expectFound(whole, wanted, () => isInOrder),
  );
  // What else an account has may stand between them.
  const next = shown.slice(shown.indexOf(Number(newest)) + 1).slice(0, 1);
  judge('service/page-limit', await expectPage(api, `${path}?limit=1&after=${newest}`, next));
  const later = shown
    .slice(0, shown.indexOf(Number(third)))
    .toReversed()
    .slice(0, 2);
  judge('service/page-after-asc', await expectPage(api, `${path}?dir=asc&limit=2&after=${third}`, later));
  judgeRecords(asRecords(whole.value) ?? [], judge);
}

async function expectPage(api: ApiClient, path: string, ids: readonly number[]): Promise<Mismatch | undefined> {
  const page = await api.get(path);
  return firstOf(expectStatus(page, 200), expectIds(page, ids));
}

async function jobsOf({ store, waiting }: PrintingStage): Promise<Expected> {
  const { printerIds } = await store();
  const ids = await waiting();
  return { ids, values: { printer_set: printerIds.join(), print_job_set: ids.join() }, judgeRecords: () => undefined };
}

async function devicesOf({ desk, store, attic }: PrintingStage, { returns }: Endpoint): Promise<Expected> {
  const computers = [await desk(), await store(), await attic()];
  const computerIds = ascending(computers.map(({ computerId }) => computerId));
  const printerIds = ascending(computers.flatMap((computer) => computer.printerIds));
  const values = { computer_set: computerIds.join(), printer_set: printerIds.join() };
  if (returns === 'computers') {
    return { ids: computerIds, values, judgeRecords: (records, judge) => judgeComputers(computers, records, judge) };
  }
  return { ids: printerIds, values, judgeRecords: (records, judge) => judgePrinters(computers, records, judge) };
}

const ascending = (ids: readonly number[]): readonly number[] => ids.toSorted((left, right) => left - right);

const withId = (records: readonly JsonObject[], id: number): JsonObject =>
  records.find((record) => record['id'] === id) ?? {};

function judgeComputers(
  computers: readonly ConnectedComputer[],
  records: readonly JsonObject[],
  judge: JudgeEffect,
): void {
  const names = computers.map(({ computerId, client }) =>
    expectEqual(`name of computer ${computerId}`, withId(records, computerId)['name'], client.computerName),
  );
  judge('computers/as-last-reported', firstOf(...names));
}

function judgePrinters(
  computers: readonly ConnectedComputer[],
  records: readonly JsonObject[],
  judge: JudgeEffect,
): void {
  const printers = computers.flatMap((computer) =>
    computer.printerIds.map((id, index) => ({ id, computer, name: computer.printers[index]?.name })),
  );
  const owners = printers.map(({ id, computer: { computerId } }) => {
    const { computer } = withId(records, id);
    const ownerId = isObject(computer) ? computer['id'] : undefined;
    return expectEqual(`computer.id of printer ${id}`, ownerId, computerId);
  });
  judge('printers/computer-is-its-own', firstOf(...owners));
  const names = printers.map(({ id, name }) => expectEqual(`name of printer ${id}`, withId(records, id)['name'], name));
  judge('printers/as-last-reported', firstOf(...names));
}
