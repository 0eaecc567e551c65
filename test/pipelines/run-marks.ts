/**
 * npm run prove marks: the mark of a job is read from paper of every kind, printed as it was sent and drawn again:
 * scaled, turned and cut. It is never taken for another.
 *
 *   -- --papers 10000   how many (10,000)
 *   -- --seed 1         for marks and for what is done to paper (1)
 */

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

import { systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { Press } from '../../src/devices/press/press.ts';
import { markedDocument, newMark, type DocumentKind } from '../../src/pipeline/marked-document.ts';
import { pictureOf } from '../../src/pipeline/paper-reader.ts';
import { PipelineRoom, type SeenPaper } from '../../src/pipeline/pipeline-room.ts';
import { cut, DRAWN_AS, fit, inkOf, scaled, turned, type Picture } from './drawn-again.ts';
import { soon } from '../support/soon.ts';

const { values } = parseArgs({
  options: { papers: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const BAR = 0.999;
const BATCH = 24;
const PROFILES = { 'esc-pos': 'receipt-80mm', zpl: 'label-zebra-zpl', pdf: 'laser-a4' } as const;
const KINDS = ['esc-pos', 'zpl', 'pdf'] as const;

type Kind = keyof typeof PROFILES & DocumentKind;

/** A document on its way to a printer, and what is to be read on its paper. */
interface Sent {
  readonly kind: Kind;
  readonly way: string;
  readonly mark: string;
  readonly isWhole: boolean;
  readonly bytes: Uint8Array;
}

const random = createRandom(Number(values.seed));
const press = new Press(systemClock);
const counts = new Map<string, { papers: number; read: number; mistaken: number; extentMistaken: number }>();

interface Changed {
  readonly picture: Picture;
  readonly isWhole: boolean;
}

const WAYS: Readonly<Record<string, (picture: Picture) => Changed>> = {
  scaled: (picture) => ({ picture: scaled(picture, 0.5 + random.fraction()), isWhole: true }),
  turned: (picture) => ({
    picture: turned(picture, random.pick([0, 90, 180, 270]) + random.integer(-8, 8)),
    isWhole: true,
  }),
  cut: (picture) => {
    const part = random.pick(['first', 'last'] as const);
    return { picture: cut(picture, part, 0.5 + 0.1 * random.fraction()), isWhole: part === 'last' };
  },
};

async function print(sent: readonly Sent[]): Promise<readonly (readonly SeenPaper[])[]> {
  const printers = Object.fromEntries(
    sent.map(({ kind }, index) => [`p${index}`, { protocol: 'raw' as const, profile: PROFILES[kind] }]),
  );
  const room = await PipelineRoom.open(printers, press);
  await Promise.all(sent.map(({ bytes }, index) => send(room.addresses[`p${index}`] ?? '', bytes)));
  await soon(`${sent.length} papers`, '60s', () => Promise.resolve(room.papers >= sent.length || undefined), {
    every: 20,
  });
  const seen = await room.seen();
  await room.close();
  return sent.map((_, index) => seen.filter(({ printer }) => printer === `p${index}`));
}

function send(address: string, bytes: Uint8Array): Promise<void> {
  const { hostname, port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(bytes));
  socket
    .on('error', reject)
    .on('close', () => resolve())
    .resume();
  return promise;
}

function judge({ kind, way, mark, isWhole }: Sent, papers: readonly SeenPaper[]): void {
  const key = `${way} | ${kind}`;
  const count = counts.get(key) ?? { papers: 0, read: 0, mistaken: 0, extentMistaken: 0 };
  counts.set(key, count);
  count.papers++;
  if (papers.some((paper) => paper.mark === mark)) count.read++;
  const marked = papers.filter((paper) => paper.mark !== null);
  if (marked.some((paper) => paper.mark !== mark)) count.mistaken++;
  if (marked.some((paper) => paper.isWhole !== isWhole || paper.copies !== 1)) count.extentMistaken++;
}

async function drawAgain({ kind: from, mark }: Sent, paper: SeenPaper | undefined): Promise<readonly Sent[]> {
  const picture = paper && (await pictureOf(paper.printout, 1, from === 'pdf' ? 102 : 203));
  if (!picture) throw new Error(`no picture of the paper with ${mark}`);
  const ink = inkOf(picture);
  return Object.entries(WAYS).map(([way, change]) => {
    const kind = random.pick(KINDS);
    const { picture: changed, isWhole } = change(ink);
    const bytes = DRAWN_AS[kind].write(fit(changed, DRAWN_AS[kind]));
    return { kind, way, mark, isWhole, bytes };
  });
}

const papers = Number(values.papers);
let done = 0;
while (done < papers) {
  const originals = Array.from({ length: BATCH }, () => {
    const [kind, mark] = [random.pick(KINDS), newMark(random)];
    return { kind, mark, way: 'as it was sent', isWhole: true, bytes: markedDocument(kind, mark) };
  });
  const printed = await print(originals);
  const again = (await Promise.all(originals.map((sent, index) => drawAgain(sent, printed[index]?.[0])))).flat();
  const reprinted = await print(again);
  for (const [index, sent] of originals.entries()) judge(sent, printed[index] ?? []);
  for (const [index, sent] of again.entries()) judge(sent, reprinted[index] ?? []);
  done += originals.length + again.length;
}
await press[Symbol.asyncDispose]();

const all = [...counts.values()];
const sum = (key: 'papers' | 'read' | 'mistaken' | 'extentMistaken'): number =>
  all.reduce((total, one) => total + one[key], 0);
const isGood =
  sum('read') / sum('papers') >= BAR && sum('mistaken') === 0 && sum('extentMistaken') / sum('papers') <= 1 - BAR;
const page = [
  '# Marks read from paper',
  '',
  'Documents with a mark, printed as they were sent, and drawn again from a picture of their paper: scaled from half to',
  'one and a half times their size, turned by quarters and up to eight degrees more, cut to about half. Written by `npm run prove marks`.',
  '',
  `${sum('papers')} papers: the mark read on ${sum('read')} (${((100 * sum('read')) / sum('papers')).toFixed(2)} %), taken for another on ${sum('mistaken')}.`,
  `Whether it is whole or cut was mistaken on ${sum('extentMistaken')}.`,
  '',
  '| what was done | printed as | papers | read | taken for another | whole or cut mistaken |',
  '| --- | --- | --: | --: | --: | --: |',
  ...[...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, count]) => `| ${key} | ${count.papers} | ${count.read} | ${count.mistaken} | ${count.extentMistaken} |`,
    ),
  '',
].join('\n');
process.stdout.write(page);
if (papers >= 10_000) writeFileSync(new URL('../../reports/baseline/marks.md', import.meta.url), page);
if (!isGood) process.exitCode = 1;
