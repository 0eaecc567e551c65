import { expect, it } from 'vitest';

import { refusedWrites } from '../../../../src/cli/screen/refused-writes.ts';
import type { Exchange } from '../../../../src/wire/http-exchange.ts';

function exchangesOf(...statuses: readonly (readonly [method: string, status: number])[]): readonly Exchange[] {
  return statuses.map(([method, status]) => ({
    request: { method, baseUrl: 'http://a.example', path: '/printjobs', headers: [] },
    response: { status, headers: [], body: Buffer.from('') },
    sentMs: 0,
    receivedMs: 1,
  }));
}

const REFUSED = Array.from({ length: 5 }, () => ['POST', 403] as const);

it.each<readonly [string, readonly Exchange[], boolean]>([
  ['every write was forbidden, and reads were answered', exchangesOf(...REFUSED, ['GET', 200]), true],
  ['some were refused for another reason', exchangesOf(...REFUSED, ['PATCH', 405]), true],
  ['one write was taken', exchangesOf(...REFUSED, ['PUT', 200]), false],
  ['only a few were forbidden', exchangesOf(...REFUSED.slice(1)), false],
  [
    'most were refused for another reason',
    exchangesOf(...REFUSED, ...REFUSED.map(() => ['POST', 500] as const), ['POST', 500]),
    false,
  ],
])('asks whether a key may only read where %s', (_, exchanges, isAsked) => {
  expect(refusedWrites(exchanges)?.includes('is the key read-only?') ?? false).toBe(isAsked);
});
