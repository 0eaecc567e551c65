/**
 * What sound services do, and callers may do, that says nothing against the service; and that what was judged is told.
 */

import { describe, expect, it } from 'vitest';

import { judgeAccount } from '../../../../src/oracle/account/judge-account.ts';
import type { Level } from '../../../../src/specification/clause.ts';
import {
  ask,
  brokenIn,
  connects,
  delivers,
  DESK,
  DOCUMENT,
  ELSEWHERE,
  goes,
  hasPrinters,
  hasScales,
  inTime,
  printer,
  printerRecord,
  quiet,
  reports,
  scale,
  silence,
  submits,
  tell,
  type Row,
} from '../../../support/told-history.ts';

const noop = (asked: object = {}): ReturnType<typeof ask> => ask('GET /noop', asked);
const makes = (id: number, account: object = {}): ReturnType<typeof ask> =>
  ask('POST /account', {
    sent: { Account: { firstname: '-', lastname: '-', email: `${id}@example.test`, password: 'longer 8', ...account } },
    value: { Account: { id, ...account } },
  });
const refusesAccount = (sent: object): ReturnType<typeof ask> =>
  ask('POST /account', {
    status: 400,
    sent: { Account: { firstname: '-', lastname: '-', email: 'a@example.test', password: 'longer 8' }, ...sent },
  });
const HIGH = 900_000_011;
const byEmail = { headers: { 'X-Child-Account-By-Email': '9@example.test' }, account: '9' };
const refused = { status: 401, account: '' };
const hook = (given: object): object => ({ url: 'http://hook', secret: 's', messages: ['*'], ...given });

tell('a sound service may have', [
  [
    'a printer with a high id is printed on',
    [
      connects(),
      hasPrinters(1, printer()),
      ask('GET /printers', { value: [printerRecord(HIGH)] }),
      goes(),
      quiet,
      submits(1, { printerId: HIGH }),
    ],
    [],
  ],
  [
    'a printer with a high id that was never listed',
    [submits(1, { printerId: HIGH })],
    [],
    { ...ELSEWHERE, isWhole: false },
  ],
  [
    'a path that is no escape',
    [ask('GET /account/tag/%', { status: 400 }), ask('GET /computer/1/scales/%', { value: [] })],
    [],
  ],
  ['a request without a key, and one that is refused', [noop({ key: '' }), noop({ key: '', ...refused })], []],
  [
    'a Child that is refused to one that is not its parent',
    [makes(9), noop({ key: 'other', account: '8' }), noop({ key: 'other', child: '9', ...refused })],
    [],
  ],
  [
    'a Child that is deleted under its address',
    [
      makes(9),
      ask('DELETE /account', byEmail),
      ask('GET /account/controllable', { value: [] }),
      noop({ child: '9', ...refused }),
    ],
    [],
  ],
  [
    'a Child that is suspended under its address',
    [
      makes(9),
      ask('PUT /account/state', { ...byEmail, sent: 'suspended' }),
      ask('GET /account/state', { value: 'suspended', child: '9' }),
    ],
    [],
  ],
  [
    'a Child that may not change its own state',
    [
      makes(9),
      noop({ key: 'k9', account: '9' }),
      ask('PUT /account/state', { key: 'k9', account: '9', status: 403, sent: 'suspended' }),
    ],
    [],
  ],
  ['an account with a name that is no text', [makes(9), refusesAccount({ Account: { firstname: {} } })], []],
  ['an account with more keys than a service takes', [makes(9), refusesAccount({ ApiKeys: 'abcdef'.split('') })], []],
  ['an account with a long tag', [makes(9), refusesAccount({ Tags: { a: 'x'.repeat(2_000) } })], []],
  ['two references that are no text', [makes(9, { creatorRef: {} }), makes(10, { creatorRef: {} })], []],
  ['a webhook whose address is none', [ask('POST /webhook', { status: 400, sent: hook({ url: 'ftp://hook' }) })], []],
  [
    'a webhook with a setting that is not printed',
    [ask('POST /webhook', { status: 400, sent: hook({ colour: 'red' }) })],
    [],
  ],
  [
    'a computer with a client key',
    [
      noop(),
      ask('GET /client/key/till', { value: 'client-key' }),
      connects(1, { apiKey: 'client-key' }),
      quiet,
      ask('GET /computers', { value: [{ ...(printerRecord()['computer'] as object) }] }),
    ],
    [],
  ],
  ['a limit that is none', [DESK, goes(), quiet, submits(1), ask('GET /printjobs?limit=', { value: [] })], []],
  [
    'a report that comes again, and one of another computer',
    [
      DESK,
      submits(1),
      delivers(1),
      reports(1),
      reports(1, 'error').map((one) => ({ ...one, computerId: 2 })),
      reports(1),
    ].flat(),
    [],
  ],
  ['a number that is sent as text', [DESK, submits(1, { qty: '2' }), delivers(1, { qty: 2 })], []],
  [
    'an empty document that is refused',
    [DESK, ask('POST /printjobs', { status: 400, sent: { printerId: 11, contentType: 'raw_base64', content: '' } })],
    [],
  ],
  [
    'a long title that is refused',
    [DESK, ask('POST /printjobs', { status: 400, sent: { ...DOCUMENT, title: 'x'.repeat(1_001) } })],
    [],
  ],
  [
    'numbers of a form that are passed on as text',
    [DESK, { ...submits(1, { options: { nup: 4 } }), isOdd: true }, delivers(1, { options: { nup: '4' } })],
    [],
  ],
  ['a large document that is still on its way', [DESK, submits(1, { content: 'x'.repeat(1_000_001) }), quiet], []],
  [
    'a scale that takes another name',
    [
      noop(),
      connects(),
      hasScales(1, scale('a'), scale('b', { deviceName: 'Other' })),
      hasScales(1, scale('a', { deviceName: 'Other' }), scale('b', { deviceName: 'Other' })),
      ask('GET /computer/1/scales', { value: [{ deviceName: 'Other', deviceNum: 7 }] }),
    ].flat(),
    [],
  ],
  ['an odd request that is refused', [DESK, { ...submits(1, {}, { status: 415, value: {} }), isOdd: true }], []],
  ['a computer that acknowledges nothing gets no more', [DESK, submits(1), quiet], [], { idle: new Set([1]) }],
]);

