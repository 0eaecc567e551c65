/** Each rule names its clause where one exchange breaks it, and says nothing of exchanges that it is not about. */

import { describe, expect, it } from 'vitest';

import { CREDENTIAL_RULES, EXCHANGE_RULES } from '../../../src/oracle/exchange-rules.ts';
import type { ObservedExchange } from '../../../src/oracle/invariant.ts';
import { judgeHistory } from '../../../src/oracle/invariants.ts';
import { ENDPOINTS } from '../../../src/specification/endpoints.ts';

interface Made {
  readonly status?: number;
  readonly value?: unknown;
  readonly headers?: ObservedExchange['response']['headers'];
  readonly requestHeaders?: ObservedExchange['request']['headers'];
  readonly body?: string;
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

function brokenBy(rules: typeof EXCHANGE_RULES, request: string, made: Made): readonly string[] {
  return judgeHistory([exchange(request, made)], rules).flatMap(({ clause, mismatches }) =>
    mismatches.length > 0 ? [clause] : [],
  );
}

const placesOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('set') ? '1,2' : 'x'));

describe('a status', () => {
  it.each(
    ENDPOINTS.filter(({ successStatus }) => successStatus !== null).map((one) => [one.method, one.path, one] as const),
  )('of %s %s is the one that is printed', (method, path, { clause, successStatus }) => {
    const request = `${method} ${placesOf(path)}`;
    expect(brokenBy(EXCHANGE_RULES, request, { status: 202, value: [] })).toContain(clause);
    expect(brokenBy(EXCHANGE_RULES, request, { status: 404 })).not.toContain(clause);
    const shown = judgeHistory([exchange(request, { status: 202 })], EXCHANGE_RULES).flatMap((line) => line.mismatches);
    expect(shown).toContainEqual(
      expect.objectContaining({ at: `status of ${request}`, expected: String(successStatus), actual: '202' }),
    );
  });
});

describe('an answer has its shape', () => {
  it.each<[string, string, unknown, unknown]>([
    ['accounts/whoami', 'GET /whoami', {}, []],
    ['accounts/state-json-string', 'GET /account/state', 'active', 'asleep'],
    ['computers/list', 'GET /computers', [], {}],
    ['printers/list', 'GET /printers', [], {}],
    ['print-jobs/list', 'GET /printjobs', [], {}],
    ['scales/list', 'GET /computer/0/scales', [], {}],
    ['scales/read-one', 'GET /computer/0/scale/x/1', {}, []],
    ['webhooks/list', 'GET /webhooks', [], {}],
    ['computers/delete-set', 'DELETE /computers/1', [1], ['1']],
    ['print-jobs/delete-200-ids', 'DELETE /printjobs/1', [], 1],
  ])('%s: %s', (clause, request, good, bad) => {
    expect(brokenBy(EXCHANGE_RULES, request, { value: good })).not.toContain(clause);
    expect(brokenBy(EXCHANGE_RULES, request, { value: bad })).toContain(clause);
    expect(brokenBy(EXCHANGE_RULES, request, { value: bad, status: 404 })).not.toContain(clause);
  });

  it('which is the id of the request at GET /noop', () => {
    const headers = [['Request-Id', 'a']] as const;
    expect(brokenBy(EXCHANGE_RULES, 'GET /noop', { headers, value: 'a' })).toEqual([]);
    expect(brokenBy(EXCHANGE_RULES, 'GET /noop', { headers, value: 'b' })).toEqual(['misc/noop-body-is-request-id']);
  });
});

describe('each record has its fields', () => {
  it.each<[string, string, unknown]>([
    ['accounts/field-id', 'GET /whoami', { id: 'x' }],
    ['accounts/credits-not-null', 'GET /whoami', { credits: null }],
    ['computers/field-name', 'GET /computers', [{ name: 1 }]],
    ['computers/field-name', 'GET /printers', [{ computer: { name: 1 } }]],
    ['printers/field-description', 'GET /printers', [{ id: 1 }]],
    ['printers/capability-color', 'GET /printers', [{ capabilities: { color: 1 } }]],
    ['printers/printrate-unit', 'GET /printers', [{ capabilities: { printrate: { unit: 'x' } } }]],
    ['states/field-age', 'GET /printjobs/states', [[{ age: 'old' }]]],
    ['scales/field-vendor', 'GET /computer/0/scale/x/1', { vendor: null }],
    ['webhooks/field-secret', 'POST /webhook', { secret: 1 }],
  ])('%s: %s', (clause, request, value) => {
    expect(brokenBy(EXCHANGE_RULES, request, { value })).toContain(clause);
    expect(brokenBy(EXCHANGE_RULES, request, { value, status: 404 })).not.toContain(clause);
  });

  it('but capabilities that may be left out, and a null that has a clause of its own', () => {
    expect(brokenBy(EXCHANGE_RULES, 'GET /printers', { value: [{ capabilities: {} }] })).not.toContain(
      'printers/capability-color',
    );
    expect(brokenBy(EXCHANGE_RULES, 'GET /whoami', { value: { credits: null } })).not.toContain(
      'accounts/field-credits',
    );
  });

  it('and the first that lacks one is named', () => {
    const value = [{ name: 'DESK' }, {}, {}];
    const found = judgeHistory([exchange('GET /computers', { value })], EXCHANGE_RULES);
    expect(
      found.flatMap(({ clause, mismatches }) => (clause === 'computers/field-name' ? mismatches : [])),
    ).toMatchObject([{ at: 'computer 2.name of GET /computers', expected: 'string', actual: 'nothing' }]);
  });
});

describe('an error', () => {
  it.each<[string, string, number, string]>([
    ['errors/invalid-credentials', 'GET /whoami', 401, 'InvalidCredentials'],
    ['errors/conflict', 'POST /printjobs', 409, 'Conflict'],
    ['errors/too-many-requests', 'GET /whoami', 429, 'TooManyRequests'],
  ])('has the code of its status: %s', (clause, request, status, code) => {
    expect(brokenBy(EXCHANGE_RULES, request, { status, value: { code } })).toEqual([]);
    expect(brokenBy(EXCHANGE_RULES, request, { status, value: { code: 'Other' } })).toEqual([clause]);
  });

  it('answers a body that is no JSON, unless it was refused before it was read', () => {
    const made = { requestHeaders: [['Content-Type', 'application/json']], body: '{' } as const;
    expect(brokenBy(EXCHANGE_RULES, 'POST /printjobs', { ...made, status: 500 })).toEqual(['errors/invalid-content']);
    expect(brokenBy(EXCHANGE_RULES, 'POST /printjobs', { ...made, status: 404 })).toEqual([]);
    expect(brokenBy(EXCHANGE_RULES, 'POST /printjobs', { ...made, status: 500, body: '{}' })).toEqual([]);
    expect(brokenBy(EXCHANGE_RULES, 'POST /printjobs', { ...made, status: 500, requestHeaders: [] })).toEqual([]);
  });
});

describe('credentials', () => {
  it.each<[string, string | undefined]>([
    ['authentication/missing-credentials-401', undefined],
    ['authentication/other-scheme-401', 'Bearer x'],
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
  });
});
