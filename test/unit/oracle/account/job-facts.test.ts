import { describe, expect, it } from 'vitest';

import {
  collectFacts,
  endedBefore,
  idempotencyKeyOf,
  setsIn,
  type JobFacts,
} from '../../../../src/oracle/account/job-facts.ts';
import {
  ask,
  at,
  connects,
  delivers,
  DESK,
  hasPrinters,
  inTime,
  printer,
  printerRecord,
  reports,
  sendsReport,
  sleeps,
  submits,
  wakes,
  type Told,
} from '../../../support/told-history.ts';

const factsOf = (seen: readonly Told[]): ReturnType<typeof collectFacts> => collectFacts(inTime(seen));

function jobIn(seen: readonly Told[], id = 1): JobFacts {
  const job = factsOf(seen).jobs.get(id);
  if (!job) throw new Error(`there is no job ${id}`);
  return job;
}

describe('a job', () => {
  it('is what was submitted, with the times between which it expires', () => {
    const submitted = submits(
      1,
      { expireAfter: 10 },
      { sentMs: 50_000, atMs: 50_100, headers: { 'X-Idempotency-Key': 'k' } },
    );
    expect(jobIn([submitted])).toMatchObject({
      id: 1,
      account: '7',
      printerId: 11,
      idempotencyKey: 'k',
      place: 0,
      sentMs: 50_000,
      acceptedMs: 50_100,
      expiresFromMs: 60_000,
      expiresUntilMs: 60_100,
      cancelledAt: undefined,
      openSince: Infinity,
    });
  });

  it('expires after 14 days unless it says when', () => {
    const { expiresFromMs, sentMs } = jobIn([submits(1)]);
    expect(expiresFromMs - sentMs).toBe(1_209_600_000);
    expect(jobIn([submits(1, { expireAfter: 'soon' })]).expiresFromMs).toBe(1_209_600_000);
    expect(jobIn([submits(1, { expireAfter: '10' })]).expiresFromMs).toBe(10_000);
  });

  it.each<readonly [string, Told]>([
    ['that was refused', submits(1, {}, { status: 200 })],
    ['whose id is no number', submits(1, {}, { value: '1' })],
    ['that is no object', submits(1, {}, { sent: 'printerId=1' })],
    ['of another path', ask('POST /printjobsx', { status: 201, value: 1, sent: {} })],
    ['of another method', ask('PUT /printjobs', { status: 201, value: 1, sent: {} })],
  ])('is none %s', (_, submitted) => {
    expect(factsOf([submitted]).jobs.size).toBe(0);
  });

  it('is the first with its id', () => {
    expect(jobIn([submits(1, { title: 'a' }), submits(1, { title: 'b' })]).sent).toMatchObject({ title: 'a' });
  });

  it('has its deliveries and reports, also those that are seen before it, each report once', () => {
    const { deliveries, reports: all } = jobIn([
      delivers(1),
      submits(1),
      delivers(2),
      sendsReport(1),
      reports(2),
      reports(1),
    ]);
    expect(deliveries.map(({ place, sincePlace, sinceMs }) => [place, sincePlace, sinceMs])).toEqual([[0, 0, 0]]);
    expect(all.map(({ kind, place }) => [kind, place])).toEqual([
      ['report-sent', 3],
      ['report', 7],
    ]);
  });

  it.each<readonly [string, readonly Told[], readonly [number, number]]>([
    [
      'has been on its way since it was submitted to a computer asleep',
      [sleeps(), submits(1), wakes(), delivers(1)],
      [1, 1_000],
    ],
    ['has been on its way since its computer fell asleep', [submits(1), sleeps(), wakes(), delivers(1)], [1, 1_000]],
    ['has not been on its way to another computer asleep', [sleeps(2), submits(1), delivers(1)], [2, 2_000]],
    [
      'has not been on its way before its computer came back',
      [sleeps(), connects(), submits(1), delivers(1)],
      [3, 3_000],
    ],
    ['has been on its way before its computer came back', [sleeps(), submits(1), connects(), delivers(1)], [1, 1_000]],
    [
      'has not been on its way before its computer came back first',
      [sleeps(), connects(), submits(1), connects(), delivers(1)],
      [4, 4_000],
    ],
    ['has been on its way since the last sleep', [sleeps(), connects(), sleeps(), submits(1), delivers(1)], [3, 3_000]],
  ])('%s', (_, seen, since) => {
    const [delivery] = jobIn(seen).deliveries;
    expect([delivery?.sincePlace, delivery?.sinceMs]).toEqual(since);
  });

  it.each<readonly [string, Told, number | undefined]>([
    ['by its id', ask('DELETE /printjobs/1', { value: [1] }), 1],
    ['with all', ask('DELETE /printjobs', { value: [1] }), 1],
    ['with those of its printer', ask('DELETE /printers/11/printjobs', { value: [1] }), 1],
    ['by its printer and id', ask('DELETE /printers/11/printjobs/1', { value: [1] }), 1],
    ['not when it is not in the answer', ask('DELETE /printjobs/1', { value: [2, '1'] }), undefined],
    ['not when the answer is no list', ask('DELETE /printjobs/1', { value: 1 }), undefined],
    ['not by a refusal', ask('DELETE /printjobs/1', { value: [1], status: 400 }), undefined],
    ['not by another method', ask('GET /printjobs/1', { value: [1] }), undefined],
    ['not by another path', ask('DELETE /printjobs/1/x', { value: [1] }), undefined],
    ['not by a path that ends alike', ask('DELETE /x/printjobs/1', { value: [1] }), undefined],
  ])('is cancelled %s', (_, cancelled, expected) => {
    expect(jobIn([submits(1), cancelled, cancelled]).cancelledAt).toBe(expected);
  });

  const place = DESK.length + 1;
  it.each<readonly [string, Told, number]>([
    ['its computer is deleted', ask('DELETE /computers/1', { value: [1] }), place],
    ['all computers are deleted', ask('DELETE /computers', { value: [1] }), place],
    ['its account is deleted', ask('DELETE /account'), place],
    ['another computer is deleted', ask('DELETE /computers/2', { value: [2] }), Infinity],
    ['another account is deleted', ask('DELETE /account', { child: '9' }), Infinity],
    ['its computer is not deleted', ask('DELETE /computers/1', { value: [1], status: 404 }), Infinity],
    ['something else is deleted', ask('DELETE /computers/1/x', { value: [1] }), Infinity],
    ['something else of the account is deleted', ask('DELETE /account/tag/x'), Infinity],
    ['something of a computer is deleted', ask('DELETE /x/computers/1', { value: [1] }), Infinity],
  ])('is open when %s', (_, deleted, expected) => {
    expect(jobIn([DESK, submits(1), deleted, deleted]).openSince).toBe(expected);
  });

  it('is not open for a printer of which nothing is known', () => {
    expect(jobIn([submits(1), ask('DELETE /computers/1', { value: [1] })]).openSince).toBe(Infinity);
  });

  it.each<readonly [string, readonly Told[], boolean]>([
    ['printed', reports(1), true],
    ['failed', reports(1, 'error'), true],
    ['was received', reports(1, 'received'), false],
    ['was printed without an acknowledgement', [sendsReport(1)], false],
  ])('has ended when it %s', (_, seen, expected) => {
    expect(endedBefore(jobIn([submits(1), seen]), 3)).toBe(expected);
    expect(endedBefore(jobIn([submits(1), seen]), 2)).toBe(false);
  });
});

