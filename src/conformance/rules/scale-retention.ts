/**
 * Checks of how long scale data is kept. Judged by intervals: a reading was created between the sending
 * of its report and the acknowledgement of that; an answer between the two limits proves nothing.
 */

import { isObject } from '../../common/json-value.ts';
import type { TimeInterval } from '../../common/timekeeper.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { expectBody, expectFound, expectStatus, type Answer } from '../expect/answer.ts';
import { refuseProgram } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { timed } from '../context/took.ts';
import { connectScales, namedScalesPath, plainScale, scalePath, scalesPath, simulate } from '../context/scales.ts';
import { isEmptyArray } from '../expect/records.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { expectThat, firstOf } from '../expect/that.ts';

const RETENTION_MS = LIMITS.scaleRetentionSeconds.value * 1_000;
/** How long before its end a reading is first asked for, and then until it is gone. */
const WATCH_FROM_MS = 1_500;
const WATCH_EVERY_MS = 250;
/** How long after a simulated measurement the next one is made: it is watched when the first is gone. */
const RENEWED_AFTER_MS = 5_000;

const graceMs = ({ target }: CheckContext): number => lateMs(TOLERANCES.retentionLate, target);

/** What was asked, and when. */
interface Look {
  readonly answer: Answer;
  readonly askedMs: number;
  readonly answeredMs: number;
}

async function lookAt({ api, target }: CheckContext, path: string): Promise<Look> {
  const askedMs = target.timekeeper.now();
  const answer = await api.get(path);
  return { answer, askedMs, answeredMs: target.timekeeper.now() };
}

/** Asks for one scale now and then from shortly before its data ends until it is gone. */
async function watch(context: CheckContext, { fromMs, toMs }: TimeInterval, path: string): Promise<readonly Look[]> {
  const looks: Look[] = [];
  await elapseUntil(context, fromMs + RETENTION_MS - WATCH_FROM_MS);
  const lastMs = toMs + RETENTION_MS + graceMs(context) + WATCH_EVERY_MS;
  for (;;) {
    const one = await lookAt(context, path);
    looks.push(one);
    if (one.answer.status === 404 || one.askedMs > lastMs) return looks;
    await context.elapse(WATCH_EVERY_MS);
  }
}

async function elapseUntil({ target, elapse }: CheckContext, atMs: number): Promise<void> {
  await elapse(Math.max(0, atMs - target.timekeeper.now()));
}

/** Expects every answer that was there before the data could end to show it. */
function expectPresent(looks: readonly Look[], { fromMs }: TimeInterval): Mismatch | undefined {
  const early = looks.filter(({ answeredMs }) => answeredMs < fromMs + RETENTION_MS);
  return firstOf(...early.map(({ answer, askedMs }) => aged(expectStatus(answer, 200), askedMs - fromMs)));
}

/** Expects every answer to a question after the data had to end to be a 404, and the last one in any case. */
function expectGone(context: CheckContext, looks: readonly Look[], { toMs }: TimeInterval): Mismatch | undefined {
  const late = looks.filter(({ askedMs }) => askedMs > toMs + RETENTION_MS + graceMs(context));
  const last = looks.at(-1)?.answer;
  return firstOf(
    ...late.map(({ answer, askedMs }) => aged(expectStatus(answer, 404), askedMs - toMs)),
    last && expectStatus(last, 404),
  );
}

/** Expects an answer with the reading, alone or in a list, to say how old it is by then. */
function expectOld(
  { target }: CheckContext,
  look: Look | undefined,
  { fromMs, toMs }: TimeInterval,
): Mismatch | undefined {
  const [reading] = look?.answer.status === 200 ? [look.answer.value].flat() : [];
  if (!look || !isObject(reading)) return undefined;
  const offMs = TOLERANCES.dataAgeOff.ms + (target.timekeeper.moved?.errorMs ?? 0);
  const [least, most] = [look.askedMs - toMs - offMs, look.answeredMs - fromMs + offMs];
  const age = Number(reading['ageOfData']);
  return expectThat(age >= least && age <= most, 'ageOfData', `from ${least} to ${most}`, age);
}

function aged(mismatch: Mismatch | undefined, ageMs: number): Mismatch | undefined {
  return mismatch && { ...mismatch, at: `${mismatch.at}, ${ageMs} ms after the reading` };
}

function noteRetention(context: CheckContext, looks: readonly Look[], { fromMs, toMs }: TimeInterval): void {
  const present = looks.findLast(({ answer }) => answer.status === 200);
  const gone = looks.find(({ answer }) => answer.status === 404);
  const low = present ? `${present.askedMs - toMs} ms` : 'nothing';
  const high = gone ? `${gone.answeredMs - fromMs} ms` : 'for ever';
  context.note(`measured: scale data is kept for more than ${low} and at most ${high}`);
}

