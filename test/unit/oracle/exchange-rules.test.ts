/** Each rule names its clause where one exchange breaks it, and says nothing of exchanges that it is not about. */

import { describe, expect, it } from 'vitest';

import { CREDENTIAL_RULES, EXCHANGE_RULES } from '../../../src/oracle/exchange-rules.ts';
import type { ObservedExchange } from '../../../src/oracle/invariant.ts';
import { judgeHistory } from '../../../src/oracle/invariants.ts';
import type { Mismatch } from '../../../src/oracle/mismatch.ts';
import type { FieldTable } from '../../../src/oracle/record-fields.ts';
import type { Field, FieldType } from '../../../src/specification/clause.ts';
import { ENDPOINTS } from '../../../src/specification/endpoints.ts';
import {
  ACCOUNT_FIELDS,
  CAPABILITY_FIELDS,
  COMPUTER_FIELDS,
  PRINT_JOB_STATE_FIELDS,
  PRINT_RATE_FIELDS,
  PRINTER_FIELDS,
  SCALE_FIELDS,
  WEBHOOK_FIELDS,
} from '../../../src/specification/fields.ts';

interface Made {
  readonly status?: number;
  readonly value?: unknown;
  readonly headers?: ObservedExchange['response']['headers'];
  readonly requestHeaders?: ObservedExchange['request']['headers'];
  readonly body?: string | undefined;
}

/** @param request - its method and path: `GET /whoami` */
function exchange(
  request: string,
  { status = 200, value = {}, headers, requestHeaders, body }: Made,
): ObservedExchange {
  const [method = '', path = ''] = request.split(' ');
  return {
    request: { method, path, headers: requestHeaders ?? [], body },
    response: { status, headers: headers ?? [], body: Buffer.from(JSON.stringify(value)) },
    sentMs: 0,
    receivedMs: 1,
  };
}

type Shown = Mismatch & { readonly clause: string };

/** What breaks, by clause. */
function foundBy(rules: typeof EXCHANGE_RULES, request: string, made: Made): readonly Shown[] {
  return judgeHistory([exchange(request, made)], rules).flatMap(({ clause, mismatches }) =>
    mismatches.map((mismatch) => ({ clause, ...mismatch })),
  );
}

function brokenBy(rules: typeof EXCHANGE_RULES, request: string, made: Made): readonly string[] {
  return foundBy(rules, request, made).map(({ clause }) => clause);
}

describe('a status', () => {
  it.each(
    ENDPOINTS.filter(({ successStatus }) => successStatus !== null).map((one) => [one.method, one.path, one] as const),
  )('of %s %s is the one that is printed', (method, path, { clause, successStatus }) => {
    const request = `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`;
    expect(brokenBy(EXCHANGE_RULES, request, { status: 404 })).toEqual([]);
    const ofStatus = foundBy(EXCHANGE_RULES, request, { status: 202 }).filter(({ at }) => at.startsWith('status'));
    expect(ofStatus).toEqual([
      { clause, at: `status of ${request}`, expected: String(successStatus), actual: '202', exchange: 0 },
    ]);
  });
});