describe('printers', () => {
  it('are known from the lists that show them, with all their names', () => {
    const renamed = printerRecord(11, 'New');
    const { printers } = factsOf([
      ask('GET /printers', { value: [printerRecord()] }),
      ask('GET /printers', { value: [renamed] }),
    ]);
    expect(printers.get(11)).toEqual({ id: 11, account: '7', computerId: 1, names: new Set(['Laser', 'New']) });
  });

  it('are known from print jobs that show them', () => {
    expect(factsOf([ask('GET /printjobs', { value: [{ id: 1, printer: printerRecord() }] })]).printers.has(11)).toBe(
      true,
    );
  });

  it.each<readonly [string, Told]>([
    ['without an id', ask('GET /printers', { value: [printerRecord(11, 'Laser', { id: '11' })] })],
    ['without a name', ask('GET /printers', { value: [printerRecord(11, 'Laser', { name: 5 })] })],
    ['without a computer', ask('GET /printers', { value: [printerRecord(11, 'Laser', { computer: 1 })] })],
    ['of a refusal', ask('GET /printers', { value: [printerRecord()], status: 404 })],
    ['of another method', ask('POST /printers', { value: [printerRecord()] })],
    ['of a job without its computer', ask('GET /printjobs', { value: [{ printer: { id: 11, name: 'Laser' } }] })],
  ])('are not known %s', (_, seen) => {
    expect(factsOf([seen]).printers.size).toBe(0);
  });

  it('are known by key, with all names that were ever reported', () => {
    const { reported } = factsOf([
      hasPrinters(1, printer()),
      hasPrinters(1, printer('New', { key: 'laser' }), printer('Two')),
      hasPrinters(2, printer()),
    ]);
    expect(reported).toEqual(
      new Map([
        [
          1,
          new Map([
            ['laser', new Set(['Laser', 'New'])],
            ['two', new Set(['Two'])],
          ]),
        ],
        [2, new Map([['laser', new Set(['Laser'])]])],
      ]),
    );
  });
});

