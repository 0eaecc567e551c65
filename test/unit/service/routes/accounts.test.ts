import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild, CREATION } from '../../../support/child-account.ts';
import {
  runService,
  SECOND_KEY,
  type Answer,
  type RunningService,
} from '../../../support/running-service.ts';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

const WHOAMI_KEYS = [
  'id',
  'firstname',
  'lastname',
  'email',
  'canCreateSubAccounts',
  'creatorEmail',
  'creatorRef',
  'childAccounts',
  'credits',
  'numComputers',
  'totalPrints',
  'versions',
  'connected',
  'Tags',
  'state',
  'permissions',
];

/** POST /account with these fields instead of the usual ones. */
function create(account: object, rest: object = {}): Promise<Answer> {
  return service.call('POST', '/account', {
    body: { ...CREATION, Account: { ...CREATION.Account, ...account }, ...rest },
  });
}

async function controllable(): Promise<Record<string, unknown>[]> {
  return (await service.call('GET', '/account/controllable')).body as Record<string, unknown>[];
}

describe('POST /account', () => {
  it('answers 201 with the new account, a key for each name, and its tags', async () => {
    const answer = await create({}, { ApiKeys: ['desk', 'till'] });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-account': '1' } });
    expect(answer.body).toEqual({
      Account: {
        id: 3,
        firstname: '-',
        lastname: '-',
        email: 'customer@example.test',
        creatorRef: 'customer-1',
      },
      ApiKeys: {
        desk: expect.stringMatching(/^[0-9a-f]{40}$/),
        till: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
      Tags: { colour: 'blue' },
    });
  });

  it('makes keys that differ and lead to the new account', async () => {
    const { ApiKeys } = (await create({}, { ApiKeys: ['desk', 'till'] })).body as {
      ApiKeys: Record<string, string>;
    };
    expect(new Set(Object.values(ApiKeys)).size).toBe(2);
    for (const key of Object.values(ApiKeys)) {
      const { body } = await service.call('GET', '/whoami', { key });
      expect(Object.keys(body as object)).toEqual(WHOAMI_KEYS);
      expect(body).toMatchObject({
        id: 3,
        canCreateSubAccounts: false,
        creatorEmail: 'integra@example.test',
        creatorRef: 'customer-1',
        Tags: { colour: 'blue' },
        state: 'active',
      });
    }
    expect((await service.call('GET', '/whoami')).body).toMatchObject({
      childAccounts: [3],
      canCreateSubAccounts: true,
      Tags: [],
    });
  });

  it('takes a form with the same structure', async () => {
    const body = new URLSearchParams([
      ['Account[firstname]', '-'],
      ['Account[lastname]', '-'],
      ['Account[email]', 'form@example.test'],
      ['Account[password]', '12345678'],
      ['Account[creatorRef]', ''],
      ['ApiKeys[]', 'desk'],
      ['ApiKeys[]', 'till'],
      ['Tags[colour]', 'deep blue'],
    ]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await service.call('POST', '/account', { body, headers })).toMatchObject({
      status: 201,
      body: {
        Account: { email: 'form@example.test', creatorRef: null },
        ApiKeys: { desk: expect.any(String), till: expect.any(String) },
        Tags: { colour: 'deep blue' },
      },
    });
  });

  it('makes one key for a name that is given twice', async () => {
    const { body } = await create({}, { ApiKeys: ['desk', 'desk'] });
    const { ApiKeys } = body as { ApiKeys: Record<string, string> };
    expect(Object.keys(ApiKeys)).toEqual(['desk']);
    expect((await service.call('GET', '/noop', { key: ApiKeys['desk'] ?? '' })).status).toBe(200);
  });

  it('needs only the required fields', async () => {
    const { firstname, lastname, email, password } = CREATION.Account;
    const body = { Account: { firstname, lastname, email, password } };
    const answer = await service.call('POST', '/account', { body });
    expect(answer).toMatchObject({
      status: 201,
      body: { Account: { creatorRef: null }, ApiKeys: {}, Tags: {} },
    });
  });

  it.each([
    ['eight characters', { password: '        ' }],
    ['eight bytes in four characters', { password: 'éééé' }],
  ])('takes a password of %s', async (_what, account) => {
    expect((await create(account)).status).toBe(201);
  });

  it.each([
    ['ten keys', { ApiKeys: Array.from({ length: 10 }, (_, index) => `key-${index}`) }],
    ['a key name of 16 bytes', { ApiKeys: ['éééééééé'] }],
    ['a tag name of 64 characters', { Tags: { ['a'.repeat(64)]: 'value' } }],
    ['a tag value of 1024 bytes', { Tags: { tag: 'é'.repeat(512) } }],
    ['an empty array of tags', { Tags: [] }],
    ['tags and keys that are null', { Tags: null, ApiKeys: null }],
  ])('takes %s', async (_what, rest) => {
    expect((await create({}, rest)).status).toBe(201);
  });

  it('takes names that objects have by themselves', async () => {
    const body =
      '{"Account":{"firstname":"-","lastname":"-","email":"e","password":"aaaaaaaa"},' +
      '"ApiKeys":["__proto__","constructor"],"Tags":{"__proto__":"a","toString":"b"}}';
    const { text, body: answered } = await service.call('POST', '/account', { body });
    expect(text).toContain('"Tags":{"__proto__":"a","toString":"b"}');
    const keys = (answered as { ApiKeys: object }).ApiKeys;
    expect(Object.getOwnPropertyNames(keys)).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['no firstname', { firstname: undefined }, 'firstname'],
    ['an empty firstname', { firstname: '' }, 'firstname'],
    ['no lastname', { lastname: undefined }, 'lastname'],
    ['an empty lastname', { lastname: '' }, 'lastname'],
    ['a lastname that is no text', { lastname: 7 }, 'lastname'],
    ['no email', { email: undefined }, 'email'],
    ['no password', { password: undefined }, 'password'],
    ['a password of seven bytes', { password: 'secret7' }, 'password'],
    ['a creatorRef that is no text', { creatorRef: 7 }, 'creatorRef'],
  ])('refuses %s, and leaves nothing behind', async (_what, account, field) => {
    const answer = await create(account);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    expect(answer.text).toContain(field);
    expect(answer.text).not.toContain('secret7');
    expect(await controllable()).toEqual([]);
    expect((await create({})).body).toMatchObject({ Account: { id: 3 } });
  });

  it.each([
    ['eleven keys', { ApiKeys: Array.from({ length: 11 }, (_, index) => `key-${index}`) }],
    ['a key name of 17 bytes', { ApiKeys: ['ééééééééa'] }],
    ['an empty key name', { ApiKeys: [''] }],
    ['a key name that is no text', { ApiKeys: [7] }],
    ['keys that are no array', { ApiKeys: { own: 'own' } }],
    ['a tag name with a blank', { Tags: { 'a b': 'value' } }],
    ['a tag name of 65 characters', { Tags: { ['a'.repeat(65)]: 'value' } }],
    ['a tag value of 1025 bytes', { Tags: { tag: `${'é'.repeat(512)}a` } }],
    ['a tag value that is no text', { Tags: { tag: 7 } }],
    ['tags that are no object', { Tags: ['tag'] }],
  ])('refuses %s, and leaves nothing behind', async (_what, rest) => {
    expect(await create({}, rest)).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    expect(await controllable()).toEqual([]);
  });

  it.each([undefined, '[]', 'null', '"Account"', '{"Account":[]}', '{"firstname":"-"}'])(
    'refuses the body %s',
    async (body) => {
      const answer = await service.call('POST', '/account', { body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    },
  );

  it('refuses a creatorRef that another child of the Integrator has', async () => {
    await createChild(service);
    expect(await create({ creatorRef: 'customer-1' })).toMatchObject({ status: 400 });
    expect((await create({ creatorRef: 'customer-2' })).status).toBe(201);
    expect(await controllable()).toHaveLength(2);
  });

  it('is refused for Single and Child Accounts, also when their Integrator acts', async () => {
    const child = await createChild(service);
    const attempts = [{ key: SECOND_KEY }, { key: child.key }, { headers: child.headers }];
    for (const attempt of attempts) {
      const answer = await service.call('POST', '/account', { ...attempt, body: CREATION });
      expect(answer).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
    }
    expect(await controllable()).toHaveLength(1);
  });
});

describe('PATCH /account', () => {
  it.each([
    { firstname: 'Ada' },
    { lastname: 'Byron' },
    { email: 'new@example.test' },
    { creatorRef: 'other' },
    {},
  ])('changes only what %o names, and answers like /whoami', async (changes) => {
    const { headers } = await createChild(service);
    const before = (await service.call('GET', '/whoami', { headers })).body as object;
    const answer = await service.call('PATCH', '/account', { headers, body: changes });
    expect(answer).toMatchObject({ status: 200, body: { ...before, ...changes } });
    expect((await service.call('GET', '/whoami', { headers })).body).toEqual(answer.body);
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ firstname: 'Integra' });
  });

  it('takes a new password and shows none', async () => {
    const { headers } = await createChild(service);
    const answer = await service.call('PATCH', '/account', { headers, body: { password: 'bbbbbbbb' } });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).toEqual(WHOAMI_KEYS);
  });

  it('takes a creatorRef away by null, and lets its old one be used again', async () => {
    const { headers } = await createChild(service);
    const answer = await service.call('PATCH', '/account', { headers, body: { creatorRef: null } });
    expect(answer.body).toMatchObject({ creatorRef: null });
    expect((await create({ creatorRef: 'customer-1' })).status).toBe(201);
  });

  it('lets a new creatorRef and email identify the child, and the old ones no longer', async () => {
    await createChild(service);
    const body = { creatorRef: 'other', email: 'new@example.test' };
    await service.call('PATCH', '/account', {
      headers: { 'x-child-account-by-creatorref': 'customer-1' },
      body,
    });
    const statuses = [];
    for (const [name, value] of [
      ['x-child-account-by-creatorref', 'other'],
      ['x-child-account-by-email', 'new@example.test'],
      ['x-child-account-by-creatorref', 'customer-1'],
      ['x-child-account-by-email', 'customer-1@example.test'],
    ] as const) {
      statuses.push((await service.call('GET', '/noop', { headers: { [name]: value } })).status);
    }
    expect(statuses).toEqual([200, 200, 401, 401]);
  });

  it.each([
    { firstname: 'Ada', lastname: '' },
    { firstname: 'Ada', email: null },
    { firstname: 'Ada', password: '1234567' },
    { firstname: 'Ada', creatorRef: 7 },
    { firstname: 'Ada', creatorRef: 'customer-2' },
    ['firstname'],
  ])('refuses %o and changes nothing', async (body) => {
    const { headers } = await createChild(service, 1);
    await createChild(service, 2);
    const answer = await service.call('PATCH', '/account', { headers, body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    expect((await service.call('GET', '/whoami', { headers })).body).toMatchObject({ firstname: '-' });
  });

  it('takes the creatorRef that the child already has', async () => {
    const { headers } = await createChild(service);
    const answer = await service.call('PATCH', '/account', { headers, body: { creatorRef: 'customer-1' } });
    expect(answer.status).toBe(200);
  });

  it('changes the account itself when no child is named', async () => {
    const answer = await service.call('PATCH', '/account', { key: SECOND_KEY, body: { lastname: 'Other' } });
    expect(answer.body).toMatchObject({ id: 2, lastname: 'Other' });
  });
});

describe('DELETE /account', () => {
  it('deletes the child and nothing else', async () => {
    const [first, second] = [await createChild(service, 1), await createChild(service, 2)];
    const answer = await service.call('DELETE', '/account', { headers: first.headers });
    expect(answer).toMatchObject({ status: 200, body: true });
    expect(await service.call('GET', '/noop', { key: first.key })).toMatchObject({
      status: 401,
      body: { code: 'InvalidCredentials' },
    });
    expect((await service.call('GET', '/noop', { headers: first.headers })).status).toBe(401);
    expect((await service.call('GET', '/noop', { key: second.key })).status).toBe(200);
    expect(await controllable()).toMatchObject([{ id: second.id }]);
  });

  it('never uses an id twice, and frees the creatorRef', async () => {
    const { id, headers } = await createChild(service);
    await service.call('DELETE', '/account', { headers });
    expect((await createChild(service)).id).toBeGreaterThan(id);
  });

  it('is refused without a child, so that nobody deletes their own account', async () => {
    const child = await createChild(service);
    for (const key of [undefined, SECOND_KEY, child.key]) {
      const answer = await service.call('DELETE', '/account', key === undefined ? {} : { key });
      expect(answer).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
    }
    expect((await service.call('GET', '/noop')).status).toBe(200);
  });
});

describe('GET /account/controllable', () => {
  it('lists the children by id', async () => {
    await createChild(service, 1);
    await createChild(service, 2);
    expect((await controllable())[0]).toEqual({
      id: 3,
      firstname: '-',
      lastname: '-',
      email: 'customer-1@example.test',
      creatorRef: 'customer-1',
      state: 'active',
    });
    expect((await controllable()).map(({ id }) => id)).toEqual([3, 4]);
  });

  it('is empty for an account that controls no other', async () => {
    const child = await createChild(service);
    for (const key of [SECOND_KEY, child.key]) {
      expect((await service.call('GET', '/account/controllable', { key })).body).toEqual([]);
    }
  });
});