describe('an answer has its shape', () => {
  it.each<[string, string, unknown, unknown, string]>([
    ['accounts/state-json-string', 'GET /account/state', 'active', 'asleep', 'a state'],
    ['accounts/whoami', 'GET /whoami', {}, [], 'an account object'],
    ['computers/list', 'GET /computers', [], {}, 'an array'],
    ['printers/list', 'GET /printers', [], {}, 'an array'],
    ['print-jobs/list', 'GET /printjobs', [], {}, 'an array'],
    ['scales/list', 'GET /computer/0/scales', [], {}, 'an array'],
    ['scales/read-one', 'GET /computer/0/scale/x/1', {}, [], 'a scale data object'],
    ['webhooks/list', 'GET /webhooks', [], {}, 'an array'],
    ['computers/delete-set', 'DELETE /computers/1', [1], ['1'], 'an array of ids'],
    ['print-jobs/delete-200-ids', 'DELETE /printers/1/printjobs', [], 1, 'an array of ids'],
  ])('%s: %s', (clause, request, good, bad, expected) => {
    expect(brokenBy(EXCHANGE_RULES, request, { value: good })).toEqual([]);
    const at = `body of ${request}`;
    const actual = JSON.stringify(bad);
    expect(foundBy(EXCHANGE_RULES, request, { value: bad })).toEqual([{ clause, at, expected, actual, exchange: 0 }]);
    expect(brokenBy(EXCHANGE_RULES, request, { value: bad, status: 404 })).toEqual([]);
  });

  it('and that of others is not asked for', () => {
    expect(brokenBy(EXCHANGE_RULES, 'POST /webhook', { value: {} })).toEqual([]);
  });

  it('which is the id of the request at GET /noop', () => {
    const headers = [['Request-Id', 'a']] as const;
    expect(brokenBy(EXCHANGE_RULES, 'GET /noop', { headers, value: 'a' })).toEqual([]);
    expect(brokenBy(EXCHANGE_RULES, 'GET /noop', { headers, value: 'b', status: 404 })).toEqual([]);
    expect(foundBy(EXCHANGE_RULES, 'GET /noop', { headers, value: 'b' })).toMatchObject([
      { clause: 'misc/noop-body-is-request-id', at: 'body of GET /noop', expected: '"a"', actual: '"b"' },
    ]);
  });
});

const SAMPLES: Readonly<Record<FieldType, unknown>> = {
  boolean: true,
  integer: 1,
  number: 1.5,
  string: 'a',
  timestamp: '2026-01-02T03:04:05.678Z',
  null: null,
  object: {},
  array: [],
  'array of strings': ['a'],
  'array of integers': [1],
  'array of arrays of integers': [[1]],
  'array of 2': [1, 2],
  'Computer object': {},
  'capabilities object': {},
  statistic: {},
  'JSON string': 'a',
};
const sound = (fields: FieldTable): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.values?.[0] ?? SAMPLES[field.type]]));
const wrongFor = ({ type }: Field): unknown => (type === 'boolean' ? 'x' : true);

const { webhookId, url, secret, messages } = WEBHOOK_FIELDS;
const SETTINGS = { webhookId, url, secret, messages };
const COMPUTER = sound(COMPUTER_FIELDS);
const CAPABILITIES = { ...sound(CAPABILITY_FIELDS), printrate: sound(PRINT_RATE_FIELDS) };
const PRINTER = { ...sound(PRINTER_FIELDS), computer: COMPUTER, capabilities: CAPABILITIES };
const alone = (record: object): unknown => record;
const listed = (record: object): unknown => [record];

interface Kind {
  readonly name: string;
  readonly request: string;
  readonly fields: FieldTable;
  readonly record: Record<string, unknown>;
  /** An answer with the record in it. */
  readonly answer: (record: object) => unknown;
  readonly allKeys?: string;
}

const ACCOUNT = { fields: ACCOUNT_FIELDS, record: sound(ACCOUNT_FIELDS), allKeys: 'accounts/fields-always-present' };
const STATE = {
  fields: PRINT_JOB_STATE_FIELDS,
  record: sound(PRINT_JOB_STATE_FIELDS),
  allKeys: 'states/fields-always-present',
};
const READING = { fields: SCALE_FIELDS, record: sound(SCALE_FIELDS), allKeys: 'scales/fields-always-present' };
const RATE = { fields: PRINT_RATE_FIELDS, record: sound(PRINT_RATE_FIELDS) };
const OWN = { fields: COMPUTER_FIELDS, record: COMPUTER, allKeys: 'computers/fields-always-present' };
const LASER = { fields: PRINTER_FIELDS, record: PRINTER, allKeys: 'printers/fields-always-present' };
const withRate = (printrate: object): unknown => listed({ ...PRINTER, capabilities: { ...CAPABILITIES, printrate } });

