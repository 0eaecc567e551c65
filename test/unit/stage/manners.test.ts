import { hash } from 'node:crypto';

import { expect, it } from 'vitest';

import { headerValues, type HeaderPair } from '../../../src/common/header-pairs.ts';
import { NotJson, parseJson } from '../../../src/common/json-value.ts';
import { exchangeAs, viewOf } from '../../../src/stage/answer-view.ts';
import { MANNERS } from '../../../src/stage/manners.ts';
import { otherOrder } from '../../../src/stage/order.ts';
import type { Exchange } from '../../../src/wire/http-exchange.ts';

const PRINTED: readonly HeaderPair[] = [
  ['Request-Id', 'r1'],
  ['X-Account', '7'],
  ['Records-Returned', '1'],
  ['Records-Returned-Offset', '0'],
  ['Records-Returned-Limit', '100'],
  ['Records-Total', '1'],
];

interface Answered {
  readonly status?: number;
  readonly headers?: readonly HeaderPair[];
  readonly body: unknown;
}

function exchangeOf(line: string, { status = 200, headers = PRINTED, body }: Answered): Exchange {
  const [method = '', path = ''] = line.split(' ');
  const text = body === undefined ? '' : JSON.stringify(body);
  return {
    request: { method, path, baseUrl: 'http://service.example', headers: [['Authorization', 'Basic a']] },
    response: { status, headers, body: Buffer.from(text) },
    sentMs: 0,
    receivedMs: 1,
  };
}

/** What is said of an answer, and what it is read as when all of that is known. */
async function readAll(line: string, answered: Answered) {
  const exchange = exchangeOf(line, answered);
  const ask = {
    get: () => Promise.resolve({ value: ['the list'], headers: PRINTED }),
    account: () => Promise.resolve({ id: 7 }),
  };
  let view = viewOf(exchange);
  const said: string[] = [];
  for (const manner of MANNERS) {
    for (const { deviation, read, isHidden } of manner(view)) {
      if (isHidden) continue;
      said.push(`${deviation.clauses[0]}: ${deviation.actual}`);
      view = await read(view, ask);
    }
  }
  const { response } = exchangeAs(exchange, view);
  return { said, status: response.status, value: parseJson(response.body), headers: response.headers };
}

const COMPUTER = {
  id: 5,
  name: 'a',
  inet: null,
  inet6: null,
  hostname: null,
  version: null,
  jre: null,
  createTimestamp: '2026-11-28T06:00:00.000Z',
  state: 'connected',
};
const { createTimestamp, ...UNTIMED } = COMPUTER;
const STATE = { printJobId: 5, state: 'new', message: '', data: {}, clientVersion: null, createTimestamp, age: 0 };
const CREATED = { status: 201 };

it.each<[string, Answered, string[], unknown]>([
  ['POST /printjobs', { ...CREATED, body: 5 }, [], 5],
  ['POST /printjobs', { status: 200, body: 5 }, ['print-jobs/created-201: status 200'], 5],
  ['POST /printjobs', { ...CREATED, body: '5' }, ['print-jobs/created-id-integer: a string'], 5],
  ['POST /printjobs', { ...CREATED, body: [5] }, ['print-jobs/created-id-integer: an array'], 5],
  [
    'POST /printjobs',
    { ...CREATED, body: { printerId: 3, job: { id: 5 } } },
    ['print-jobs/created-id-integer: an object with the id at job.id'],
    5,
  ],
  [
    'POST /printjobs',
    { ...CREATED, headers: [...PRINTED, ['Location', '/printjobs/5']], body: undefined },
    ['print-jobs/created-id-integer: no id but in Location'],
    5,
  ],
  ['GET /computers', { body: [COMPUTER] }, [], [COMPUTER]],
  [
    'GET /printjobs/5/states',
    { body: { data: [[STATE]] } },
    ['print-jobs/states-set: an object with the array at data'],
    [[STATE]],
  ],
  ['GET /computers', { body: { data: [] } }, ['computers/list: an object with the array at data'], []],
  [
    'GET /computers/5',
    { body: [{ ...UNTIMED, create_timestamp: createTimestamp }] },
    ['computers/field-create-timestamp: keys in snake_case, create_timestamp among them'],
    [COMPUTER],
  ],
  ['GET /computers/5', { body: [{ ...COMPUTER, id: '5' }] }, ['service/id-positive-integer: a string'], [COMPUTER]],
  [
    'GET /computers/5',
    { body: [{ ...COMPUTER, createTimestamp: Date.parse(createTimestamp) }] },
    ['computers/field-create-timestamp: a number'],
    [COMPUTER],
  ],
  [
    'GET /computers/5',
    { body: [{ ...COMPUTER, createTimestamp: Date.parse(createTimestamp) / 1000 }] },
    ['computers/field-create-timestamp: a number of seconds'],
    [COMPUTER],
  ],
  ['GET /computers/5', { body: [UNTIMED] }, ['computers/field-create-timestamp: no such field'], [UNTIMED]],
  ['DELETE /printjobs/5', { body: [{ id: 5 }] }, ['print-jobs/delete-200-ids: an array of objects'], [5]],
  [
    'DELETE /printjobs/5',
    { status: 204, body: undefined },
    ['print-jobs/delete-200-ids: status 204 and nothing'],
    new NotJson(''),
  ],
  ['GET /noop', { status: 204, body: undefined }, ['misc/noop: status 204 and nothing'], 'r1'],
  ['DELETE /webhook/5', { status: 204, body: undefined }, ['webhooks/delete-answers-list: nothing'], ['the list']],
  ['POST /webhook', { body: { webhookId: 5 } }, ['webhooks/create-answers-list: an object'], ['the list']],
  [
    'GET /account/state',
    { body: { state: 'active' } },
    ['accounts/state-json-string: an object with it at state'],
    'active',
  ],
  // By job: a shape that the specification leaves open.
  ['GET /printjobs/5/states', { body: { 5: [] } }, [], { 5: [] }],
])('reads the answer to %s: %o', async (line, answered, said, value) => {
  expect(await readAll(line, answered)).toMatchObject({ said, value });
});

