/** Checks of printers. */

import type { PrinterReport } from '../../link/messages.ts';
import { isObject, type JsonObject, showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { CAPABILITY_FIELDS, COMPUTER_FIELDS, PRINT_RATE_FIELDS } from '../../specification/fields.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { plainPrinter, refuseProgram, type ConnectedComputer } from '../context/computers.ts';
import { expectAllKeys } from '../../oracle/record-fields.ts';
import { judgeFields } from '../expect/fields.ts';
import { expectFound, expectIds, expectNone, expectRecords, expectStatus, idsIn } from '../expect/answer.ts';
import { expectEqual, expectExcludes, expectThat, firstOf, sameJson } from '../expect/that.ts';
import { asRecords } from '../expect/records.ts';
import { deviceNames } from '../generate/device-names.ts';
import { pageOf, pageParameters, pageQuery } from '../generate/page-parameters.ts';
import { expectKnownIds, UNKNOWN_ID } from '../context/unknown-ids.ts';

/** More printers than two pages have; a computer has fewer than are listed at once. */
const [OFFICES, OF_AN_OFFICE] = [3, 70];
const PAGE = LIMITS.pageSize.value;

/** A printer as the service shows it. Ends the check when it is not listed. */
async function shown(context: CheckContext, printerId: number): Promise<JsonObject> {
  const answer = await context.api.get(`/printers/${printerId}`);
  context.require(expectStatus(answer, 200), expectIds(answer, [printerId]));
  return asRecords(answer.value)?.[0] ?? {};
}

/**
 * A connected computer that has reported these printers. How they are listed is for the check to find out: it
 * would be blocked by the very thing that it is to judge.
 */
async function reporting(
  { computers }: CheckContext,
  printers: readonly PrinterReport[],
): Promise<Pick<ConnectedComputer, 'computerId'>> {
  const computer = await computers.connect({ printers: [] });
  await computer.reportPrinters(printers);
  return computer;
}

/** The capabilities shown for a printer that reports these. */
async function shownCapabilities(context: CheckContext, capabilities: PrinterReport['capabilities']): Promise<unknown> {
  refuseProgram(context, 'takes made-up capabilities, and a client program reports those of its queues');
  const { printerId } = await context.computers.connect({ printers: [plainPrinter({ capabilities })] });
  return (await shown(context, printerId))['capabilities'];
}

/** A driver that reports next to nothing. */
const SPARSE_CAPABILITIES = {
  bins: [],
  collate: false,
  copies: 1,
  color: false,
  dpis: [],
  duplex: false,
  extent: [],
  medias: [],
  nup: [],
  papers: { 'Label 4x6': [null, null] },
  printrate: null,
  supports_custom_paper_size: false,
};

/** Operating systems permit names as long. */
const LONG_NAME = 100;

/** A driver that reports more, and other names, than most. */
const MUCH = {
  bins: ['Tray 1', ' Tray 2 ', 'Manual feed of envelopes and thick paper, on the left '.padEnd(LONG_NAME, '-')],
  copies: 9_999,
  medias: Array.from({ length: 40 }, (_, index) => `Media ${index}, ${150 + index} g/m²`),
  papers: {
    // Its accents are characters of their own.
    'Enveloppe carre\u0301e': [1_700, 1_700],
    ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`Label ${index + 1}`, [500 + index, 1_000]])),
  },
};

/** In the other units; of a driver that reports next to nothing, and of the fastest there are. */
const OTHER_RATES: Readonly<Record<string, { readonly unit: string; readonly rate: number }>> = {
  images: { unit: 'ipm', rate: 0.25 },
  lines: { unit: 'lmp', rate: 20_000 },
  characters: { unit: 'cpm', rate: 72_000.5 },
};

const FIRST_REPORT = plainPrinter();

/** What a client reports of one printer after it. */
const LATER_REPORTS: readonly PrinterReport[] = [
  plainPrinter({
    name: 'Renamed Printer',
    description: 'The same printer with another driver',
    default: false,
    state: 'offline',
    capabilities: {
      ...FIRST_REPORT.capabilities,
      bins: [],
      color: false,
      copies: 1,
      papers: { A5: [1480, 2100] },
      printrate: { unit: 'ipm', rate: 7.5 },
    },
  }),
  plainPrinter({ description: '', default: null, capabilities: null }),
];
const REPORTED = ['name', 'description', 'capabilities', 'default', 'state'] as const;

/** The printer of a computer that has one, whatever has become of its id. */
async function onlyPrinter(context: CheckContext, computerId: number, name: string): Promise<JsonObject> {
  const answer = await context.api.get(`/computers/${computerId}/printers`);
  const records = asRecords(answer.value) ?? [];
  context.require(expectFound(answer, 'a printer', () => records.length > 0));
  return records.find((record) => record['name'] === name) ?? records[0] ?? {};
}

function expectPart(value: unknown, key: string, wanted: unknown): Mismatch | undefined {
  const part = isObject(value) ? value[key] : undefined;
  return expectEqual(`capabilities.${key}`, part, wanted);
}

