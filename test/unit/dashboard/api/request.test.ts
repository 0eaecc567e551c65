import { afterEach, expect, it, vi } from 'vitest';

import { post } from '../../../../src/dashboard/api/request.ts';

afterEach(() => void vi.unstubAllGlobals());

function answers(status: number, body: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));
}

it.each([
  [
    'what is wrong, without the request',
    { message: 'the body of POST /runs: seed: no', problem: 'seed: no' },
    'seed: no',
  ],
  ['the message as it is', { message: 'the body of POST /runs: it is mine' }, 'the body of POST /runs: it is mine'],
])('shows of a refusal %s', async (_, body, shown) => {
  answers(400, JSON.stringify(body));
  await expect(post('/runs')).rejects.toHaveProperty('message', shown);
});

it('shows the status of what is no answer of a workbench', async () => {
  answers(502, '<html>');
  await expect(post('/runs')).rejects.toThrow('the workbench answered with status 502');
});
