import { gzipSync } from 'node:zlib';

import { afterEach, describe, expect, it } from 'vitest';

import {
  boolean,
  collection,
  integer,
  keyword,
  mediaType,
  nameText,
  numberOf,
  range,
  stringOf,
  strings,
  stringsOf,
  uri,
  type IppAttribute,
} from '../../../../src/hardware/ipp/attribute.ts';
import type { IppMessage } from '../../../../src/hardware/ipp/codec.ts';
import { IppPrinter } from '../../../../src/hardware/ipp/ipp-printer.ts';
import { OPERATIONS, STATUSES, type OperationName } from '../../../../src/hardware/ipp/operations.ts';
import { keysOf } from '../../../../src/common/keys-of.ts';
import { isReported, PRINTER_FAULTS } from '../../../../src/devices/printer/printer-fault.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';
import { fixtureDocument } from '../../../support/print-room.ts';

const URI = 'ipp://127.0.0.1:631/ipp/print/laser';
const CHARSET = strings('charset', 'attributes-charset', ['utf-8']);
const LANGUAGE = strings('naturalLanguage', 'attributes-natural-language', ['en']);
const TARGET = uri('printer-uri', URI);
const PDF = fixtureDocument('three-pages.pdf');
const IS_PDF = mediaType('document-format', 'application/pdf');
const STATUS_NAMES = new Map<number, string>(Object.entries(STATUSES).map(([name, code]) => [code, name]));

interface Asked {
  readonly operation?: readonly IppAttribute[];
  readonly job?: readonly IppAttribute[];
  readonly data?: Uint8Array;
}

class Desk extends PrinterOnDesk {
  readonly ipp = new IppPrinter({
    clock: this.clock,
    printer: this.hardware,
    uris: [URI],
    pageUrl: 'http://127.0.0.1:631/',
  });

  async ask(name: OperationName, asked: Asked = {}): Promise<Answer> {
    return this.send(requestOf(name, asked));
  }

  async send(message: IppMessage): Promise<Answer> {
    const answer = await this.ipp.handle(message);
    const attributes = answer.groups.slice(1).flatMap((group) => group.attributes);
    const named = (attribute: string): IppAttribute | undefined => attributes.find((one) => one.name === attribute);
    return {
      answer,
      status: STATUS_NAMES.get(answer.code),
      text: (attribute) => stringOf(named(attribute)),
      texts: (attribute) => stringsOf(named(attribute)),
      number: (attribute) => numberOf(named(attribute)),
      names: attributes.map((attribute) => attribute.name),
    };
  }

  /** The state of a job, once everything that is under way has settled. */
  async stateOf(jobId: number): Promise<number | undefined> {
    await this.clock.advance(1);
    return (await this.ask('Get-Job-Attributes', { operation: [integer('job-id', jobId)] })).number('job-state');
  }
}

interface Answer {
  readonly answer: IppMessage;
  readonly status: string | undefined;
  readonly names: readonly string[];
  text(attribute: string): string | undefined;
  texts(attribute: string): string[];
  number(attribute: string): number | undefined;
}

function requestOf(name: OperationName, { operation = [], job = [], data }: Asked): IppMessage {
  return {
    version: { major: 2, minor: 0 },
    code: OPERATIONS[name],
    requestId: 7,
    groups: [
      { type: 'operation', attributes: [CHARSET, LANGUAGE, TARGET, ...operation] },
      ...(job.length > 0 ? [{ type: 'job' as const, attributes: job }] : []),
    ],
    data: data ?? new Uint8Array(),
  };
}

function pageRanges(...ranges: readonly (readonly [number, number])[]): IppAttribute {
  return { name: 'page-ranges', values: ranges.flatMap(([lower, upper]) => range('', lower, upper).values) };
}

function mediaOfSize(width: number, height: number): IppAttribute {
  return collection('media-col', [
    collection('media-size', [integer('x-dimension', width), integer('y-dimension', height)]),
  ]);
}

