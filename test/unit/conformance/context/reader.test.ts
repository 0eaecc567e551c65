import { expect, it } from 'vitest';

import { createReader, REFUSAL, type ActName, type Reader } from '../../../../src/conformance/context/reader.ts';
import { COMPUTER_FIELDS } from '../../../../src/specification/fields.ts';
import { LIST_HEADERS } from '../../../../src/specification/headers.ts';
import { exchangeAs, viewOf } from '../../../../src/stage/answer-view.ts';
import type { Deviation } from '../../../../src/stage/deviation.ts';
import { otherOrder } from '../../../../src/stage/order.ts';
import { otherSuccess } from '../../../../src/stage/statuses.ts';
import type { Exchange } from '../../../../src/wire/http-exchange.ts';

const HEADERS = [
  ['Request-Id', 'r'],
  ['X-Account', '7'],
] as const;

const LIST_PRINTED = [...HEADERS, ...Object.values(LIST_HEADERS).map(({ name }) => [name, '1'] as const)];

const computer = (id: number): object => ({
  ...Object.fromEntries(Object.keys(COMPUTER_FIELDS).map((name) => [name, null])),
  id,
});

const listed = (ids: readonly number[]): Exchange => ({
  request: { method: 'GET', path: '/computers?limit=1', baseUrl: 'http://service.example', headers: [] },
  response: { status: 200, headers: LIST_PRINTED, body: Buffer.from(JSON.stringify(ids.map(computer))) },
  sentMs: 0,
  receivedMs: 1,
});

const newest = (path: string) =>
  Promise.resolve({ value: path.endsWith('&dir=desc') ? [computer(2)] : [computer(1)], headers: [] });

function submission(status: number): Exchange {
  const request = { method: 'POST', path: '/printjobs', baseUrl: 'http://service.example', headers: [] };
  return { request, response: { status, headers: HEADERS, body: Buffer.from('5') }, sentMs: 0, receivedMs: 1 };
}

const deviationsOf = (status: number): readonly Deviation[] =>
  otherSuccess(viewOf(submission(status))).map(({ deviation }) => deviation);
const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** A reader of a service that answers a sound submission with this status, and the acts that it tried. */
function readerOf(status: number) {
  const tried: ActName[] = [];
  const reader = createReader((act, _, tell) => {
    tried.push(act);
    tell(deviationsOf(status));
    return Promise.resolve();
  });
  const statusRead = async (met: number, acts?: ReadonlySet<ActName>): Promise<number> =>
    (await reader.read(submission(met), { acts }, nothing)).exchange.response.status;
  return { reader, tried, statusRead };
}

it('reads as printed what a sound request is answered as well, and tries that once', async () => {
  const { reader, tried, statusRead } = readerOf(200);
  expect([await statusRead(200), await statusRead(200)]).toEqual([201, 201]);
  expect(tried).toEqual(['POST /printjobs']);
  const { met } = await reader.read(submission(200), {}, nothing);
  expect(met.map(({ deviation: { clauses, actual } }) => `${clauses[0]}: ${actual}`)).toEqual([
    'print-jobs/created-201: status 200',
  ]);
});

it('leaves as it is what a sound request is not answered', async () => {
  const { tried, statusRead } = readerOf(201);
  expect(await statusRead(200)).toBe(200);
  expect(tried).toEqual(['POST /printjobs']);
  expect(await readerOf(202).statusRead(200)).toBe(200);
});

it('tries nothing for an answer that is as printed, and keeps its very bytes', async () => {
  const { reader, tried } = readerOf(200);
  const exchange = submission(201);
  expect((await reader.read(exchange, {}, nothing)).exchange).toBe(exchange);
  expect(tried).toEqual([]);
});

it('takes the answer of an act for what is learnt from it, without another trial', async () => {
  const { tried, statusRead } = readerOf(201);
  expect(await statusRead(200, new Set(['POST /printjobs']))).toBe(201);
  expect(tried).toEqual([]);
});

it('reads what a trial asks for as it cleans up by what it has just learnt', async () => {
  const reader: Reader<{ readonly acts?: ReadonlySet<ActName> }> = createReader(async (_act, _from, tell) => {
    tell(deviationsOf(200));
    await reader.read(submission(200), {}, nothing);
  });
  expect((await reader.read(submission(200), {}, nothing)).exchange.response.status).toBe(201);
});

it('learns how a service refuses from one refusal, whatever is refused', async () => {
  const { reader, tried } = readerOf(201);
  const { request, response } = submission(404);
  const refused = exchangeAs(
    { request, response, sentMs: 0, receivedMs: 1 },
    { ...viewOf(submission(404)), value: {} },
  );
  await reader.read(refused, {}, nothing);
  expect(tried).toEqual([REFUSAL]);
});

it('reads a list that does not show its order as the others are read, once those were met', async () => {
  const tried: ActName[] = [];
  const reader = createReader((act, _, tell) => {
    tried.push(act);
    tell(otherOrder(viewOf(listed([1, 2]))).map(({ deviation }) => deviation));
    return Promise.resolve();
  });
  const read = async (ids: readonly number[]): Promise<string | undefined> =>
    /"id":\d/.exec(Buffer.from((await reader.read(listed(ids), {}, newest)).exchange.response.body).toString())?.[0];
  expect(await read([1])).toBe('"id":1');
  expect(tried).toEqual([]);
  await read([1, 2]);
  expect(await read([1])).toBe('"id":2');
  expect(tried).toEqual(['GET /computers']);
});
