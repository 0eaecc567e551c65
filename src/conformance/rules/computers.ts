/** Checks of computers. */

import type { JsonObject } from '../../common/json-value.ts';
import { keysOf } from '../../common/keys-of.ts';
import type { ClientReport } from '../../link/messages.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { COMPUTER_FIELDS } from '../../specification/fields.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { requireActsFor } from '../context/account-view.ts';
import { newKey } from '../context/keys-and-tags.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { expectListedComputer } from '../expect/fields.ts';
import { expectIdArray, expectIds, expectRecords, expectStatus, idsIn, expectNone } from '../expect/answer.ts';
import { expectEqual, expectThat, firstOf, sameJson } from '../expect/that.ts';
import { asRecords, hasMilliseconds, isUtc } from '../expect/records.ts';
import { deviceNames } from '../generate/device-names.ts';
import { pageOf, pageParameters, pageQuery } from '../generate/page-parameters.ts';
import { expectKnownAffected, UNKNOWN_ID } from '../context/unknown-ids.ts';

/** A computer as the service shows it. Ends the check when it is not listed. */
async function shown(context: CheckContext, computerId: number): Promise<JsonObject> {
  const answer = await context.api.get(`/computers/${computerId}`);
  context.require(expectStatus(answer, 200), expectIds(answer, [computerId]));
  return asRecords(answer.value)?.[0] ?? {};
}

function expectField(computer: JsonObject, field: string, wanted: unknown): Mismatch | undefined {
  return expectEqual(`${field} of the computer`, computer[field], wanted);
}

/** Fields of a Computer object, and what a client calls them in its report. */
const REPORTED = {
  name: 'computerName',
  inet: 'inet',
  inet6: 'inet6',
  hostname: 'hostname',
  version: 'version',
} as const satisfies Partial<Record<keyof typeof COMPUTER_FIELDS, keyof ClientReport>>;

type Reported = Pick<ClientReport, (typeof REPORTED)[keyof typeof REPORTED]>;

/** What the client of a computer says at one connection after the other; in the end no more than it must. */
function reportsOf(context: CheckContext): readonly [Reported, ...Reported[]] {
  const computerName = (): string => context.uniqueText('computer');
  return [
    {
      computerName: computerName(),
      inet: '192.0.2.81',
      inet6: '2001:db8::81',
      hostname: 'one.example',
      version: '2.0.0',
    },
    {
      computerName: computerName(),
      inet: '192.0.2.82',
      inet6: '2001:db8::82',
      hostname: 'two.example',
      version: '2.1.0',
    },
    { computerName: computerName(), inet: null, inet6: null, hostname: null, version: null },
  ];
}

/** Expects the last of these values; where that is null the service may know better, but not from a report before. */
function expectLast(computer: JsonObject, field: string, values: readonly (string | null)[]): Mismatch | undefined {
  const last = values.at(-1) ?? null;
  if (last !== null) return expectField(computer, field, last);
  const actual = computer[field];
  const isOld = values.some((value) => value !== null && value === actual);
  return expectThat(!isOld, `${field} of the computer`, 'null, as its client reported last', actual);
}

/** A service that deletes a page of computers leaves some. */
const MORE_THAN_A_PAGE = LIMITS.pageSize.value + 1;
const IPV4 = /^(\d{1,3}\.){3}\d{1,3}$/;

