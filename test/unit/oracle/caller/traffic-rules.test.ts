import { expect, it } from 'vitest';

import { CALLER_CLAUSES, trafficBreaks, type CallerClause } from '../../../../src/oracle/caller/traffic-rules.ts';
import type { SeenRun } from '../../../../src/record/caller-history.ts';
import { toldRun, type ToldRequest } from '../../../support/told-caller.ts';

interface Told {
  readonly broken: SeenRun;
  /** Looks much like it, and is sound. */
  readonly sound: readonly SeenRun[];
}

const LOST = { got: null, taken: true } as const;
const BUSY = { got: 429, headers: { 'retry-after': '1' } } as const;
const looks = (count: number, gapMs: number): readonly ToldRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    place: 'GET /printjobs/N/states',
    target: '/printjobs/1/states',
    got: 200,
    sentMs: index * gapMs,
  }));
const list = (sentMs: number): ToldRequest => ({
  place: 'GET /printjobs',
  got: 200,
  headers: { 'records-total': '2' },
  body: '[{}]',
  sentMs,
});

const TOLD: Readonly<Record<CallerClause, Told>> = {
  'events/receiver-sends-header': {
    broken: toldRun([], { deliveries: [{ confirmation: null }] }),
    sound: [toldRun([], { deliveries: [{}, { status: 500, confirmation: null }] })],
  },
  'events/receiver-verifies-secret': {
    broken: toldRun([], { deliveries: [{ kind: 'forged' }, {}] }),
    sound: [
      toldRun([], { deliveries: [{ kind: 'forged', status: 401, confirmation: null }, {}] }),
      // It does not tell a stranger what it thinks.
      toldRun([], { deliveries: [{ kind: 'forged', status: 200, confirmation: null }, {}] }),
      // The other receiver answers so.
      toldRun([], {
        deliveries: [{ kind: 'forged', hook: 'b', confirmation: null }, { confirmation: null }, { hook: 'b' }],
      }),
    ],
  },
  'print-jobs/option-copies-positive': {
    broken: withBody({ title: 'x', options: { copies: 0 } }),
    sound: [withBody({ title: 'x', options: { copies: 1 } }), withBody({ title: 'x', options: null })],
  },
  'service/set-empty-not-sent': {
    broken: toldRun([{ place: 'DELETE /printjobs', target: '/printjobs/' }]),
    sound: [toldRun([{ place: 'DELETE /printjobs', target: '/printjobs' }])],
  },
  'print-jobs/caller-sends-key': {
    broken: toldRun([LOST, {}]),
    sound: [
      toldRun([
        { ...LOST, key: 'a' },
        { key: 'a', got: 409 },
      ]),
      toldRun([{ got: 429 }, {}]),
      toldRun([LOST, { place: 'GET /printjobs', got: 200 }, {}]),
    ],
  },
  'print-jobs/caller-keeps-key': {
    broken: toldRun([{ ...LOST, key: 'a' }, { key: 'b' }]),
    sound: [
      toldRun([{ key: 'a' }, { key: 'b' }]),
      toldRun([
        { ...LOST, key: 'a' },
        { key: 'a', got: 409 },
      ]),
    ],
  },
  'print-jobs/caller-own-conflict': {
    broken: toldRun(
      [
        { ...LOST, key: 'a' },
        { key: 'a', got: 409 },
      ],
      { code: 1 },
    ),
    sound: [
      toldRun([
        { ...LOST, key: 'a' },
        { key: 'a', got: 409 },
      ]),
      // The key of another.
      toldRun([{ key: 'a', got: 409 }], { code: 1 }),
    ],
  },
  'limits/caller-waits': {
    broken: toldRun([BUSY, { sentMs: 100 }]),
    sound: [
      toldRun([BUSY, { sentMs: 1_010 }]),
      // A second after it asked: it may have given up before the answer.
      toldRun([BUSY, { sentMs: 952 }]),
      toldRun([BUSY, { title: 'Label 2', sentMs: 100 }]),
      toldRun([{ ...BUSY, sentMs: 0 }, { sentMs: 2 }]),
    ],
  },
  'limits/caller-asks-rarely': {
    broken: toldRun(looks(12, 200)),
    sound: [toldRun(looks(12, 2_000)), toldRun(looks(3, 200))],
  },
  'service/caller-pages': {
    broken: toldRun([list(0)]),
    sound: [toldRun([list(0), { ...list(100), target: '/printjobs?after=1' }])],
  },
};

const SURROUNDINGS = { usual: () => 1, hasMissedPage: true };

function brokenBy(run: SeenRun): readonly string[] {
  return trafficBreaks(run, { ...SURROUNDINGS, said: run.end.said }).map(({ clause }) => clause);
}

it.each(CALLER_CLAUSES)('finds a caller that breaks %s', (clause) => {
  expect(brokenBy(TOLD[clause].broken)).toContain(clause);
});

it.each(CALLER_CLAUSES)('accuses no sound caller of breaking %s', (clause) => {
  for (const sound of TOLD[clause].sound) expect(brokenBy(sound)).not.toContain(clause);
});

it('takes two labels that look alike for no repetition', () => {
  const twins = toldRun([LOST, {}]);
  const breaks = trafficBreaks(twins, { ...SURROUNDINGS, said: 'failed', usual: () => 2 });
  expect(breaks).toEqual([]);
});

it('says nothing of a list where nothing was missed', () => {
  const breaks = trafficBreaks(toldRun([list(0)]), { ...SURROUNDINGS, said: 'printed', hasMissedPage: false });
  expect(breaks).toEqual([]);
});

function withBody(body: unknown): SeenRun {
  const run = toldRun([{}]);
  return { ...run, requests: run.requests.map((request) => ({ ...request, body: Buffer.from(JSON.stringify(body)) })) };
}