describe('what is lost with a request without an answer', () => {
  const lists = ask('GET /printjobs', { value: [{ id: 5 }] });
  const others = [noop(), noop({ key: 'other', account: '8' })];
  const ONE_MORE = ['print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 5'];

  it.each([
    ['is nothing of one that changes nothing', [noop(), silence('GET /printjobs'), lists], ONE_MORE],
    ['is what is known of its account', [noop(), silence('DELETE /printjobs'), lists], []],
    [
      'is nothing of another account',
      [...others, { ...silence('DELETE /printjobs'), apiKey: 'other' }, lists],
      ONE_MORE,
    ],
    ['is all where nobody knows whose it is', [noop(), { ...silence('DELETE /printjobs'), apiKey: 'none' }, lists], []],
  ] as Row[])('%s', (_, seen, broken) => {
    expect(brokenIn(seen)).toEqual(broken);
  });
});

const judgedIn = (levels: readonly Level[]): ReadonlyMap<string, number> =>
  judgeAccount({
    history: inTime([DESK, submits(1), submits(2)]),
    circumstances: {
      isLinkDisturbed: false,
      isHttpDisturbed: false,
      isWhole: true,
      isReference: true,
      isVirtual: true,
      clockErrorMs: 0,
      isMoved: false,
      dialect: {},
    },
    levels,
  }).judged;

describe('what was judged', () => {
  it('is told, with how often, kept or broken', () => {
    const judged = judgedIn(['must', 'should']);
    expect(judged.get('print-jobs/created-201')).toBe(2);
    expect(judged.get('authentication/x-account')).toBe(undefined);
    expect(judged.get('service/no-5xx-on-bad-input')).toBe(3);
    expect(judged.has('webhooks/create')).toBe(false);
  });

  it('is nothing of another level', () => {
    expect(judgedIn(['should']).has('print-jobs/created-201')).toBe(false);
  });
});