function withOperation(attributes: readonly IppAttribute[]): Partial<IppMessage> {
  return { groups: [{ type: 'operation', attributes }] };
}

const desks: Desk[] = [];
function desk(...options: ConstructorParameters<typeof Desk>): Desk {
  const made = new Desk(...options);
  desks.push(made);
  return made;
}
afterEach(async () => {
  for (const made of desks.splice(0)) await made[Symbol.asyncDispose]();
});

describe('a job that is sent whole', () => {
  it('comes out as the sheets that its attributes ask for, under its name', async () => {
    const printer = desk();
    const printed = printer.printed();
    const answer = await printer.ask('Print-Job', {
      operation: [nameText('requesting-user-name', 'ada'), nameText('job-name', 'Invoice 7'), IS_PDF],
      job: [
        integer('copies', 2),
        keyword('sides', 'two-sided-long-edge'),
        { name: 'page-ranges', values: [range('', 2, 3).values[0] ?? { type: 'unknown' }] },
        collection('media-col', [keyword('media-size-name', 'iso_a5_148x210mm'), keyword('media-source', 'tray1')]),
      ],
      data: PDF,
    });
    expect(answer.status).toBe('successful-ok');
    const printout = await printed;
    expect(printout).toMatchObject({
      title: 'Invoice 7',
      jobId: null,
      origin: { protocol: 'ipp', id: 1, user: 'ada' },
      options: { applied: { copies: 2, sides: 'two-sided-long-edge', 'page-ranges': '2-3' } },
    });
    if (printout.kind !== 'sheets') throw new Error('it printed no sheets');
    expect(printout.sheets.map(({ sides }) => sides.flatMap((side) => side.sourcePages))).toEqual([
      [2, 3],
      [2, 3],
    ]);
    expect(printout.sheets[0]).toMatchObject({ tray: 'Tray1', paper: { name: 'A5' } });
    expect(await printer.stateOf(1)).toBe(9);
  });

  it.each([
    ['gzip', (bytes: Uint8Array) => gzipSync(bytes)],
    ['none', (bytes: Uint8Array) => bytes],
  ])('is taken with compression %s', async (compression, compress) => {
    const printer = desk();
    const printed = printer.printed();
    await printer.ask('Print-Job', { operation: [keyword('compression', compression)], data: compress(PDF) });
    expect(await printed).toMatchObject({ kind: 'sheets', complete: true });
  });

  it('is printed raw when its bytes are in a printer language', async () => {
    const printer = desk('label-zebra-zpl');
    const printed = printer.printed();
    const zpl = fixtureDocument('zpl-label.zpl');
    await printer.ask('Print-Job', { data: zpl });
    expect(await printed).toMatchObject({ kind: 'raw', length: zpl.length });
  });

  it('is aborted, with the reason, when its document is not what it claims to be', async () => {
    const printer = desk();
    await printer.ask('Print-Job', { operation: [IS_PDF], data: Buffer.from('hello') });
    expect(await printer.stateOf(1)).toBe(8);
    const job = await printer.ask('Get-Job-Attributes', { operation: [integer('job-id', 1)] });
    expect(job.text('job-state-message')).toContain('is not a PDF');
    expect(job.texts('job-state-reasons')).toEqual(['aborted-by-system', 'document-format-error']);
  });

  it('is aborted by a printer that does not read PDF, unless it is none', async () => {
    const printer = desk();
    printer.printer.fail('refuses-pdf');
    await printer.ask('Print-Job', { operation: [IS_PDF], data: PDF });
    expect(await printer.stateOf(1)).toBe(8);
    const job = await printer.ask('Get-Job-Attributes', { operation: [integer('job-id', 1)] });
    expect(job.texts('job-state-reasons')).toContain('document-format-error');
    const printed = printer.printed();
    await printer.ask('Print-Job', { data: Buffer.from('no PDF') });
    expect(await printed).toMatchObject({ kind: 'raw' });
  });

  it.each([
    ['page ranges that do not ascend', [pageRanges([3, 4], [1, 2])]],
    ['page ranges that overlap', [pageRanges([1, 3], [3, 5])]],
    ['a page range that runs backwards', [pageRanges([3, 1])]],
    ['media beside media-col', [keyword('media', 'iso_a4_210x297mm'), mediaOfSize(14_800, 21_000)]],
  ])('is refused with %s', async (_, job) => {
    const printer = desk();
    for (const operation of ['Print-Job', 'Create-Job', 'Validate-Job'] as const) {
      expect((await printer.ask(operation, { job, data: PDF })).status).toBe('client-error-bad-request');
    }
  });

  it.each([
    ['by its size', mediaOfSize(5_400, 6_000), '54x60mm'],
    ['by a name that says it', keyword('media', 'custom_parcel_54x60mm'), 'custom_parcel_54x60mm'],
  ])('comes out on paper of its own size, asked for %s', async (_, media, name) => {
    const printer = desk('label-4x6');
    const printed = printer.printed();
    expect((await printer.ask('Print-Job', { job: [media], data: PDF })).status).toBe('successful-ok');
    const printout = await printed;
    const [sheet] = printout.kind === 'sheets' ? printout.sheets : [];
    const mm = [sheet?.paper.widthPt, sheet?.paper.heightPt].map((points = 0) => Math.round((points / 72) * 25.4));
    expect([sheet?.paper.name, ...mm]).toEqual([name, 54, 60]);
  });

  it('keeps its own paper where the size asked for is beyond its extent', async () => {
    const asked = { operation: [IS_PDF], job: [mediaOfSize(54_000, 60_000)], data: PDF };
    expect((await desk('label-4x6').ask('Print-Job', asked)).status).toContain('substituted-attributes');
    const small = { ...asked, job: [mediaOfSize(5_400, 6_000)] };
    expect((await desk('laser-a4').ask('Print-Job', small)).status).toContain('substituted-attributes');
  });

  it('is offered the sizes between the least and the most that the driver names', async () => {
    const printer = await desk('label-4x6').ask('Get-Printer-Attributes');
    expect(printer.texts('media-supported')).toEqual(
      expect.arrayContaining(['custom_min_12.7x12.7mm', 'custom_max_104.1x990.6mm']),
    );
    const laser = await desk('laser-a4').ask('Get-Printer-Attributes');
    expect(laser.texts('media-supported').filter((name) => name.startsWith('custom_m'))).toEqual([]);
  });
});

