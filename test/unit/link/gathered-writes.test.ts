import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { writesOfTick, writesOfTurn } from '../../../src/link/gathered-writes.ts';

/** A stream that keeps what each single write to the network would have been. */
function recorder(): { readonly stream: Writable; readonly writes: string[] } {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writes.push(chunk);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => chunk as string).join('+'));
      done();
    },
  });
  return { stream, writes };
}

it('lets the frames of a tick leave in one write', async () => {
  const { stream, writes } = recorder();
  for (const frame of ['a', 'b', 'c']) {
    writesOfTick.gather(stream);
    stream.write(frame);
    await Promise.resolve();
  }
  expect(writes).toEqual([]);
  await nextTurn();
  expect(writes).toEqual(['a+b+c']);
});

it('lets what is said later in a turn leave with what was said before', async () => {
  const { stream, writes } = recorder();
  const later = nextTurn().then(() => {
    writesOfTurn.gather(stream);
    stream.write('b');
  });
  writesOfTurn.gather(stream);
  stream.write('a');
  await later;
  expect(writes).toEqual([]);
  await nextTurn();
  expect(writes).toEqual(['a+b']);
});

it('lets frames go ahead of the end of the turn when the connection is about to be cut', async () => {
  const { stream, writes } = recorder();
  writesOfTurn.gather(stream);
  stream.write('a');
  writesOfTurn.release(stream);
  expect(writes).toEqual(['a']);
  await nextTurn();
  writesOfTurn.gather(stream);
  stream.write('b');
  await nextTurn();
  expect(writes).toEqual(['a', 'b']);
});
