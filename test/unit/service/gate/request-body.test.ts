import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { BodyRoom, readBody } from '../../../../src/service/gate/request-body.ts';

const CHUNK = Buffer.alloc(1024 * 1024);
const LARGEST_CHUNKS = 50;

interface Reading {
  readonly seen: string[];
  readonly response: EventEmitter;
}

/** Reads a body of this many megabytes. */
async function read(room: BodyRoom, chunks: number): Promise<Reading> {
  const request = Object.assign(new PassThrough({ highWaterMark: LARGEST_CHUNKS * CHUNK.length }), { headers: {} });
  const response = new EventEmitter();
  const seen: string[] = [];
  readBody(request as unknown as IncomingMessage, response as ServerResponse, room, {
    onReady: () => undefined,
    onBody: (body) => seen.push(`${body.length / CHUNK.length} MB`),
    onRefused: ({ status, message }) => seen.push(`${status} ${message}`),
  });
  for (let chunk = 0; chunk < chunks; chunk++) request.write(CHUNK);
  request.end();
  await setImmediate();
  return { seen, response };
}

it('takes ten of the largest bodies at once, refuses another, and goes on when one is answered', async () => {
  const room = new BodyRoom();
  const bodies: Reading[] = [];
  // The first chunk of each is not counted.
  for (let count = 0; count < 10; count++) bodies.push(await read(room, LARGEST_CHUNKS));
  expect(bodies.map(({ seen }) => seen)).toEqual(Array.from({ length: 10 }, () => ['50 MB']));
  expect((await read(room, LARGEST_CHUNKS)).seen).toEqual([expect.stringContaining('503 long request bodies')]);
  expect((await read(room, 1)).seen).toEqual(['1 MB']);
  bodies[0]?.response.emit('close');
  expect((await read(room, LARGEST_CHUNKS)).seen).toEqual(['50 MB']);
});
