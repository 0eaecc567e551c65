/**
 * Recorded traffic of the reference service breaks nothing, at whatever address it was; each change of an answer is
 * named by its clause.
 */

import { beforeAll, describe, expect, it } from 'vitest';

import { judgeTraffic, type TrafficJudgement } from '../../../src/oracle/traffic.ts';
import type { ArchivedExchange } from '../../../src/record/http-archive.ts';
import { recordDay } from '../../support/recorded-day.ts';

const STEPS = `
  - add-webhook: { as: hook, messages: ['*'], secret: s3cret }
  - submit: { as: letter, printer: Laser, content: hello, idempotencyKey: monday }
  - submit: { as: again, printer: Laser, content: hello, idempotencyKey: monday, answers: 409 }
  - weigh: { scale: Scale, grams: 250 }
  - advance: 1s
  - request: { path: '/printjobs/{job:letter}/states' }
  - request: { path: '/computer/{computer:DESK}/scales' }
  - request: { path: '/printers' }
  - request: { path: '/printers?limit=1' }
  - request: { path: '/computers' }
  - request: { path: '/webhooks' }
  - request: { path: '/noop' }
  - request: { path: '/printers/77777', answers: any }
  - request: { method: DELETE, path: '/printjobs/{job:letter}' }
  - request: { method: POST, path: /printjobs, body: { contentType: raw_base64 }, answers: 400 }
`;
const SERVICE = 'https://print.example/api/v2';
let day: readonly ArchivedExchange[] = [];

beforeAll(async () => {
  const seen = await recordDay(STEPS);
  day = seen.flatMap((one): readonly ArchivedExchange[] => {
    if (one.kind !== 'exchange') return [];
    const { request, response, sentMs, receivedMs } = one.http;
    const body = request.body === undefined ? undefined : Buffer.from(request.body);
    return [
      {
        sentMs,
        receivedMs,
        connection: undefined,
        request: { method: request.method, url: SERVICE + request.path, headers: request.headers, body },
        response: { ...response, body: Buffer.from(response.body) },
      },
    ];
  });
});

type Response = NonNullable<ArchivedExchange['response']>;

/** The day, with the answers to a request changed. */
function changed(request: string, change: (response: Response) => Partial<Response>): TrafficJudgement {
  return judgeTraffic(
    day.map((one) => {
      const { method, url } = one.request;
      const isMeant = `${method} ${url.slice(SERVICE.length)}`.startsWith(request);
      return isMeant && one.response ? { ...one, response: { ...one.response, ...change(one.response) } } : one;
    }),
  );
}

// What an answer has is whatever its test expects it to be.
const saying =
  <Value>(change: (value: Value) => unknown) =>
  (response: Response) => ({
    headers: response.headers.filter(([name]) => !/^content-md5$/i.test(name)),
    body: Buffer.from(JSON.stringify(change(JSON.parse(String(response.body)) as Value))),
  });
const without =
  (field: string) =>
  (records: readonly object[]): unknown =>
    records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => name !== field)));
const clausesOf = ({ broken }: TrafficJudgement): readonly string[] =>
  broken.map(({ clause }) => clause).filter((clause) => !clause.includes('content-md5'));

it('finds nothing wrong with a sound service', () => {
  const { service, exchanges, judged, broken, unexplained, leftOut } = judgeTraffic(day);
  expect({ service, broken, unexplained, leftOut }).toEqual({
    service: SERVICE,
    broken: [],
    unexplained: [],
    leftOut: { elsewhere: 0, unanswered: 0, bodyless: 0 },
  });
  expect(exchanges).toBe(day.length);
  expect(judged).toBeGreaterThan(120);
});

describe('names the clause', () => {
  it.each<readonly [string, string, (response: Response) => Partial<Response>]>([
    ['print-jobs/created-201', 'POST /printjobs', ({ status }) => ({ status: status === 201 ? 200 : status })],
    ['computers/list', 'GET /computers', () => ({ status: 202 })],
    ['printers/field-description', 'GET /printers', saying(without('description'))],
    ['computers/field-name', 'GET /computers', saying(without('name'))],
    [
      'states/field-age',
      'GET /printjobs',
      saying((all: readonly object[]) => all.map((one) => [one].flat().map((state) => ({ ...state, age: 'old' })))),
    ],
    ['scales/field-vendor', 'GET /computer/', saying(without('vendor'))],
    ['webhooks/field-secret', 'GET /webhooks', saying(without('secret'))],
    ['accounts/field-id', 'GET /whoami', saying((account: object) => ({ ...account, id: 'x' }))],
    ['accounts/credits-not-null', 'GET /whoami', saying((account: object) => ({ ...account, credits: null }))],
    ['misc/noop-body-is-request-id', 'GET /noop', saying(() => 'another')],
    ['print-jobs/delete-200-ids', 'DELETE /printjobs', saying(() => ({}))],
    [
      'errors/conflict',
      'POST /printjobs',
      saying((value: { code?: string }) => (value.code ? { ...value, code: 'Twice' } : value)),
    ],
  ])('%s', (clause, request, change) => {
    expect(clausesOf(changed(request, change))).toContain(clause);
  });

  it('and how many exchanges break it', () => {
    const { broken } = changed('GET /printers', saying(without('description')));
    const [one] = broken.filter(({ clause }) => clause === 'printers/field-description');
    expect(one).toMatchObject({ level: 'must', example: { actual: 'nothing', expected: 'string' } });
    expect(one?.count).toBeGreaterThan(1);
  });

  it('of a history, where nobody else explains it', () => {
    const { broken, unexplained } = changed('POST /printjobs', (response) =>
      response.status === 409 ? { status: 201, body: Buffer.from('99') } : {},
    );
    expect(unexplained.map(({ clause }) => clause)).toContain('print-jobs/idempotency-conflict');
    expect(broken.map(({ clause }) => clause)).not.toContain('print-jobs/idempotency-conflict');
  });
});