export const PRINTER_RULES: Rules = {
  'printers/lists': {
    title: 'Every printer path lists the printers of its sets and no others',
    needs: ['computer'],
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const pair = [plainPrinter({ key: 'a', name: 'A' }), plainPrinter({ key: 'b', name: 'B' })];
      const here = await reporting(context, pair);
      await reporting(context, [plainPrinter({ key: 'c', name: 'C' })]);
      const all = await context.api.get('/printers?limit=3');
      context.demand('printers/list', expectStatus(all, 200), expectRecords(all));
      const names = (asRecords(all.value) ?? []).map((record) => String(record['name']));
      const [newest, ...others] = names;
      const areKnown = newest === 'C' && others.toSorted().join() === 'A,B';
      const wanted = 'C, and A and B, which were reported before it';
      const known = expectThat(areKnown, `names in the body of ${all.request}`, wanted, names);
      context.demand('printers/known-after-report', known);
      const [there = 0, second = 0, first = 0] = idsIn(all) ?? [];
      const some = await context.api.get(`/printers/${first},${there}`);
      judge('printers/list-set', expectIds(some, [there, first]));
      const ours = [first, second, there];
      judge('printers/list-set', expectNone(await context.api.get(`/printers/${UNKNOWN_ID}`), ours));
      const strange = await context.api.get(`/computers/${here.computerId}/printers/${UNKNOWN_ID}`);
      judge('printers/list-set-of-computers', expectNone(strange, ours));
      const ofComputer = await context.api.get(`/computers/${here.computerId}/printers`);
      judge('printers/list-of-computers', expectIds(ofComputer, [second, first]));
      const ids = idsIn(ofComputer) ?? [];
      judge('printers/list-of-computers-only', expectExcludes(`body of ${ofComputer.request}`, ids, there));
      const both = await context.api.get(`/computers/${here.computerId}/printers/${first},${there}`);
      judge('printers/list-set-of-computers', expectKnownIds(both, [first]));
    },
  },
  'printers/pages': {
    title: 'Lists of printers take limit, after and dir',
    needs: ['computer'],
    async run({ computers, property, api, judge, speak, target }) {
      const printers = ['a', 'b', 'c', 'd'].map((key) => plainPrinter({ key, name: `Printer ${key}` }));
      const { computerId, printerIds } = await computers.connect({ printers });
      const mismatch = await property({
        inputs: pageParameters(printerIds, await speak('after-unlisted')),
        judge: async (page) => {
          const answer = await api.get(`/computers/${computerId}/printers${pageQuery(page)}`);
          return expectIds(answer, pageOf(printerIds, page));
        },
      });
      judge('printers/paginated', mismatch);
      // More than a program has.
      if (target.link?.program) return;
      const office = Array.from({ length: OF_AN_OFFICE }, (_, index) =>
        plainPrinter({ key: `${index}`, name: `Printer ${index}` }),
      );
      const offices = [];
      for (let count = 0; count < OFFICES; count++) offices.push(await computers.connect({ printers: office }));
      const all = offices.flatMap((one) => one.printerIds).toSorted((one, other) => one - other);
      const path = `/computers/${offices.map((one) => one.computerId).join()}/printers`;
      for (const after of [null, all[PAGE - 1], all[2 * PAGE - 1]]) {
        const page = { limit: PAGE, after, dir: 'asc' } as const;
        judge('printers/paginated', expectIds(await api.get(path + pageQuery(page)), pageOf(all, page)));
      }
    },
  },
  'printers/object': {
    title: 'A Printer object has the whole Computer object of its computer in it',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const { computerId } = await reporting(context, [plainPrinter()]);
      const answer = await context.api.get(`/computers/${computerId}/printers`);
      const [printer] = asRecords(answer.value) ?? [];
      if (!printer) throw new CheckEnded('blocked', `${answer.request} does not list the printer`);
      const computer = isObject(printer['computer']) ? printer['computer'] : {};
      judge('printers/computer-whole', expectAllKeys(COMPUTER_FIELDS, computer, 'printer.computer'));
      const id = computer['id'];
      judge('printers/computer-is-its-own', expectEqual('printer.computer.id', id, computerId));
    },
  },
  'printers/capabilities': {
    title: 'Capabilities have every attribute, each of the right type, as the client reported them',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const printrate = { unit: 'ppm', rate: 12.5 };
      const capabilities: PrinterReport['capabilities'] = { ...plainPrinter().capabilities, ...MUCH, printrate };
      const value = await shownCapabilities(context, capabilities);
      const object = isObject(value) ? value : {};
      judgeFields(judge, CAPABILITY_FIELDS, object, 'capabilities');
      const rate = isObject(object['printrate']) ? object['printrate'] : {};
      judgeFields(judge, PRINT_RATE_FIELDS, rate, 'capabilities.printrate');
      judge('printers/printrate-rate', expectEqual('capabilities.printrate.rate', rate['rate'], printrate.rate));
      judge('printers/printrate-unit', expectEqual('capabilities.printrate.unit', rate['unit'], printrate.unit));
      const others = Object.entries(OTHER_RATES).map(([key, rateOf]) =>
        plainPrinter({ key, name: key, capabilities: { ...plainPrinter().capabilities, printrate: rateOf } }),
      );
      const { computerId } = await context.computers.connect({ printers: others });
      const list = await context.api.get(`/computers/${computerId}/printers`);
      for (const record of asRecords(list.value) ?? []) {
        const { unit, rate: wanted } = OTHER_RATES[String(record['name'])] ?? printrate;
        const shownRate = isObject(record['capabilities']) ? record['capabilities']['printrate'] : undefined;
        const other = isObject(shownRate) ? shownRate : {};
        judge('printers/printrate-unit', expectEqual('capabilities.printrate.unit', other['unit'], unit));
        judge('printers/printrate-rate', expectEqual('capabilities.printrate.rate', other['rate'], wanted));
      }
      judge('printers/capability-papers-size', expectPart(value, 'papers', capabilities?.['papers']));
      judge('printers/capability-extent-form', expectPart(value, 'extent', capabilities?.['extent']));
      // Beside its unit and its rate a service may say more of it.
      const keys = Object.keys(capabilities ?? {}).filter((key) => key !== 'printrate');
      judge(
        'printers/capabilities-as-reported',
        firstOf(...keys.map((key) => expectPart(value, key, capabilities?.[key]))),
      );
    },
  },
  'printers/dpis': {
    title: 'The service shows a dpi as two numbers separated by x, and an empty list of papers as an empty object',
    needs: ['computer'],
    async run(context) {
      const value = await shownCapabilities(context, {
        ...plainPrinter().capabilities,
        dpis: ['203x203', '600x1200'],
        papers: {},
      });
      context.judge('printers/capability-dpis-form', expectPart(value, 'dpis', ['203x203', '600x1200']));
      context.judge(CAPABILITY_FIELDS.papers.clause, expectPart(value, 'papers', {}));
    },
  },
  'printers/sparse-capabilities': {
    title: 'A capability that the driver does not report is empty, null, or two nulls, as the specification says',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const none = await shownCapabilities(context, null);
      judge('printers/capabilities-null', expectEqual('capabilities', none, null));
      const value = await shownCapabilities(context, SPARSE_CAPABILITIES);
      const object = isObject(value) ? value : {};
      judgeFields(judge, CAPABILITY_FIELDS, object, 'capabilities');
      const keys = Object.keys(SPARSE_CAPABILITIES) as (keyof typeof SPARSE_CAPABILITIES)[];
      const mismatches = keys.map((key) => expectPart(value, key, SPARSE_CAPABILITIES[key]));
      judge('printers/capabilities-as-reported', firstOf(...mismatches));
      judge('printers/capability-extent-empty', expectPart(value, 'extent', []));
      judge('printers/capability-nup-empty', expectPart(value, 'nup', []));
      judge('printers/capability-papers-unknown', expectPart(value, 'papers', SPARSE_CAPABILITIES.papers));
      judge('printers/capability-printrate-null', expectPart(value, 'printrate', null));
      judge('printers/capability-copies-one', expectPart(value, 'copies', 1));
    },
  },
  'printers/reported-again': {
    title: 'A printer matches the latest report of its computer’s client',
    needs: ['computer'],
    async run(context) {
      refuseProgram(context, 'changes what a printer is like, and a client program reports what its queues are');
      const computer = await context.computers.connect({ printers: [FIRST_REPORT] });
      const { computerId } = computer;
      const atFirst = await onlyPrinter(context, computerId, FIRST_REPORT.name);
      // A service may have words of its own for a state.
      const fields = REPORTED.filter((field) => sameJson(atFirst[field], FIRST_REPORT[field]));
      for (const report of LATER_REPORTS) {
        await computer.reportPrinters([report]);
        const now = await onlyPrinter(context, computerId, report.name);
        const mismatches = fields.map((field) => expectEqual(`${field} of the printer`, now[field], report[field]));
        context.judge('printers/as-last-reported', firstOf(...mismatches));
      }
    },
  },
  'printers/names': {
    title: 'Printer names are shown as reported, and printer ids survive a reconnect',
    needs: ['computer'],
    async run({ property, computers, api, judge }) {
      const mismatch = await property({
        inputs: deviceNames,
        judge: async (name) => {
          const printers = [plainPrinter({ name })];
          const { computerId } = await computers.connect({ printers });
          const answer = await api.get(`/computers/${computerId}/printers`);
          const names = asRecords(answer.value)?.map((record) => record['name']);
          return expectThat(names?.[0] === name, 'name of the printer', showValue(name), names);
        },
      });
      judge('printers/name-as-reported', mismatch);
      const name = 'A long name '.padEnd(LONG_NAME, '-');
      const computer = await computers.away({ printers: [plainPrinter({ name })] });
      await computer.connect();
      const again = await api.get(`/computers/${computer.computerId}/printers`);
      const shownName = asRecords(again.value)?.[0]?.['name'];
      judge('printers/name-as-reported', expectEqual('name of the printer', shownName, name));
      judge('printers/same-id-after-reconnect', expectIds(again, [computer.printerId]));
    },
  },
};