/** Judges that a list still shows the reading and how old it is, where it was answered before the end of its time. */
async function judgeListed(context: CheckContext, path: string, created: TimeInterval): Promise<void> {
  const look = await lookAt(context, path);
  const { answer, askedMs, answeredMs } = look;
  if (answeredMs >= created.fromMs + RETENTION_MS) return;
  const mismatch = expectStatus(answer, 200) ?? expectBody(answer, 'the reading', isOne);
  context.judge('limits/scale-retention-not-early', aged(mismatch, askedMs - created.fromMs));
  context.judge('scales/field-age-of-data', expectOld(context, look, created));
}

const isOne = (value: unknown): boolean => Array.isArray(value) && value.length === 1;

export const SCALE_RETENTION_RULES: Rules = {
  'scale-retention/readings': {
    title: 'All three paths show a reading for 45 seconds, even of an unplugged scale, and none shows it longer',
    needs: ['scale'],
    async run(context) {
      const { judge } = context;
      const { computer, weighLast, nameOf } = await connectScales(context, [plainScale('a')]);
      const [, created] = await timed(context, () => weighLast('a'));
      const { computerId } = computer;
      const path = scalePath(computerId, nameOf('a'), 0);
      const lists = [scalesPath(computerId), namedScalesPath(computerId, nameOf('a'))];
      if ((await context.api.get(path)).status === 404) {
        refuseProgram(
          context,
          'needs a scale that goes silent; a client program repeats its readings until it is unplugged',
        );
      }
      // What happens before the end of its time, to this scale and to others, does not end it.
      const happenings = [
        async () => (await connectScales(context, [plainScale('a')])).weigh('a'),
        () => computer.reportScales([]),
        async () => {
          await computer.disconnect();
          await computer.connect();
        },
      ];
      // A client program has unplugged it already.
      const mayHappen = context.target.link?.program ? [] : happenings;
      for (const happen of mayHappen) {
        await happen();
        judge('limits/scale-retention-not-early', expectPresent([await lookAt(context, path)], created));
        for (const listPath of lists) await judgeListed(context, listPath, created);
      }
      if (mayHappen.length > 0) await computer.disconnect();
      await elapseUntil(context, created.fromMs + RETENTION_MS - WATCH_FROM_MS);
      for (const listPath of lists) await judgeListed(context, listPath, created);
      const looks = await watch(context, created, path);
      noteRetention(context, looks, created);
      judge('limits/scale-retention-not-early', expectPresent(looks, created));
      judge('scales/field-age-of-data', expectOld(context, looks[0], created));
      const gone = expectGone(context, looks, created);
      judge('limits/scale-retention', gone);
      judge('scales/read-one-missing-404', gone);
      await elapseUntil(context, created.toMs + RETENTION_MS + graceMs(context));
      for (const listPath of lists) {
        const list = await context.api.get(listPath);
        judge('scales/retention-lists', expectBody(list, 'no data after 45 seconds', isEmptyArray));
      }
    },
  },
  'scale-retention/renewed': {
    title: 'A new reading is kept for 45 seconds of its own',
    needs: ['scale'],
    async run(context) {
      const { computer, weigh, nameOf } = await connectScales(context, [plainScale('a')]);
      const [, first] = await timed(context, () => weigh('a'));
      const path = scalePath(computer.computerId, nameOf('a'), 0);
      context.require(expectStatus(await context.api.get(path), 200));
      await context.elapse(RETENTION_MS / 2);
      await weigh('a');
      await elapseUntil(context, first.toMs + RETENTION_MS + graceMs(context));
      const one = await context.api.get(path);
      const list = await context.api.get(scalesPath(computer.computerId));
      context.judge('scales/retention-renewed', expectStatus(one, 200), expectBody(list, 'the newer reading', isOne));
    },
  },
  'scale-retention/simulated': {
    title: 'The simulated measurement can be read for 45 seconds after the newest one and no longer',
    locks: ['account'],
    async run(context) {
      // Asked before: only the measurement itself is timed.
      await context.speak('simulated-reading');
      await simulate(context);
      await context.elapse(RENEWED_AFTER_MS);
      // What counts is the newest one.
      const [, created] = await timed(context, () => simulate(context));
      const { computerId, deviceName, deviceNum } = VIRTUAL_SCALE;
      const path = scalePath(computerId.value, deviceName.value, deviceNum.value);
      const first = await context.api.get(path);
      const isIt = (value: unknown): boolean => isObject(value) && value['deviceName'] === deviceName.value;
      context.require(expectFound(first, 'the simulated measurement', isIt));
      const looks = await watch(context, created, path);
      noteRetention(context, looks, created);
      context.judge('scales/simulate-retention', expectPresent(looks, created), expectGone(context, looks, created));
    },
  },
};