const ERROR = { uid: 'r1', code: 'InvalidCredentials', message: 'No such key' };

it.each<[Answered, string[], number, unknown]>([
  [{ status: 401, body: ERROR }, [], 401, ERROR],
  [{ status: 401, body: { error: ERROR } }, ['errors/object-three-keys: an object with it at error'], 401, ERROR],
  [
    { status: 401, body: { error: 'No such key' } },
    ['errors/object-three-keys: no uid, no code, no message'],
    401,
    ERROR,
  ],
  // Who is known is refused for another reason.
  [{ status: 403, body: { ...ERROR, code: 'Forbidden' } }, [], 403, { ...ERROR, code: 'Forbidden' }],
  [
    { status: 403, body: ERROR },
    ['authentication/missing-credentials-401: status 403 with InvalidCredentials'],
    401,
    ERROR,
  ],
  [
    { status: 403, headers: [['Request-Id', 'r1']], body: { ...ERROR, code: 'Forbidden' } },
    ['authentication/missing-credentials-401: status 403 with Forbidden'],
    401,
    ERROR,
  ],
  [{ status: 401, body: { ...ERROR, code: 'Unauthorized' } }, ['errors/invalid-credentials: Unauthorized'], 401, ERROR],
  // What a service says that has failed is no refusal.
  [{ status: 500, body: 'oops' }, [], 500, 'oops'],
])('reads the refusal %o', async (answered, said, status, value) => {
  expect(await readAll('GET /noop', answered)).toMatchObject({ said, status, value });
});

it('takes the account of a caller from another answer where the header is missing', async () => {
  const headers = PRINTED.filter(([name]) => name !== 'X-Account');
  const { said, headers: read } = await readAll('GET /computers', { headers, body: [] });
  expect(said).toEqual(['authentication/x-account: no such header']);
  expect(headerValues(read, 'X-Account')).toEqual(['7']);
});

const recordsOf = (ids: readonly number[]): readonly object[] => ids.map((id) => ({ id }));

it.each<[path: string, ids: readonly number[], again: readonly number[], read: readonly number[]]>([
  ['/computers', [5, 6], [6, 5], [6, 5]],
  ['/computers?limit=2', [5, 6], [9, 8], [9, 8]],
  ['/computers?after=9', [], [8], [8]],
  // Neither direction is known then.
  ['/computers', [5, 6], [5, 6], [5, 6]],
  ['/computers?after=4', [5, 6], [], []],
])('reads %s, %o, in the order that dir=desc gives: %o', async (path, ids, again, read) => {
  const view = viewOf(exchangeOf(`GET ${path}`, { body: recordsOf(ids) }));
  const asked: string[] = [];
  const get = (other: string) => {
    asked.push(other);
    return Promise.resolve({ value: recordsOf(again), headers: [['Records-Returned', '9'] as const] });
  };
  const [found] = otherOrder(view);
  const seen = await found?.read(view, { get, account: () => Promise.resolve({}) });
  expect(found?.deviation.clauses).toEqual(['service/page-dir-default']);
  expect(asked).toEqual([`${path}${path.includes('?') ? '&' : '?'}dir=desc`]);
  expect(seen?.value).toEqual(recordsOf(read));
  const isAgain = read.join() === again.join() && read.join() !== ids.join();
  expect(headerValues(seen?.headers ?? [], 'Records-Returned')).toEqual([isAgain ? '9' : '1']);
});

it.each([
  ['/computers', [6, 5]],
  ['/computers?dir=asc', [5, 6]],
  ['/webhooks', [5, 6]],
])('leaves the order of %s as it is: %o', (path, ids) => {
  expect(otherOrder(viewOf(exchangeOf(`GET ${path}`, { body: recordsOf(ids) })))).toEqual([]);
});

const WRAPPED = { data: [] };

async function digestReadOf(digest: string): Promise<readonly string[]> {
  const headers: readonly HeaderPair[] = [...PRINTED, ['Content-MD5', digest]];
  return headerValues((await readAll('GET /computers', { headers, body: WRAPPED })).headers, 'Content-MD5');
}

it('gives a body that was read otherwise the digest that belongs to it, and leaves a wrong one', async () => {
  const digest = hash('md5', JSON.stringify(WRAPPED), 'base64');
  expect(await digestReadOf(digest)).toEqual([hash('md5', '[]', 'base64')]);
  expect(await digestReadOf('wrong')).toEqual(['wrong']);
});