describe('a job that is made first and sent then', () => {
  it('waits for its document', async () => {
    const printer = desk();
    const made = await printer.ask('Create-Job');
    expect(made.texts('job-state-reasons')).toEqual(['job-incoming']);
    const printed = printer.printed();
    const sent = await printer.ask('Send-Document', {
      operation: [integer('job-id', 1), boolean('last-document', true)],
      data: PDF,
    });
    expect(sent.status).toBe('successful-ok');
    expect(await printed).toMatchObject({ kind: 'sheets' });
  });

  it('is aborted when no document comes within a minute', async () => {
    const printer = desk();
    await printer.ask('Create-Job');
    await printer.clock.advance(59_000);
    expect(await printer.stateOf(1)).toBe(3);
    await printer.clock.advance(1_000);
    expect(await printer.stateOf(1)).toBe(8);
  });

  it('takes one document', async () => {
    const printer = desk();
    await printer.ask('Create-Job');
    const send = (): Promise<Answer> =>
      printer.ask('Send-Document', {
        operation: [integer('job-id', 1), boolean('last-document', true)],
        data: PDF,
      });
    await send();
    expect((await send()).status).toBe('client-error-not-possible');
  });

  it('prints nothing when it is closed without one', async () => {
    const printer = desk();
    await printer.ask('Create-Job');
    await printer.ask('Close-Job', { operation: [integer('job-id', 1)] });
    expect(await printer.stateOf(1)).toBe(8);
  });
});