const KINDS: readonly Kind[] = [
  { name: 'account', request: 'GET /whoami', ...ACCOUNT, answer: alone },
  { name: 'computer', request: 'GET /computers', ...OWN, answer: listed },
  {
    name: 'computer of a printer',
    request: 'GET /printers',
    fields: COMPUTER_FIELDS,
    record: COMPUTER,
    answer: (computer) => listed({ ...PRINTER, computer }),
  },
  { name: 'printer', request: 'GET /printers', ...LASER, answer: listed },
  { name: 'printrate', request: 'GET /printers', ...RATE, answer: withRate },
  { name: 'state', request: 'GET /printjobs/states', ...STATE, answer: (record) => ({ 5: [record], 6: [] }) },
  { name: 'reading', request: 'GET /computer/0/scales', ...READING, answer: listed },
  { name: 'reading', request: 'GET /computer/0/scale/x/1', ...READING, answer: alone },
  { name: 'webhook', request: 'POST /webhook', fields: SETTINGS, record: sound(SETTINGS), answer: listed },
];

describe.each(KINDS)('each $name of $request', ({ name, request, fields, record, answer, allKeys }) => {
  it('is sound with all its fields', () => {
    expect(brokenBy(EXCHANGE_RULES, request, { value: answer(record) })).toEqual([]);
  });

  it.each(Object.entries(fields))('has %s, of its type', (field, printed) => {
    const { clause, notNull } = printed;
    const { [field]: _, ...rest } = record;
    const missing = brokenBy(EXCHANGE_RULES, request, { value: answer(rest) });
    expect(missing).toEqual(allKeys === undefined ? [clause] : [clause, allKeys]);
    const at = `${name} 1.${field} of ${request}`;
    const wrong = wrongFor(printed);
    expect(foundBy(EXCHANGE_RULES, request, { value: answer({ ...record, [field]: wrong }) })).toMatchObject([
      { clause, at, actual: JSON.stringify(wrong) },
    ]);
    const ofNull = foundBy(EXCHANGE_RULES, request, { value: answer({ ...record, [field]: null }) });
    const ofType = !printed.nullable && printed.type !== 'null' ? [{ clause, at, actual: 'null' }] : [];
    const ofNotNull = { clause: notNull, at, expected: 'not null', actual: 'null' };
    expect(ofNull).toMatchObject(notNull === undefined ? ofType : [ofNotNull]);
  });
});

function brokenWith(capabilities: object): readonly string[] {
  return brokenBy(EXCHANGE_RULES, 'GET /printers', { value: listed({ ...PRINTER, capabilities }) });
}

describe('records', () => {
  it('of which there are none are not judged', () => {
    const judged = judgeHistory([exchange('GET /computers', { value: [] })], EXCHANGE_RULES);
    const clauses = judged.filter((line) => line.judged > 0).map(({ clause }) => clause);
    expect(new Set(clauses)).toEqual(new Set(['computers/list']));
    expect(brokenBy(EXCHANGE_RULES, 'GET /computers', { value: [{}], status: 404 })).toEqual([]);
  });

  it('are named by the first that lacks something', () => {
    const found = foundBy(EXCHANGE_RULES, 'GET /computers', { value: [COMPUTER, {}, {}] });
    expect(found.find(({ clause }) => clause === 'computers/field-name')).toMatchObject({
      at: 'computer 2.name of GET /computers',
      expected: 'string',
      actual: 'nothing',
    });
  });

  it.each(Object.entries(CAPABILITY_FIELDS))('of capabilities may lack %s, and it is of its type', (field, printed) => {
    const { [field]: _, ...rest } = CAPABILITIES as Record<string, unknown>;
    expect(brokenWith(rest)).toEqual([]);
    expect(brokenWith({ ...rest, [field]: wrongFor(printed) })).toEqual([printed.clause]);
  });
});

