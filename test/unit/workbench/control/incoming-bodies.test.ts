import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { expect, it } from 'vitest';

import { IncomingBodies } from '../../../../src/workbench/control/incoming-bodies.ts';

const MB = 1024 * 1024;

function requestOf(bytes: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.push(Buffer.alloc(bytes));
  request.push(null);
  return request;
}

it('refuses a body that is longer than its route takes', async () => {
  using body = new IncomingBodies().one();
  await expect(body.bytesOf(requestOf(11), 10)).rejects.toMatchObject({ status: 413, message: 'more than 10 bytes' });
});

it('refuses what would make all bodies together too large, until some are answered', async () => {
  const bodies = new IncomingBodies();
  const held = bodies.one();
  expect(await held.bytesOf(requestOf(40 * MB), 100 * MB)).toHaveLength(40 * MB);
  {
    using late = bodies.one();
    await expect(late.bytesOf(requestOf(40 * MB), 100 * MB)).rejects.toMatchObject({ status: 503, code: 'Busy' });
  }
  held[Symbol.dispose]();
  using later = bodies.one();
  expect(await later.bytesOf(requestOf(40 * MB), 100 * MB)).toHaveLength(40 * MB);
});