describe('a job under way', () => {
  const slow = { ...desk('laser-a4').hardware.profile, speed: { firstPageOutMs: 60_000 } };

  it('is cancelled with the sheets that are not out yet', async () => {
    const printer = desk(slow, 1);
    await printer.ask('Print-Job', { data: PDF });
    expect(await printer.stateOf(1)).toBe(5);
    expect((await printer.ask('Cancel-Job', { operation: [integer('job-id', 1)] })).status).toBe('successful-ok');
    expect(await printer.stateOf(1)).toBe(7);
    expect(printer.printer.waiting).toBe(0);
    const again = await printer.ask('Cancel-Job', { operation: [integer('job-id', 1)] });
    expect(again.status).toBe('client-error-not-possible');
  });

  it('is cancelled with all others of its user, and those of other users go on', async () => {
    const printer = desk(slow, 1);
    for (const user of ['ada', 'bob', 'ada']) {
      await printer.ask('Print-Job', { operation: [nameText('requesting-user-name', user)], data: PDF });
    }
    await printer.ask('Cancel-My-Jobs', { operation: [nameText('requesting-user-name', 'ada')] });
    expect([await printer.stateOf(1), await printer.stateOf(2), await printer.stateOf(3)]).toEqual([7, 5, 7]);
  });

  it('stops with the printer, and goes on with it', async () => {
    const printer = desk();
    printer.printer.fail('media-jam');
    await printer.ask('Print-Job', { data: PDF });
    expect(await printer.stateOf(1)).toBe(6);
    printer.printer.clear('media-jam');
    expect(await printer.stateOf(1)).toBe(9);
  });

  it('is listed until it is over, then among the completed ones', async () => {
    const printer = desk();
    printer.printer.fail('media-empty');
    await printer.ask('Print-Job', { data: PDF });
    const listed = async (which: string): Promise<number> => {
      const { answer } = await printer.ask('Get-Jobs', { operation: [keyword('which-jobs', which)] });
      return answer.groups.length - 1;
    };
    expect([await listed('not-completed'), await listed('completed'), await listed('all')]).toEqual([1, 0, 1]);
    printer.printer.loadPaper('Tray1', 50);
    printer.printer.clear();
    await printer.clock.advance(1);
    expect([await listed('not-completed'), await listed('completed'), await listed('all')]).toEqual([0, 1, 1]);
    expect((await printer.ask('Get-Jobs', { operation: [keyword('which-jobs', 'mine')] })).status).toBe(
      'client-error-attributes-or-values-not-supported',
    );
  });
});

describe('what a printer does not support', () => {
  const duplexOnLabels = [keyword('sides', 'two-sided-long-edge')];

  it('is left out and named, unless the client insists', async () => {
    const printer = desk('label-4x6');
    const asked = { job: duplexOnLabels, data: PDF };
    const lenient = await printer.ask('Print-Job', asked);
    expect(lenient.status).toBe('successful-ok-ignored-or-substituted-attributes');
    expect(lenient.names[0]).toBe('sides');
    const strict = await printer.ask('Print-Job', {
      ...asked,
      operation: [boolean('ipp-attribute-fidelity', true)],
    });
    expect(strict.status).toBe('client-error-attributes-or-values-not-supported');
    expect(printer.hardware.waiting).toBe(0);
  });

  it.each([
    ['document-format', mediaType('document-format', 'image/tiff'), 'client-error-document-format-not-supported'],
    ['compression', keyword('compression', 'zstd'), 'client-error-compression-not-supported'],
  ])('is refused as %s', async (name, attribute, status) => {
    const answer = await desk().ask('Validate-Job', { operation: [attribute] });
    expect([answer.status, answer.names]).toEqual([status, [name]]);
  });

  it('is a compression that the bytes do not have', async () => {
    const answer = await desk().ask('Print-Job', { operation: [keyword('compression', 'gzip')], data: PDF });
    expect(answer.status).toBe('client-error-compression-error');
  });
});

