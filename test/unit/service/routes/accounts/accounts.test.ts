import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild, CREATION } from '../../../../support/child-account.ts';
import { runService, SECOND_KEY, type Answer, type RunningService } from '../../../../support/running-service.ts';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

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

  it('makes one key for a name that is given twice', async () => {
    const { body } = await create({}, { ApiKeys: ['desk', 'desk'] });
    const { ApiKeys } = body as { ApiKeys: Record<string, string> };
    expect(Object.keys(ApiKeys)).toEqual(['desk']);
    expect((await service.call('GET', '/noop', { key: ApiKeys['desk'] ?? '' })).status).toBe(200);
  });

  it.each([
    ['an empty array of tags', { Tags: [] }],
    ['tags and keys that are null', { Tags: null, ApiKeys: null }],
  ])('takes %s', async (_what, rest) => {
    expect((await create({}, rest)).status).toBe(201);
  });

  it('takes names of Object.prototype', async () => {
    const body =
      '{"Account":{"firstname":"-","lastname":"-","email":"e","password":"aaaaaaaa"},' +
      '"ApiKeys":["__proto__","constructor"],"Tags":{"__proto__":"a","toString":"b"}}';
    const { text, body: answered } = await service.call('POST', '/account', { body });
    expect(text).toContain('"Tags":{"__proto__":"a","toString":"b"}');
    const keys = (answered as { ApiKeys: object }).ApiKeys;
    expect(Object.getOwnPropertyNames(keys)).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['a creatorRef that is not a string', { Account: { ...CREATION.Account, creatorRef: 7 } }],
    ['a key name that is not a string', { ApiKeys: [7] }],
    ['keys that are not an array', { ApiKeys: { own: 'own' } }],
    ['a tag value that is not a string', { Tags: { tag: 7 } }],
    ['tags that are not an object', { Tags: ['tag'] }],
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
});

describe('PATCH /account', () => {
  it('takes a creatorRef away by null, and lets its old one be used again', async () => {
    const { headers } = await createChild(service);
    const answer = await service.call('PATCH', '/account', { headers, body: { creatorRef: null } });
    expect(answer.body).toMatchObject({ creatorRef: null });
    expect((await create({ creatorRef: 'customer-1' })).status).toBe(201);
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
});

describe('DELETE /account', () => {
  it('never uses an id twice, and frees the creatorRef', async () => {
    const { id, headers } = await createChild(service);
    await service.call('DELETE', '/account', { headers });
    expect((await createChild(service)).id).toBeGreaterThan(id);
  });

  it('is refused without a child, so that no account deletes itself by mistake', async () => {
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
});