it('names a clause once that an answer alone breaks, and a history as well', () => {
  const change = saying((account: object) => ({ ...account, id: 'x' }));
  const { broken, unexplained } = changed('GET /whoami', change);
  expect(broken.map(({ clause }) => clause)).toContain('accounts/field-id');
  expect(unexplained.map(({ clause }) => clause)).not.toContain('accounts/field-id');
});

it('compares the id of an account with no other where no answer names one', () => {
  const { broken, unexplained } = changed('', ({ headers }) => ({
    headers: headers.filter(([name]) => name.toLowerCase() !== 'x-account'),
  }));
  expect([...broken, ...unexplained].map(({ clause }) => clause)).not.toContain('accounts/field-id');
});

type Headers = ArchivedExchange['request']['headers'];

function withCredentials(headers: (given: Headers) => Headers): TrafficJudgement {
  return judgeTraffic(
    day.map((one) => ({ ...one, request: { ...one.request, headers: headers(one.request.headers) } })),
  );
}

describe('credentials', () => {
  it('that the recorder left out everywhere are no reason to refuse', () => {
    const bare = withCredentials((all) => all.filter(([name]) => name !== 'Authorization'));
    expect(clausesOf(bare)).toEqual([]);
  });

  it.each([
    ['authentication/other-scheme-401', 'Bearer x'],
    ['authentication/empty-key-401', 'Basic Og=='],
  ])('break %s', (clause, value) => {
    const odd = withCredentials((all) => all.map(([name, given]) => [name, name === 'Authorization' ? value : given]));
    expect(clausesOf(odd)).toContain(clause);
  });
});

it('leaves out what it cannot judge, and says so', () => {
  const [first] = day;
  if (!first?.response) throw new Error('the day has no answers');
  const elsewhere = { ...first, request: { ...first.request, url: 'https://other.example/whoami' } };
  const { leftOut, exchanges } = judgeTraffic([
    ...day,
    elsewhere,
    { ...first, response: undefined },
    { ...first, response: { ...first.response, body: undefined } },
    { ...first, request: { ...first.request, method: 'OPTIONS' } },
  ]);
  expect(leftOut).toEqual({ elsewhere: 1, unanswered: 1, bodyless: 1 });
  expect(exchanges).toBe(day.length);
});

it('knows no service in traffic of others', () => {
  const other = day.slice(0, 1).map((one) => ({ ...one, request: { ...one.request, url: 'https://other.example/x' } }));
  expect(judgeTraffic(other)).toMatchObject({ service: undefined, exchanges: 0 });
});

it('judges no digest of a body that was packed on its way, and no duration that was not recorded', () => {
  const { broken } = judgeTraffic(
    day.map((one) => ({
      ...one,
      receivedMs: one.sentMs,
      response: one.response && {
        ...one.response,
        headers: [
          ...one.response.headers.map(
            ([name, value]) => [name, /^(content-md5|elapsed)$/i.test(name) ? '9' : value] as const,
          ),
          ['Content-Encoding', 'gzip'] as const,
        ],
      },
    })),
  );
  expect(broken).toEqual([]);
});

/** An exchange that says no more than it must. */
function exchange(request: string, value: unknown = {}, more: Partial<ArchivedExchange> = {}): ArchivedExchange {
  const [method = '', url = ''] = request.split(' ');
  return {
    sentMs: 0,
    receivedMs: 1,
    connection: undefined,
    request: { method, url, headers: [], body: undefined },
    response: { status: 200, headers: [], body: Buffer.from(JSON.stringify(value)) },
    ...more,
  };
}

describe('the address of the service', () => {
  it.each<readonly [string, readonly string[], string, number]>([
    ['is that of most exchanges', ['//a/whoami', '//b/v1/whoami', '//b/v1/noop'], '//b/v1', 1],
    ['and not that of the last', ['//b/v1/whoami', '//b/v1/noop', '//a/whoami'], '//b/v1', 1],
    ['stands before all that is printed', ['//a/computers/1/printers'], '//a', 0],
    ['may have words of the API in it', ['//a/printers/computers'], '//a/printers', 0],
    ['ends where a path begins', ['//a/v1/whoami', '//a/v1/noop?x=/', '//a/v1x/whoami'], '//a/v1', 1],
  ])('%s: %j', (_, urls, service, elsewhere) => {
    const judgement = judgeTraffic(urls.map((url) => exchange(`GET http:${url}`)));
    expect(judgement).toMatchObject({ service: `http:${service}`, exchanges: urls.length - elsewhere });
    expect(judgement.leftOut.elsewhere).toBe(elsewhere);
  });
});

it('shows the first exchange that breaks a clause, whichever rule of it found it', () => {
  const { broken } = judgeTraffic([
    exchange('GET http://a/printers', [{ computer: {} }]),
    exchange('GET http://a/computers', [{}]),
    exchange('GET http://a/computers', [{ name: 'DESK' }]),
  ]);
  expect(broken.find(({ clause }) => clause === 'computers/field-name')).toMatchObject({
    level: 'must',
    count: 2,
    judged: 3,
    example: { exchange: 0, at: 'computer of a printer 1.name of GET /printers' },
  });
});

it('says what is recommended too, and not what was merely observed', () => {
  const headers = [['Content-Type', 'application/json; charset=utf-8']] as const;
  const { broken } = judgeTraffic([
    exchange('GET http://a/whoami', {}, { response: { status: 200, headers, body: Buffer.from('{"id":1}') } }),
  ]);
  expect(new Set(broken.map(({ level }) => level))).toEqual(new Set(['must', 'should']));
});
