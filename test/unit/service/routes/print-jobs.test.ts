import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runService, type RunningService } from '../../../support/running-service.ts';
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
    ['title', { title: 'é'.repeat(1_000) }, { title: 'é'.repeat(1_001) }],
    ['source', { source: '🖨'.repeat(1_000) }, { source: '🖨'.repeat(1_001) }],
    ['options', { options: { paper: 'x'.repeat(9_988) } }, { options: { paper: 'x'.repeat(9_989) } }],
  ])('takes a %s that is long, and refuses a longer one by its name', async (field, long, longer) => {
    await submit(long);
    const answer = await service.call('POST', '/printjobs', { body: { ...JOB, ...longer } });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${field}: must have at most`) },
    });
  });

  it('takes numbers as text, and printer beside printerId', async () => {
    expect(await submit({ printerId: undefined, printer: '1', qty: '2' })).toBe(1);
    expect(await submit({ printerId: undefined, printer: { id: 1 } })).toBe(2);
  });
});

const withKey = (key: string) => ({ body: JOB, headers: { 'X-Idempotency-Key': key } });

describe('X-Idempotency-Key', () => {
  it('accepts exactly one of many at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => service.call('POST', '/printjobs', withKey('race'))),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(19);
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
  it('expires each job at its own time, whatever the order of submission', async () => {
    const late = await submit({ expireAfter: 20 });
    const early = await submit({ expireAfter: 10 });
    await service.clock.advance('10s');
    expect([await statesOf(early), await statesOf(late)]).toEqual([['new', 'expired'], ['new']]);
    await service.clock.advance('10s');
    expect(await statesOf(late)).toEqual(['new', 'expired']);
  });
});

describe('lists of print jobs', () => {
  it.each(['1,x', '0', '-1', '1.5', ',', '5-9', '1,,2', '9007199254740993'])('refuse the set %s', async (set) => {
    const answer = await service.call('GET', `/printjobs/${set}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
  });
});

describe('a page of histories', () => {
  it('ends early where they are very long, says so, and goes on behind it', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    for (const id of [await submit(), await submit(), await submit()]) {
      await computer.hear('job', (heard) => heard['jobId'] === id);
      const report = {
        type: 'job-state',
        jobId: id,
        state: 'printing',
        message: null,
        data: { text: 'x'.repeat(60_000) },
      };
      for (let count = 0; count < 25; count++) {
        await computer.report({ ...report, createTimestamp: '2026-01-01T00:00:00.000Z' });
      }
    }
    const page = async (query: string): Promise<unknown> => {
      const { body, headers } = await service.call('GET', `/printjobs/states?${query}`);
      const ids = (body as { printJobId: number }[][]).map(([first]) => first?.printJobId);
      return [ids, headers['records-returned'], headers['records-total']];
    };
    expect(await page('limit=9')).toEqual([[3, 2], '2', '3']);
    expect(await page('limit=9&after=2')).toEqual([[1], '1', '3']);
  });
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
});