describe('an error', () => {
  it.each<[string, string, number, string]>([
    ['errors/invalid-credentials', 'GET /whoami', 401, 'InvalidCredentials'],
    ['errors/conflict', 'POST /printjobs', 409, 'Conflict'],
    ['errors/too-many-requests', 'GET /whoami', 429, 'TooManyRequests'],
  ])('has the code of its status: %s', (clause, request, status, code) => {
    expect(brokenBy(EXCHANGE_RULES, request, { status, value: { code } })).toEqual([]);
    expect(foundBy(EXCHANGE_RULES, request, { status, value: { code: 'Other' } })).toMatchObject([
      { clause, at: `body.code of ${request}`, expected: code, actual: '"Other"' },
    ]);
  });

  it('of a conflict elsewhere has any code', () => {
    expect(brokenBy(EXCHANGE_RULES, 'POST /webhook', { status: 409, value: { code: 'Other' } })).toEqual([]);
  });
});

describe('a body that is no JSON', () => {
  const made = { status: 500, body: '{', requestHeaders: [['Content-Type', 'application/json']] } as const;
  const typed = (type: string): Made => ({ ...made, requestHeaders: [['Content-Type', type]] });

  it.each<[string, Made]>([
    ['POST /printjobs', made],
    ['PUT /account/state', made],
    ['POST /printjobs', typed('APPLICATION/JSON ;charset=utf-8')],
  ])('is told to the caller of %s', (request, broken) => {
    expect(brokenBy(EXCHANGE_RULES, request, broken)).toEqual(['errors/invalid-content']);
  });

  it.each<[string, string, Made]>([
    ['JSON', 'POST /printjobs', { ...made, body: '{}' }],
    ['empty', 'POST /printjobs', { ...made, body: '' }],
    ['not there', 'POST /printjobs', { ...made, body: undefined }],
    ['of no type', 'POST /printjobs', { ...made, requestHeaders: [] }],
    ['of another type', 'POST /printjobs', typed('text/application/json')],
    ['of a type like it', 'POST /printjobs', typed('application/jsonp')],
    ['sent where none is read', 'GET /printers', made],
    ...[401, 403, 404, 405, 413, 415, 429].map((status): [string, string, Made] => [
      `not read before ${status}`,
      'POST /printjobs',
      { ...made, status, value: { code: status === 401 ? 'InvalidCredentials' : 'TooManyRequests' } },
    ]),
  ])('is something else where it is %s', (_, request, other) => {
    expect(brokenBy(EXCHANGE_RULES, request, other)).toEqual([]);
  });
});

describe('credentials', () => {
  it.each<[string, string | undefined]>([
    ['authentication/missing-credentials-401', undefined],
    ['authentication/other-scheme-401', 'Bearer x'],
    ['authentication/other-scheme-401', 'Basically x'],
    ['authentication/other-scheme-401', 'Not basic x'],
    ['authentication/empty-key-401', 'Basic Og=='],
    ['authentication/empty-key-401', 'basic Og=='],
  ])('that break %s are refused: %s', (clause, given) => {
    const requestHeaders = given === undefined ? [] : ([['Authorization', given]] as const);
    expect(brokenBy(CREDENTIAL_RULES, 'GET /whoami', { requestHeaders })).toEqual([clause]);
    for (const status of [401, 429])
      expect(brokenBy(CREDENTIAL_RULES, 'GET /whoami', { requestHeaders, status })).toEqual([]);
    expect(brokenBy(CREDENTIAL_RULES, 'GET /ping', { requestHeaders })).toEqual([]);
  });

  it.each<[string, string]>([
    ['authentication/child-strategy-by-email', 'X-Child-Account-By-Email'],
    ['authentication/child-strategy-by-creator-ref', 'X-Child-Account-By-CreatorRef'],
  ])('of a Child are told by the header of the request: %s', (clause, name) => {
    const requestHeaders = [
      ['Authorization', 'Basic YTo='],
      [name, 'x'],
    ] as const;
    expect(brokenBy(CREDENTIAL_RULES, 'GET /whoami', { requestHeaders })).toEqual([clause]);
    expect(brokenBy(CREDENTIAL_RULES, 'GET /whoami', { requestHeaders, headers: [[name, 'x']] })).toEqual([]);
    expect(brokenBy(CREDENTIAL_RULES, 'GET /ping', { requestHeaders: [[name, 'x']] })).toEqual([]);
  });
});