describe('a request of the wrong form', () => {
  const right = requestOf('Get-Printer-Attributes', {});
  const [operation] = right.groups;

  it.each<[string, Partial<IppMessage>, string]>([
    ['of version 3', { version: { major: 3, minor: 0 } }, 'server-error-version-not-supported'],
    ['with the request id 0', { requestId: 0 }, 'client-error-bad-request'],
    ['without operation attributes', { groups: [] }, 'client-error-bad-request'],
    ['with a language before the charset', withOperation([LANGUAGE, CHARSET, TARGET]), 'client-error-bad-request'],
    [
      'with two groups of operation attributes',
      { groups: operation ? [operation, operation] : [] },
      'client-error-bad-request',
    ],
    ['with an attribute twice', withOperation([CHARSET, LANGUAGE, TARGET, TARGET]), 'client-error-bad-request'],
    [
      'in a charset that is not supported',
      withOperation([strings('charset', 'attributes-charset', ['utf-16']), LANGUAGE, TARGET]),
      'client-error-charset-not-supported',
    ],
    ['without a target', withOperation([CHARSET, LANGUAGE]), 'client-error-bad-request'],
    [
      'to a target that is not a URI',
      withOperation([CHARSET, LANGUAGE, uri('printer-uri', 'here')]),
      'client-error-bad-request',
    ],
    [
      'to another printer',
      withOperation([CHARSET, LANGUAGE, uri('printer-uri', 'ipp://127.0.0.1/ipp/print/other')]),
      'client-error-not-found',
    ],
    ['for an unknown operation', { code: 0x3fff }, 'server-error-operation-not-supported'],
  ])('%s gets the status of its fault', async (_, fault, status) => {
    const { answer, status: found } = await desk().send({ ...right, ...fault });
    expect(found).toBe(status);
    expect(answer.requestId).toBe(fault.requestId ?? 7);
  });
});

describe('a printer with a fault', () => {
  it.each(keysOf(PRINTER_FAULTS).filter(isReported))(
    'names %s among its reasons, with a severity where it has one',
    async (fault) => {
      const printer = desk();
      printer.printer.fail(fault);
      const [reason = ''] = (await printer.ask('Get-Printer-Attributes')).texts('printer-state-reasons');
      expect(reason.startsWith(fault)).toBe(true);
      expect(reason.slice(fault.length)).toMatch(/^(-error|-warning)?$/);
      printer.printer.clear();
      expect((await printer.ask('Get-Printer-Attributes')).texts('printer-state-reasons')).toEqual(['none']);
    },
  );

  it('takes no job while its spool area is full', async () => {
    const printer = desk();
    printer.printer.fail('spool-area-full');
    expect((await printer.ask('Print-Job', { data: PDF })).status).toBe('server-error-busy');
  });
});

describe('attributes', () => {
  it('are given by name and by group, the database of media to those that name it', async () => {
    const printer = desk();
    const namesOf = async (...asked: string[]): Promise<readonly string[]> =>
      (
        await printer.ask('Get-Printer-Attributes', {
          operation: [keyword('requested-attributes', ...asked)],
        })
      ).names;
    expect(await namesOf('printer-name', 'nonsense')).toEqual(['printer-name']);
    expect(await namesOf('job-template')).not.toContain('printer-name');
    expect(await namesOf('all')).not.toContain('media-col-database');
    expect(await namesOf('all', 'media-col-database')).toContain('media-col-database');
  });

  it('include a UUID that another start of the same printer has as well', async () => {
    const first = await uuidOf(desk());
    expect(first).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await uuidOf(desk())).toBe(first);
  });
});

async function uuidOf(printer: Desk): Promise<string | undefined> {
  return (await printer.ask('Get-Printer-Attributes')).text('printer-uuid');
}
