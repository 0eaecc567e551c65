/**
 * Marks of documents of every kind, read back from the paper of a room, through the faults of a connection.
 */

import { connect } from 'node:net';

import { afterAll, expect, test } from 'vitest';

import { systemClock } from '../../../src/common/clock.ts';
import { createRandom } from '../../../src/common/random.ts';
import { Press } from '../../../src/devices/press/press.ts';
import { DOCUMENT_KINDS, markedDocument, marksIn, newMark } from '../../../src/pipeline/marked-document.ts';
import { pictureOf } from '../../../src/pipeline/paper-reader.ts';
import { PipelineRoom } from '../../../src/pipeline/pipeline-room.ts';
import { breakConnection, standBetween } from '../../../src/pipeline/standing-between.ts';
import { cut, DRAWN_AS, fit, inkOf, scaled, turned, type Picture } from '../../pipelines/drawn-again.ts';

const PROFILES = { 'esc-pos': 'receipt-80mm', zpl: 'label-zebra-zpl', pdf: 'laser-a4', text: 'receipt-80mm' } as const;
const POLL = { timeout: 15_000 };
const MARK = newMark(createRandom(1));

const press = new Press(systemClock);
afterAll(async () => press[Symbol.asyncDispose]());

/** How the connection ended for its sender. */
function send(address: string, bytes: Uint8Array): Promise<'ended' | 'reset'> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(bytes));
  socket.on('error', () => undefined).resume();
  return new Promise((resolve) => socket.once('close', (hadError) => resolve(hadError ? 'reset' : 'ended')));
}

test.each(DOCUMENT_KINDS)('the mark of a document of kind %s is read from its paper, with its end', async (kind) => {
  const room = await PipelineRoom.open({ till: { protocol: 'raw', profile: PROFILES[kind] } }, press);
  await send(room.addresses['till'] ?? '', markedDocument(kind, MARK));
  await expect.poll(() => room.papers, POLL).toBe(1);
  expect(await room.seen()).toMatchObject([{ printer: 'till', mark: MARK, copies: 1, isWhole: true }]);
  await room.close();
});

test.each([
  { from: 'esc-pos', to: 'pdf', change: (picture: Picture) => scaled(picture, 0.6), isWhole: true },
  { from: 'pdf', to: 'esc-pos', change: (picture: Picture) => turned(picture, 94), isWhole: true },
  { from: 'pdf', to: 'zpl', change: (picture: Picture) => cut(picture, 'first', 0.5), isWhole: false },
  { from: 'zpl', to: 'esc-pos', change: (picture: Picture) => cut(picture, 'last', 0.5), isWhole: true },
] as const)(
  'the mark of a document of kind $from is read where it is drawn again as $to, whole or cut',
  async ({ from, to, change, isWhole }) => {
    const printers = { [from]: PROFILES[from], [to]: PROFILES[to] };
    const room = await PipelineRoom.open(
      Object.fromEntries(Object.entries(printers).map(([name, profile]) => [name, { protocol: 'raw', profile }])),
      press,
    );
    await send(room.addresses[from] ?? '', markedDocument(from, MARK));
    await expect.poll(() => room.papers, POLL).toBe(1);
    const [paper] = await room.seen();
    const picture = inkOf((paper && (await pictureOf(paper.printout, 1))) ?? new Uint8Array());
    await send(room.addresses[to] ?? '', DRAWN_AS[to].write(fit(change(picture), DRAWN_AS[to])));
    await expect.poll(() => room.papers, POLL).toBe(2);
    expect((await room.seen()).at(-1)).toMatchObject({ printer: to, mark: MARK, copies: 1, isWhole });
    await room.close();
  },
);

test('a second run on a printer with a port of its own is refused with the name of the printer', async () => {
  const first = await PipelineRoom.open({ till: { protocol: 'raw' } }, press);
  const port = Number(new URL(first.addresses['till'] ?? '').port);
  const second = PipelineRoom.open({ till: { protocol: 'raw', port } }, press);
  const lines = [expect.stringMatching(/^printers\.till cannot be opened: .*in use/)];
  await expect(second).rejects.toMatchObject({ kind: 'usage', lines });
  await first.close();
});

test('two documents in one connection are two copies; one without its end is cut short', () => {
  const text = markedDocument('text', MARK).toString();
  expect(marksIn(text + text)).toEqual([{ mark: MARK, copies: 2, isWhole: true }]);
  expect(marksIn(text.slice(0, 30))).toEqual([{ mark: MARK, copies: 1, isWhole: false }]);
  expect(marksIn(`${MARK}-A`)).toEqual([{ mark: MARK, copies: 1, isWhole: false }]);
  expect(marksIn(`a title with ${MARK} alone`)).toEqual([{ mark: MARK, copies: 1, isWhole: true }]);
});

test('takes a mark of which one letter is read wrongly for none', () => {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('');
  const misread = Array.from({ length: 10 }, (_, at) => at + 'PLT'.length).flatMap((at) =>
    letters.filter((letter) => letter !== MARK[at]).map((letter) => MARK.slice(0, at) + letter + MARK.slice(at + 1)),
  );
  expect(misread.filter((text) => marksIn(text).length > 0)).toEqual([]);
});

test.each([
  { fault: 'none', end: 'ended', papers: 1 },
  { fault: 'reset', end: 'reset', papers: 0 },
  { fault: 'cut', end: 'reset', papers: 0 },
  { fault: 'lost-answer', end: 'reset', papers: 1 },
  { fault: 'latency', end: 'ended', papers: 1 },
])(
  'with the fault $fault the sender sees its connection $end, and $papers papers come',
  async ({ fault, end, papers }) => {
    const room = await PipelineRoom.open({ till: { protocol: 'raw' } }, press);
    const to = room.addresses['till'] ?? '';
    const line = await standBetween('line', to, { to });
    if (fault !== 'none') breakConnection(line, { between: 'line', fault, times: 1 });
    const document = markedDocument('esc-pos', MARK);
    expect(await send(line.address, document)).toBe(end);
    await expect.poll(() => room.papers, POLL).toBe(papers);
    expect(await send(line.address, document)).toBe('ended');
    await expect.poll(() => room.papers, POLL).toBe(papers + 1);
    await line.close();
    await room.close();
  },
);
