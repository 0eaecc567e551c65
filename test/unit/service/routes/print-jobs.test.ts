import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runService, SECOND_KEY, type RunningService } from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA', title: 'A label' };

let service: RunningService;
beforeEach(async () => {
  service = await runService();
  const computer = await ScriptedComputer.connect(service.url);
  await computer[Symbol.asyncDispose]();
});
afterEach(() => service[Symbol.asyncDispose]());

async function submit(overrides: object = {}, headers: Record<string, string> = {}): Promise<number> {
  const answer = await service.call('POST', '/printjobs', { body: { ...JOB, ...overrides }, headers });
  expect(answer).toMatchObject({ status: 201, body: expect.any(Number) });
  return answer.body as number;
}

async function statesOf(jobId: number): Promise<string[]> {
  const answer = await service.call('GET', `/printjobs/${jobId}/states`);
  const [states = []] = answer.body as { state: string }[][];
  return states.map(({ state }) => state);
}

describe('POST /printjobs', () => {
  it('answers 201 with the id of the new job', async () => {
    const first = await submit();
    expect(await submit()).toBe(first + 1);
  });

  it('shows the job with its whole printer and computer, and nothing beyond the record', async () => {
    const id = await submit({ source: 'a test' });
    const { body } = await service.call('GET', `/printjobs/${id}`);
    const [job] = body as Record<string, unknown>[];
    expect(Object.keys(job ?? {})).toEqual([
      'id',
      'printer',
      'title',
      'contentType',
      'source',
      'expireAt',
      'createTimestamp',
      'state',
    ]);
    expect(job).toMatchObject({
      title: 'A label',
      source: 'a test',
      state: 'new',
      createTimestamp: '2026-01-01T00:00:00.000Z',
      expireAt: '2026-01-15T00:00:00.000Z',
      printer: { id: 1, name: 'Laser', computer: { name: 'Computer installation-1', state: 'disconnected' } },
    });
  });

  it.each([
    ['no printer', { printerId: undefined }, 'printerId'],
    ['an unknown printer', { printerId: 999 }, 'printerId'],
    ['a fractional printer', { printerId: 1.5 }, 'printerId'],
    ['no content type', { contentType: undefined }, 'contentType'],
    ['another content type', { contentType: 'png_base64' }, 'contentType'],
    ['no content', { content: undefined }, 'content'],
    ['an empty content', { content: '' }, 'content'],
    ['a title that is no text', { title: 7 }, 'title'],
    ['options that are a list', { options: [] }, 'options'],
    ['a qty of zero', { qty: 0 }, 'qty'],
    ['a qty that is no number', { qty: 'many' }, 'qty'],
    ['a negative expireAfter', { expireAfter: -1 }, 'expireAfter'],
    [
      'an unknown authentication',
      { authentication: { type: 'Magic', credentials: { user: 'u', pass: 'p' } } },
      'type',
    ],
    ['an authentication without credentials', { authentication: { type: 'BasicAuth' } }, 'credentials'],
  ])('refuses %s, naming the field', async (_what, defect, field) => {
    const answer = await service.call('POST', '/printjobs', { body: { ...JOB, ...defect } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    expect((answer.body as { message: string }).message).toContain(field);
    expect((await service.call('GET', '/printjobs')).body).toEqual([]);
  });

  it('takes numbers as text, and printer beside printerId', async () => {
    expect(await submit({ printerId: undefined, printer: '1', qty: '2' })).toBe(1);
    expect(await submit({ printerId: undefined, printer: { id: 1 } })).toBe(2);
  });

  it('refuses a printer of another account as if it did not exist', async () => {
    const answer = await service.call('POST', '/printjobs', { body: JOB, key: SECOND_KEY });
    expect(answer).toMatchObject({ status: 400, body: { message: 'printerId: there is no printer 1' } });
  });
});

const withKey = (key: string) => ({ body: JOB, headers: { 'X-Idempotency-Key': key } });

describe('X-Idempotency-Key', () => {
  it('refuses a second job with the same key, and leaves nothing behind', async () => {
    await submit({}, { 'X-Idempotency-Key': 'once' });
    const second = await service.call('POST', '/printjobs', withKey('once'));
    expect(second).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect((await service.call('GET', '/printjobs')).body).toHaveLength(1);
  });

  it('accepts exactly one of many at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => service.call('POST', '/printjobs', withKey('race'))),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('frees a key after 24 hours and not a millisecond before', async () => {
    await submit({}, { 'X-Idempotency-Key': 'daily' });
    await service.clock.advance(24 * 3_600_000 - 1);
    expect((await service.call('POST', '/printjobs', withKey('daily'))).status).toBe(409);
    await service.clock.advance(1);
    expect((await service.call('POST', '/printjobs', withKey('daily'))).status).toBe(201);
  });

  it('does not use a key up for a job that was refused', async () => {
    const refused = await service.call('POST', '/printjobs', {
      body: {},
      headers: { 'X-Idempotency-Key': 'k' },
    });
    expect(refused.status).toBe(400);
    await submit({}, { 'X-Idempotency-Key': 'k' });
  });

  it('counts an empty value as no key', async () => {
    expect(await submit({}, { 'X-Idempotency-Key': '' })).toBe(1);
    expect(await submit({}, { 'X-Idempotency-Key': '' })).toBe(2);
  });
});

describe('expiry', () => {
  it('lets an undelivered job expire when its time is over, not before', async () => {
    const id = await submit({ expireAfter: 600 });
    await service.clock.advance(600_000 - 1);
    expect(await statesOf(id)).toEqual(['new']);
    await service.clock.advance(1);
    expect(await statesOf(id)).toEqual(['new', 'expired']);
  });

  it('expires each job at its own time, whatever the order of submission', async () => {
    const late = await submit({ expireAfter: 20 });
    const early = await submit({ expireAfter: 10 });
    await service.clock.advance('10s');
    expect([await statesOf(early), await statesOf(late)]).toEqual([['new', 'expired'], ['new']]);
    await service.clock.advance('10s');
    expect(await statesOf(late)).toEqual(['new', 'expired']);
  });

  it('keeps a job for 14 days unless told otherwise', async () => {
    const id = await submit();
    await service.clock.advance('14d');
    expect(await statesOf(id)).toEqual(['new', 'expired']);
  });
});

describe('DELETE of print jobs', () => {
  it('cancels what is not delivered and names the ids, each once', async () => {
    const [a, b, c] = [await submit(), await submit(), await submit()];
    expect((await service.call('DELETE', `/printjobs/${b},${a},${b}`)).body).toEqual([a, b]);
    expect(await statesOf(a)).toEqual(['new', 'deleted']);
    expect(await statesOf(c)).toEqual(['new']);
    expect((await service.call('DELETE', `/printjobs/${a}`)).body).toEqual([]);
  });

  it('does not touch jobs of another account', async () => {
    const id = await submit();
    expect((await service.call('DELETE', '/printjobs', { key: SECOND_KEY })).body).toEqual([]);
    expect((await service.call('DELETE', `/printjobs/${id}`, { key: SECOND_KEY })).body).toEqual([]);
    expect(await statesOf(id)).toEqual(['new']);
  });

  it('is restricted to the printers of the path', async () => {
    const id = await submit();
    expect((await service.call('DELETE', '/printers/999/printjobs')).body).toEqual([]);
    expect((await service.call('DELETE', `/printers/1/printjobs/${id}`)).body).toEqual([id]);
  });
});

describe('lists of print jobs', () => {
  it('page through all jobs in both directions without a gap or a repetition', async () => {
    for (let index = 0; index < 7; index++) await submit();
    const pages: number[][] = [];
    let after = '';
    for (;;) {
      const answer = await service.call('GET', `/printjobs?limit=3&after=${after}`);
      const ids = (answer.body as { id: number }[]).map(({ id }) => id);
      if (ids.length === 0) break;
      expect(answer.headers).toMatchObject({
        'records-returned': String(ids.length),
        'records-returned-offset': String(pages.flat().length),
        'records-returned-limit': '3',
        'records-total': '7',
      });
      pages.push(ids);
      after = String(ids.at(-1));
    }
    expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    const ascending = await service.call('GET', '/printjobs?dir=asc&limit=3&after=5');
    expect((ascending.body as { id: number }[]).map(({ id }) => id)).toEqual([6, 7]);
    expect(ascending.headers['records-returned-offset']).toBe('5');
  });

  it('show 100 jobs unless told otherwise, the newest first', async () => {
    for (let index = 0; index < 101; index++) await submit();
    const answer = await service.call('GET', '/printjobs');
    const ids = (answer.body as { id: number }[]).map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 101, 2]);
  });

  it('ignore unknown ids in a set, its order and repetitions', async () => {
    await submit();
    await submit();
    const answer = await service.call('GET', '/printjobs/2,999,1,2');
    expect((answer.body as { id: number }[]).map(({ id }) => id)).toEqual([2, 1]);
    expect(answer.headers['records-total']).toBe('2');
  });

  it.each(['1,x', '0', '-1', '1.5', ',', '5-9', '1,,2', '9007199254740993'])(
    'refuse the set %s',
    async (set) => {
      const answer = await service.call('GET', `/printjobs/${set}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    },
  );
});

describe('jobs of several printers', () => {
  it('are paged together in both directions, and counted', async () => {
    await using computer = await ScriptedComputer.connect(service.url, {
      printers: ['Laser', 'Labels', 'Fax'],
    });
    expect(computer.jobs).toEqual([]);
    for (const printerId of [1, 2, 3, 2, 1, 3, 2]) await submit({ printerId });
    const page = async (query: string): Promise<unknown> => {
      const { body, headers } = await service.call('GET', `/printers/2,1/printjobs?${query}`);
      const ids = (body as { id: number }[]).map(({ id }) => id);
      return [ids, headers['records-returned-offset'], headers['records-total']];
    };
    expect(await page('limit=2')).toEqual([[7, 5], '0', '5']);
    expect(await page('limit=2&after=5')).toEqual([[4, 2], '2', '5']);
    expect(await page('limit=2&after=3')).toEqual([[2, 1], '3', '5']);
    expect(await page('limit=9&after=3&dir=asc')).toEqual([[4, 5, 7], '2', '5']);
  });

  it('do not exist for another account', async () => {
    await submit();
    const foreign = await service.call('GET', '/printers/1/printjobs', { key: SECOND_KEY });
    expect(foreign).toMatchObject({ body: [], headers: { 'records-total': '0' } });
  });
});