export const COMPUTER_RULES: Rules = {
  'computers/lists': {
    title: 'The service lists computers as soon as they have connected: all of them, or those of a set',
    needs: ['computer'],
    locks: ['account'],
    async run({ computers, api, judge, property, speak, uniqueText }) {
      // Two computers of one name are two.
      const name = uniqueText('namesake');
      const [first, second] = [await computers.connect({ name }), await computers.away({ name })];
      const ids = [first.computerId, second.computerId];
      const all = await api.get('/computers?limit=2');
      judge('computers/list', expectStatus(all, 200), expectRecords(all));
      judge('computers/known-after-report', expectIds(all, ids.toReversed()));
      const listed = idsIn(all) ?? [];
      const areUnique = ids[0] !== ids[1] && new Set(listed).size === 2;
      const shownIds = [...ids, ...listed];
      judge('computers/id-unique', expectThat(areUnique, 'ids of two computers', 'different', shownIds));
      const one = await api.get(`/computers/${first.computerId}`);
      judge(
        'computers/list-set',
        expectStatus(one, 200),
        expectIds(one, [first.computerId]),
        expectIds(await api.get(`/computers/${ids.join(',')}`), ids.toReversed()),
      );
      const mismatch = await property({
        inputs: pageParameters(ids, await speak('after-unlisted')),
        judge: async (page) => {
          const answer = await api.get(`/computers/${ids.join(',')}${pageQuery(page)}`);
          return expectIds(answer, pageOf(ids, page));
        },
      });
      judge('computers/paginated', mismatch);
    },
  },
  'computers/object': {
    title: 'A Computer object has its times in UTC, an IPv4 address, and the version that was reported',
    needs: ['computer'],
    async run({ computers, api, judge, target, elapse }) {
      // Milliseconds are shown of a full second too.
      const { timekeeper } = target;
      if (timekeeper.isVirtual) await elapse(1_000 - (timekeeper.now() % 1_000));
      const { computerId } = await computers.connect({
        client: { version: '10.20.30', inet: '192.0.2.77' },
      });
      const answer = await api.get(`/computers/${computerId}`);
      const [computer] = asRecords(answer.value) ?? [];
      if (!computer) throw new CheckEnded('blocked', `${answer.request} does not list the computer`);
      const created = computer['createTimestamp'];
      const at = 'createTimestamp of the computer';
      judge('computers/create-timestamp-utc', expectThat(isUtc(created), at, 'a time in UTC', created));
      judge(
        'computers/create-timestamp-milliseconds',
        expectThat(hasMilliseconds(created), at, 'a time with milliseconds', created),
      );
      const inet = computer['inet'];
      const isIpv4 = inet === null || (typeof inet === 'string' && IPV4.test(inet));
      judge('computers/inet-ipv4', expectThat(isIpv4, 'inet of the computer', 'an IPv4 address or null', inet));
      judge('computers/version-as-reported', expectField(computer, 'version', '10.20.30'));
    },
  },
  'computers/names': {
    title: 'A computer has the name that its client reported',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const mismatch = await context.property({
        inputs: deviceNames,
        judge: async (name) => {
          const { computerId } = await context.computers.connect({ name });
          return expectField(await shown(context, computerId), 'name', name);
        },
      });
      judge('computers/name-as-reported', mismatch);
      const { computerId } = await context.computers.connect();
      const { state } = await shown(context, computerId);
      judge(
        'states/computer-connected-differs',
        expectThat(state !== 'disconnected', 'state of a connected computer', 'not disconnected', state),
      );
    },
  },
  'computers/reconnect': {
    title: 'A computer that reconnects keeps its id and its createTimestamp, and its printer keeps its own',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.away();
      const before = await shown(context, computer.computerId);
      const printerCreated = async (): Promise<unknown> =>
        asRecords((await context.api.get(`/printers/${computer.printerId}`)).value)?.[0]?.['createTimestamp'];
      const created = await printerCreated();
      await context.elapse('1s');
      const id = await computer.connect();
      judge(
        'computers/same-id-after-reconnect',
        expectEqual('id of the computer after its reconnect', id, before['id']),
      );
      const after = await shown(context, Number(before['id']));
      judge('computers/create-timestamp-constant', expectField(after, 'createTimestamp', before['createTimestamp']));
      const createdNow = await printerCreated();
      // One that is listed with another id is another printer.
      const constant = expectThat(
        createdNow === undefined || createdNow === created,
        'createTimestamp of the printer',
        String(created),
        createdNow,
      );
      judge('printers/create-timestamp-constant', constant);
    },
  },
  'computers/reported-again': {
    title: 'A computer matches the latest report of its client, by itself and inside its printers',
    needs: ['computer'],
    async run(context) {
      const [first, ...later] = reportsOf(context);
      const computer = await context.computers.connect({ client: first });
      const { computerId, printerId } = computer;
      const atFirst = await shown(context, computerId);
      // A service may find out by itself where a computer is.
      const fields = keysOf(REPORTED).filter((field) => sameJson(atFirst[field], first[REPORTED[field]]));
      const reports = [first];
      for (const report of later) {
        await computer.disconnect();
        await computer.connect(report);
        reports.push(report);
        const now = await shown(context, computerId);
        const mismatches = fields.map((field) =>
          expectLast(
            now,
            field,
            reports.map((one) => one[REPORTED[field]]),
          ),
        );
        context.judge('computers/as-last-reported', firstOf(...mismatches));
        const printers = await context.api.get(`/printers/${printerId}`);
        const [printer = {}] = asRecords(printers.value) ?? [];
        context.judge('printers/computer-as-listed', expectListedComputer(printer, now));
      }
    },
  },
  'computers/deletes': {
    title: 'DELETE /computers/{set} removes those computers and no others, and answers with their ids',
    needs: ['computer'],
    async run({ computers, api, judge }) {
      const [gone, other, kept] = [await computers.away(), await computers.away(), await computers.away()];
      const unknown = await api.delete(`/computers/${UNKNOWN_ID}`);
      judge('computers/delete-unknown-not-affected', expectKnownAffected(unknown, []));
      const answer = await api.delete(`/computers/${gone.computerId}`);
      judge('computers/delete-set', expectStatus(answer, 200), expectIdArray(answer, [gone.computerId]));
      judge('computers/delete-removes', expectNone(await api.get(`/computers/${gone.computerId}`), [gone.computerId]));
      judge('computers/delete-removes', expectNone(await api.get('/computers'), [gone.computerId]));
      const mixed = await api.delete(`/computers/${gone.computerId},${UNKNOWN_ID},${other.computerId}`);
      judge('computers/delete-unknown-not-affected', expectKnownAffected(mixed, [other.computerId]));
      const several: number[] = [];
      while (several.length < 3) several.push((await computers.away()).computerId);
      const all = await api.delete(`/computers/${several.join(',')}`);
      judge('computers/delete-set', expectStatus(all, 200), expectIdArray(all, several));
      judge('computers/delete-removes', expectNone(await api.get('/computers'), several));
      const rest = await api.get(`/computers/${kept.computerId}`);
      // One that is connected may soon be back.
      const { computerId } = await computers.connect();
      const online = await api.delete(`/computers/${computerId}`);
      judge('computers/delete-set', expectStatus(online, 200), expectIdArray(online, [computerId]));
      judge('computers/delete-leaves-others', expectIds(rest, [kept.computerId]));
    },
  },
  'computers/delete-all': {
    title: 'DELETE /computers without a set answers with the ids of all computers of the account, and no others',
    needs: ['computer', 'child-account'],
    locks: ['account/computers'],
    async run(context) {
      const { children, judge } = context;
      const child = await children.create();
      const apiKey = await newKey(context, child.api, 'own');
      const owner = { ...child, apiKey };
      const gone: number[] = [];
      const count = context.target.timekeeper.isVirtual ? MORE_THAN_A_PAGE : 2;
      while (gone.length < count) gone.push((await context.computers.away({ owner, printers: [] })).computerId);
      const [online, kept] = [await context.computers.connect({ owner, printers: [] }), await context.computers.away()];
      // With the key of the Child: no header that a service may overlook stands before all computers of its
      // parent.
      const own = context.callAs(apiKey);
      await requireActsFor(context, own, child.id);
      const answer = await own.delete('/computers');
      judge('computers/delete-all', expectStatus(answer, 200), expectIdArray(answer, [...gone, online.computerId]));
      // One that is connected may be back already.
      judge('computers/delete-all', expectNone(await own.get('/computers'), gone));
      const other = await context.api.get(`/computers/${kept.computerId}`);
      judge('computers/delete-all', expectIds(other, [kept.computerId]));
    },
  },
};