it.each<readonly [string, Told, string | undefined]>([
  ['an answer with an account', ask('POST /account', { value: { Account: { id: 9 } } }), '7'],
  ['an answer that is the account', ask('POST /account', { value: { id: 9 } }), '7'],
  ['an answer that is the id', ask('POST /account', { value: 9 }), '7'],
  ['an answer that is text', ask('POST /account', { value: '9' }), undefined],
  ['a refusal', ask('POST /account', { value: 9, status: 400 }), undefined],
  ['another method', ask('PATCH /account', { value: { id: 9 } }), undefined],
  ['another path', ask('POST /account/x', { value: { id: 9 } }), undefined],
])('knows a Child from %s', (_, seen, expected) => {
  expect(factsOf([seen]).children.get('9')).toBe(expected);
});

it('knows a cancelled job of any number', () => {
  const facts = factsOf([submits(12), ask('DELETE /printjobs/12', { value: [12] })]);
  expect(facts.jobs.get(12)?.cancelledAt).toBe(1);
});

it('knows deleted computers', () => {
  expect([...factsOf([at(0, ask('DELETE /computers/1,2', { value: [1, 2, '3'] }))]).deletedComputers.keys()]).toEqual([
    1, 2,
  ]);
});

it.each([
  ['/printjobs', {}],
  ['/printjobs/1,2', { jobIds: [1, 2] }],
  ['/printjobs/states', {}],
  ['/printjobs/1/states', { jobIds: [1] }],
  ['/printers/3,4/printjobs', { printerIds: [3, 4] }],
  ['/printers/3/printjobs/1', { printerIds: [3], jobIds: [1] }],
  ['/printjobs/x', undefined],
  ['/printers/x/printjobs', undefined],
  ['/printers/x/printjobs/1', undefined],
  ['/printers/3/printjobs/x', undefined],
  ['/x/printjobs', undefined],
  ['/printjobs/1/x', undefined],
  ['/printjobsx', undefined],
])('reads the sets of %s', (path, expected) => {
  expect(setsIn(path)).toEqual(expected);
});

function keyOf(headers: Readonly<Record<string, string>>): string | undefined {
  return idempotencyKeyOf(submits(1, {}, { headers }));
}

it('takes an empty idempotency key for none', () => {
  expect(keyOf({ 'x-IDEMPOTENCY-key': 'k' })).toBe('k');
  expect(keyOf({ 'X-Idempotency-Key': '' })).toBeUndefined();
  expect(keyOf({ 'X-Other': 'k' })).toBeUndefined();
});
