import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Ledger } from '../../../src/oracle/ledger.ts';
import { LEDGER_CLASSES, type LedgerClass, type Phase } from '../../../src/record/words.ts';

const INTENT = { intendedUs: 1_000, account: 0, printer: 4, document: 0, copies: 1 };
const PAPER = { printer: 4, documentMatches: true, copies: 1, optionsMatch: true, titleMatches: true };

function accepted(ledger: Ledger, changes: Partial<typeof INTENT> = {}, jobId = 501): number {
  const row = ledger.intend({ ...INTENT, ...changes });
  ledger.sent(row, 1_100);
  ledger.accepted(row, jobId, 3_000);
  return row;
}

const STORIES: readonly (readonly [LedgerClass, string, (ledger: Ledger) => void])[] = [
  ['delivered-once', 'printed on the right paper', (l) => l.printed(accepted(l), PAPER, 9_000)],
  [
    'delivered-once',
    'delivered twice and printed once',
    (l) => {
      const row = accepted(l);
      l.delivered(row, 4, 4_000);
      l.delivered(row, 4, 5_000);
      l.printed(row, PAPER, 9_000);
    },
  ],
  [
    'delivered-once',
    'two of two copies, one after the other',
    (l) => {
      const row = accepted(l, { copies: 2 });
      l.printed(row, PAPER, 9_000);
      l.printed(row, PAPER, 9_500);
    },
  ],
  [
    'duplicated',
    'printed twice',
    (l) => {
      const row = accepted(l);
      l.printed(row, PAPER, 9_000);
      l.printed(row, PAPER, 9_500);
    },
  ],
  ['lost', 'accepted, and never seen again', (l) => void accepted(l)],
  ['lost', 'delivered, and never on paper', (l) => l.delivered(accepted(l), 4, 4_000)],
  ['wrong-printer', "on the neighbour's paper", (l) => l.printed(accepted(l), { ...PAPER, printer: 2 }, 9_000)],
  ['wrong-account', 'given to a computer of another account', (l) => l.delivered(accepted(l), 5, 4_000)],
  ['wrong-bytes', 'another document', (l) => l.printed(accepted(l), { ...PAPER, documentMatches: false }, 9_000)],
  ['wrong-options', 'one-sided', (l) => l.printed(accepted(l), { ...PAPER, optionsMatch: false }, 9_000)],
  ['lost-title', 'without a title', (l) => l.printed(accepted(l), { ...PAPER, titleMatches: false }, 9_000)],
  ['wrong-copies', 'one of three', (l) => l.printed(accepted(l, { copies: 3 }), PAPER, 9_000)],
  ['wrong-copies', 'three of two', (l) => l.printed(accepted(l, { copies: 2 }), { ...PAPER, copies: 3 }, 9_000)],
  ['cancelled', 'cancelled in time', (l) => l.cancelled(accepted(l))],
  [
    'after-cancel',
    'printed after its cancellation',
    (l) => {
      const row = accepted(l);
      l.cancelled(row);
      l.printed(row, PAPER, 9_000);
    },
  ],
  ['expired', 'not delivered in time', (l) => l.expired(accepted(l))],
  [
    'after-expiry',
    'printed all the same',
    (l) => {
      const row = accepted(l);
      l.expired(row);
      l.printed(row, PAPER, 9_000);
    },
  ],
  ['failed-at-printer', 'the printer gave up', (l) => l.reported(accepted(l), 'error', 9_000)],
  ['said-done', 'by the word of the service', (l) => l.said(accepted(l), 'done')],
  ['said-failed', 'by the word of the service', (l) => l.said(accepted(l), 'error')],
  ['said-waiting', 'by the word of the service', (l) => l.said(accepted(l), 'waiting')],
  [
    'said-done',
    'after a while',
    (l) => {
      const row = accepted(l);
      l.said(row, 'waiting');
      l.said(row, 'done');
    },
  ],
  ['refused', 'the service did not take it', (l) => l.refused(l.intend(INTENT))],
  [
    'after-refusal',
    'printed though it was refused',
    (l) => {
      const row = l.intend(INTENT);
      l.refused(row);
      l.printed(row, PAPER, 9_000);
    },
  ],
  ['shed', 'never sent', (l) => l.shed(l.intend(INTENT))],
  [
    'unknown',
    'sent, and never settled',
    (l) => {
      const row = l.intend(INTENT);
      l.sent(row, 1_100);
    },
  ],
  [
    'lost',
    'without an answer, but accepted',
    (l) => {
      const row = l.intend(INTENT);
      l.settledAs(row, 'accepted');
    },
  ],
  [
    'refused',
    'without an answer, and never accepted',
    (l) => {
      const row = l.intend(INTENT);
      l.settledAs(row, 'never');
    },
  ],
];

it.each(STORIES)('%s: %s', (name, _what, tell) => {
  // Even printers are of account 0, odd ones of account 1.
  const ledger = new Ledger({ accountOfPrinter: (printer) => printer % 2 });
  tell(ledger);
  ledger.drained();
  expect(ledger.classOf(0)).toBe(name);
  expect(ledger.totals().classes[name]).toBe(1);
  expect(ledger.sample(name, 5)).toHaveLength(1);
});

it('shows the slowest of the jobs that went well, the slowest first', () => {
  const ledger = new Ledger();
  for (const tookUs of [30, 10, 50, 20, 40]) {
    const row = ledger.intend(INTENT);
    ledger.accepted(row, 100 + tookUs, INTENT.intendedUs + 1);
    const paper = {
      printer: INTENT.printer,
      documentMatches: true,
      copies: INTENT.copies,
      optionsMatch: true,
      titleMatches: true,
    };
    ledger.printed(row, paper, INTENT.intendedUs + tookUs);
  }
  ledger.drained();
  expect(ledger.sample('delivered-once', 3).map(({ jobId }) => jobId)).toEqual([150, 140, 130]);
});

it('measures how slow a job was from its own intended start', () => {
  const ledger = new Ledger();
  ledger.printed(accepted(ledger, {}, 11), PAPER, 9_000);
  ledger.printed(accepted(ledger, { intendedUs: 8_000 }, 12), PAPER, 9_500);
  expect(ledger.sample('delivered-once', 2).map(({ jobId }) => jobId)).toEqual([11, 12]);
});

it('has a story for each class', () => {
  expect(new Set(STORIES.map(([name]) => name))).toEqual(new Set(LEDGER_CLASSES));
});

it('calls nothing lost before the drain is over', () => {
  const ledger = new Ledger();
  accepted(ledger);
  expect(ledger.classOf(0)).toBe('unknown');
});

type Told = readonly [what: number, row: number, printer: number];
const HISTORY: fc.Arbitrary<readonly Told[]> = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 4, max: 5 })),
  { maxLength: 60 },
);

/** The same, kept in plain objects. */
class NaiveLedger {
  readonly rows = Array.from({ length: 6 }, () => ({ told: new Set<string>(), copies: 0 }));

  classes(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { told, copies } of this.rows) {
      const name = this.#classOf(told, copies);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  #classOf(told: ReadonlySet<string>, copies: number): string {
    if (told.has('elsewhere')) return 'wrong-printer';
    if (copies > 0) {
      if (told.has('cancelled')) return 'after-cancel';
      if (told.has('expired')) return 'after-expiry';
      if (told.has('refused') && !told.has('accepted')) return 'after-refusal';
      if (told.has('bytes')) return 'wrong-bytes';
      if (copies === 2) return 'delivered-once';
      if (copies > 2) return copies % 2 === 0 ? 'duplicated' : 'wrong-copies';
      return told.has('failed') ? 'failed-at-printer' : 'wrong-copies';
    }
    for (const name of ['cancelled', 'expired']) if (told.has(name)) return name;
    if (told.has('failed')) return 'failed-at-printer';
    if (told.has('shed')) return 'shed';
    if (told.has('refused') && !told.has('accepted')) return 'refused';
    return told.has('accepted') ? 'lost' : 'unknown';
  }
}

function tell(ledger: Ledger, naive: NaiveLedger, [what, row, printer]: Told, atUs: number): void {
  const { told } = naive.rows[row] ?? { told: new Set<string>() };
  const print = (documentMatches: boolean): void => {
    ledger.printed(row, { printer, documentMatches, copies: 1, optionsMatch: true, titleMatches: true }, atUs);
    const naiveRow = naive.rows[row];
    if (naiveRow) naiveRow.copies++;
    if (!documentMatches) told.add('bytes');
    if (printer !== 4) told.add('elsewhere');
  };
  const tellings: readonly (() => void)[] = [
    () => ledger.sent(row, atUs),
    () => (ledger.accepted(row, row + 100, atUs), told.add('accepted')),
    () => (ledger.refused(row), told.add('refused')),
    () => (ledger.shed(row), told.add('shed')),
    () => ledger.fetched(row, atUs),
    () => (ledger.settledAs(row, 'never'), told.add('refused')),
    () => (ledger.settledAs(row, 'accepted'), told.add('accepted')),
    () => (ledger.delivered(row, printer, atUs), printer === 4 || told.add('elsewhere')),
    () => (ledger.cancelled(row), told.add('cancelled')),
    () => (ledger.expired(row), told.add('expired')),
    () => (ledger.reported(row, 'error', atUs), told.add('failed')),
    () => ledger.reported(row, 'done', atUs),
    () => print(true),
    () => print(false),
  ];
  tellings[what]?.();
}

it('agrees with a naive account on any history, and its classes add up to the intents', () => {
  fc.assert(
    fc.property(HISTORY, (history) => {
      const ledger = new Ledger();
      const naive = new NaiveLedger();
      for (let row = 0; row < 6; row++) ledger.intend({ ...INTENT, copies: 2 });
      for (const [index, told] of history.entries()) tell(ledger, naive, told, 2_000 + index);
      ledger.drained();
      const { classes, intents } = ledger.totals();
      expect(Object.fromEntries(Object.entries(classes).filter(([, count]) => count > 0))).toEqual(naive.classes());
      expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(intents);
      const copy = Ledger.fromBytes([ledger.toBytes()]);
      expect(copy.totals()).toEqual(ledger.totals());
      expect(copy.progress).toEqual(ledger.progress);
      expect([0, 1, 2, 3, 4, 5].map((row) => copy.view(row))).toEqual(
        [0, 1, 2, 3, 4, 5].map((row) => ledger.view(row)),
      );
    }),
    { numRuns: 400 },
  );
});

it('measures each leg of a job from what came before it', () => {
  const legs: [Phase, number][] = [];
  const ledger = new Ledger({ onPhase: (leg, us) => void legs.push([leg, us]) });
  const row = accepted(ledger);
  ledger.delivered(row, 4, 3_500);
  ledger.fetched(row, 3_900);
  ledger.spooled(row, 4_000);
  ledger.printed(row, PAPER, 6_000);
  ledger.reported(row, 'done', 6_500);
  ledger.webhook(row, 8_000);
  expect(legs).toEqual([
    ['submit', 100],
    ['accept', 1_900],
    ['deliver', 500],
    ['fetch', 400],
    ['spool', 100],
    ['paper', 2_000],
    ['whole', 5_000],
    ['report', 2_500],
    ['webhook', 1_500],
  ]);
  expect(ledger.view(row).stamps).toEqual({
    sent: 1_100,
    accepted: 3_000,
    delivered: 3_500,
    fetched: 3_900,
    spooled: 4_000,
    printed: 6_000,
    reported: 6_500,
  });
});

it('takes a delivery that is quicker than the answer to the submission', () => {
  const legs: Phase[] = [];
  const ledger = new Ledger({ onPhase: (leg) => void legs.push(leg) });
  const row = ledger.intend(INTENT);
  ledger.sent(row, 1_100);
  ledger.delivered(row, 4, 1_500);
  ledger.accepted(row, 77, 1_600);
  expect(legs).toEqual(['submit', 'accept', 'deliver']);
  expect(ledger.rowOfJob(77)).toBe(row);
});

it('finds jobs by ids of any size, and says when two were given the same', () => {
  const ledger = new Ledger();
  const ids = [1, 5, 2 ** 31, 2 ** 32 + 5, 2 ** 47, ...Array.from({ length: 5_000 }, (_, k) => 7_000 + k * 3)];
  for (const id of ids) accepted(ledger, {}, id);
  expect(ids.map((id) => ledger.rowOfJob(id))).toEqual(ids.map((_, row) => row));
  expect(ledger.rowOfJob(7_001)).toBeUndefined();
  accepted(ledger, {}, 5);
  expect(ledger.totals().clashes).toBe(1);
});

it.each([1, 2, 4_096, 2 ** 22])('is quick with job ids in steps of %i', (step) => {
  const ledger = new Ledger();
  for (let job = 1; job <= 60_000; job++) accepted(ledger, {}, job * step);
  expect(ledger.rowOfJob(60_000 * step)).toBe(59_999);
  expect(ledger.rowOfJob(60_001 * step)).toBeUndefined();
});

it('finds a job id that two shards were given', () => {
  const [left, right] = [new Ledger(), new Ledger()];
  accepted(left, {}, 9);
  accepted(right, {}, 9);
  const joined = Ledger.fromBytes([left.toBytes(), right.toBytes()]);
  expect([joined.rows, joined.totals().clashes]).toEqual([2, 1]);
  expect(() => Ledger.fromBytes([Buffer.from('something else entirely')])).toThrow('these bytes are not a ledger');
});

it('takes at most 64 bytes a job, the index included', () => {
  const ledger = new Ledger();
  for (let job = 0; job < 200_000; job++) accepted(ledger, { intendedUs: 10 * 3_600e6 + job }, 1_000_000 + job);
  expect(ledger.bytes / ledger.rows).toBeLessThanOrEqual(64);
  expect(ledger.view(199_999).intendedUs).toBe(10 * 3_600e6 + 199_999);
});

const PROGRESS = { intended: 1, sent: 0, accepted: 0, delivered: 0, printed: 0, reported: 0, over: 0 };

/** What is recorded of one job of two copies, step by step, and what is known of it then. */
const STEPS: readonly (readonly [
  step: string,
  tell: (ledger: Ledger, row: number) => void,
  progress: Partial<typeof PROGRESS>,
  known: { readonly isOpen: boolean; readonly isAccepted: boolean; readonly isUnderWay: boolean },
])[] = [
  ['intended', () => undefined, {}, { isOpen: true, isAccepted: false, isUnderWay: false }],
  ['sent', (l, row) => l.sent(row, 2_000), { sent: 1 }, { isOpen: true, isAccepted: false, isUnderWay: false }],
  ['shed', (l, row) => l.shed(row), {}, { isOpen: false, isAccepted: false, isUnderWay: false }],
  ['refused', (l, row) => l.refused(row), {}, { isOpen: false, isAccepted: false, isUnderWay: false }],
  [
    'never accepted',
    (l, row) => l.settledAs(row, 'never'),
    {},
    { isOpen: false, isAccepted: false, isUnderWay: false },
  ],
  [
    'delivered before the answer',
    (l, row) => l.delivered(row, 4, 2_000),
    { delivered: 1 },
    { isOpen: true, isAccepted: false, isUnderWay: false },
  ],
  [
    'reported before the answer',
    (l, row) => l.reported(row, 'done', 2_000),
    { reported: 1, over: 1 },
    { isOpen: true, isAccepted: false, isUnderWay: false },
  ],
  [
    'accepted',
    (l, row) => l.accepted(row, 7, 2_000),
    { accepted: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: true },
  ],
  [
    'accepted without an answer',
    (l, row) => l.settledAs(row, 'accepted'),
    { accepted: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: true },
  ],
  [
    'printed in part, and reported',
    (l, row) => {
      l.accepted(row, 7, 2_000);
      l.printed(row, PAPER, 3_000);
      l.reported(row, 'done', 4_000);
    },
    { accepted: 1, reported: 1, over: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: true },
  ],
  [
    'printed, and not reported',
    (l, row) => {
      l.accepted(row, 7, 2_000);
      l.printed(row, { ...PAPER, copies: 2 }, 3_000);
    },
    { accepted: 1, printed: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: true },
  ],
  [
    'printed and reported',
    (l, row) => {
      l.accepted(row, 7, 2_000);
      l.printed(row, { ...PAPER, copies: 2 }, 3_000);
      l.reported(row, 'done', 4_000);
    },
    { accepted: 1, printed: 1, reported: 1, over: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: false },
  ],
  [
    'failed',
    (l, row) => {
      l.accepted(row, 7, 2_000);
      l.reported(row, 'error', 4_000);
    },
    { accepted: 1, reported: 1, over: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: false },
  ],
  [
    'cancelled',
    (l, row) => {
      l.accepted(row, 7, 2_000);
      l.cancelled(row);
    },
    { accepted: 1, over: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: false },
  ],
  [
    'expired',
    (l, row) => {
      l.accepted(row, 7, 2_000);
      l.expired(row);
    },
    { accepted: 1, over: 1 },
    { isOpen: false, isAccepted: true, isUnderWay: false },
  ],
];

describe.each(STEPS)('a job that is %s', (_step, tell, progress, known) => {
  const jobTold = (times: number): Ledger => {
    const ledger = new Ledger();
    const row = ledger.intend({ ...INTENT, copies: 2 });
    for (let time = 0; time < times; time++) tell(ledger, row);
    return ledger;
  };

  it('has reached this phase', () => {
    const ledger = jobTold(1);
    expect(ledger.progress).toEqual({ ...PROGRESS, ...progress });
    expect({
      isOpen: ledger.isOpen(0),
      isAccepted: ledger.isAccepted(0),
      isUnderWay: ledger.isUnderWay(0),
    }).toEqual(known);
  });

  it('has not come further when the same is recorded again', () => {
    expect(jobTold(2).progress).toMatchObject({ ...PROGRESS, ...progress, printed: expect.any(Number) });
  });

  it('has reached this phase in a ledger that was read from its bytes', () => {
    const [ledger, copy] = [jobTold(1), Ledger.fromBytes([jobTold(1).toBytes()])];
    expect(copy.progress).toEqual(ledger.progress);
    expect(copy.view(0)).toEqual(ledger.view(0));
    expect(copy.isUnderWay(0)).toBe(known.isUnderWay);
  });
});

it('counts a job once as over that was cancelled, expired and reported', () => {
  const ledger = new Ledger();
  const row = accepted(ledger);
  ledger.cancelled(row);
  ledger.expired(row);
  ledger.reported(row, 'done', 9_000);
  ledger.reported(row, 'error', 9_000);
  expect(ledger.progress).toMatchObject({ over: 1, reported: 1 });
});

it('shows all it knows of a job', () => {
  const ledger = new Ledger();
  ledger.intend(INTENT);
  const row = ledger.intend({ intendedUs: 1_000, account: 3, printer: 4, document: 6, copies: 2 });
  expect(ledger.documentOf(row)).toBe(6);
  expect(ledger.view(row)).toEqual({
    row: 1,
    class: 'unknown',
    jobId: null,
    account: 3,
    printer: 4,
    document: 6,
    copies: 2,
    copiesPrinted: 0,
    deliveries: 0,
    intendedUs: 1_000,
    stamps: {},
  });
  ledger.accepted(row, 9, 1_500);
  ledger.delivered(row, 4, 1_600);
  ledger.delivered(row, 4, 1_700);
  ledger.printed(row, { ...PAPER, copies: 3 }, 1_800);
  expect(ledger.view(row)).toMatchObject({
    jobId: 9,
    copiesPrinted: 3,
    deliveries: 2,
    stamps: { accepted: 1_500, delivered: 1_600, printed: 1_800 },
  });
});

it.each([
  [{ intendedUs: -5 }, { intendedUs: 0 }],
  [{ intendedUs: 1_000.6 }, { intendedUs: 1_001 }],
  [{ copies: 0 }, { copies: 1 }],
  [{ copies: 65_535 }, { copies: 65_535 }],
  [{ copies: 65_540 }, { copies: 65_535 }],
])('keeps an intent of %j as %j', (intent, kept) => {
  const ledger = new Ledger();
  expect(ledger.view(ledger.intend({ ...INTENT, ...intent }))).toMatchObject(kept);
});

it('counts copies to the most that it can hold, and stays there', () => {
  const ledger = new Ledger();
  const row = accepted(ledger);
  ledger.printed(row, { ...PAPER, copies: 65_534 }, 9_000);
  ledger.printed(row, { ...PAPER, copies: 1 }, 9_000);
  ledger.printed(row, { ...PAPER, copies: 1 }, 9_000);
  expect(ledger.view(row).copiesPrinted).toBe(65_535);
});

it('takes up the id of a job whose answer was lost, and keeps the first', () => {
  const ledger = new Ledger();
  const row = ledger.intend(INTENT);
  ledger.identified(row, 77);
  ledger.identified(row, 78);
  expect([ledger.view(row).jobId, ledger.rowOfJob(77), ledger.rowOfJob(78)]).toEqual([77, row, undefined]);
});

it('calls it no clash when a submission is accepted again with its own id', () => {
  const ledger = new Ledger();
  const row = ledger.intend(INTENT);
  ledger.identified(row, 77);
  ledger.accepted(row, 77, 3_000);
  ledger.accepted(row, 77, 3_500);
  expect([ledger.totals().clashes, ledger.view(row).stamps.accepted]).toEqual([0, 3_000]);
});

it.each<[string, (ledger: Ledger, row: number) => void, readonly (readonly [Phase, number])[]]>([
  [
    'from the delivery where it was not fetched',
    (l, row) => {
      l.delivered(row, 4, 3_500);
      l.spooled(row, 4_000);
    },
    [
      ['deliver', 500],
      ['spool', 500],
    ],
  ],
  [
    'from the delivery where it was not spooled',
    (l, row) => {
      l.delivered(row, 4, 3_500);
      l.reported(row, 'error', 5_000);
    },
    [
      ['deliver', 500],
      ['report', 1_500],
    ],
  ],
  ['from nothing where it was not delivered', (l, row) => l.spooled(row, 4_000), []],
  [
    'once',
    (l, row) => {
      l.delivered(row, 4, 3_500);
      for (const atUs of [4_000, 4_500]) {
        l.fetched(row, atUs);
        l.delivered(row, 4, atUs);
        l.reported(row, 'done', 5_000 + atUs);
        l.webhook(row, 9_000 + atUs);
      }
    },
    [
      ['deliver', 500],
      ['fetch', 500],
      ['report', 5_500],
      ['webhook', 4_000],
    ],
  ],
  ['as nothing where clocks disagree', (l, row) => l.delivered(row, 4, 2_000), [['deliver', 0]]],
  [
    'of paper only where all copies came out',
    (l, row) => {
      l.spooled(row, 4_000);
      l.printed(row, { ...PAPER, copies: 0 }, 5_000);
      l.printed(row, PAPER, 6_000);
      l.printed(row, PAPER, 7_000);
    },
    [
      ['paper', 2_000],
      ['whole', 5_000],
    ],
  ],
])('measures a phase %s', (_, tell, phases) => {
  const found: (readonly [Phase, number])[] = [];
  const ledger = new Ledger({ onPhase: (phase, us) => void found.push([phase, us]) });
  const row = accepted(ledger);
  found.length = 0;
  tell(ledger, row);
  expect(found).toEqual(phases);
});

it('ends the way to a computer at once that was quicker than the answer', () => {
  const found: (readonly [Phase, number])[] = [];
  const ledger = new Ledger({ onPhase: (phase, us) => void found.push([phase, us]) });
  const row = ledger.intend(INTENT);
  ledger.sent(row, 1_100);
  ledger.delivered(row, 4, 1_500);
  ledger.accepted(row, 77, 1_600);
  expect(found).toEqual([
    ['submit', 100],
    ['accept', 500],
    ['deliver', 0],
  ]);
});

it('knows no accounts of printers that were not given, nor of a printer that the room does not have', () => {
  const [plain, ledger] = [new Ledger(), new Ledger({ accountOfPrinter: (printer) => printer })];
  plain.delivered(plain.intend(INTENT), 5, 2_000);
  ledger.delivered(ledger.intend(INTENT), -1, 2_000);
  ledger.delivered(ledger.intend({ ...INTENT, account: 5 }), 5, 2_000);
  ledger.delivered(ledger.intend({ ...INTENT, account: 1 }), 0, 2_000);
  expect(plain.classOf(0)).toBe('wrong-printer');
  expect([0, 1, 2].map((row) => ledger.classOf(row))).toEqual(['wrong-printer', 'wrong-printer', 'wrong-account']);
});

it.each<[string, (ledger: Ledger, row: number) => void, LedgerClass, LedgerClass]>([
  ['accepted', () => undefined, 'unknown', 'lost'],
  ['printed in part', (l, row) => l.printed(row, PAPER, 9_000), 'unknown', 'wrong-copies'],
  [
    'printed in part before it failed',
    (l, row) => {
      l.printed(row, PAPER, 9_000);
      l.reported(row, 'error', 9_500);
    },
    'failed-at-printer',
    'failed-at-printer',
  ],
  ['printed twice over', (l, row) => l.printed(row, { ...PAPER, copies: 4 }, 9_000), 'duplicated', 'duplicated'],
])('calls a job of two copies that was %s something else once drained', (_, tell, before, after) => {
  const ledger = new Ledger();
  const row = accepted(ledger, { copies: 2 });
  tell(ledger, row);
  expect(ledger.classOf(row)).toBe(before);
  ledger.drained();
  expect(ledger.classOf(row)).toBe(after);
});

it('counts what was printed and not reported, and what was delivered again', () => {
  const ledger = new Ledger();
  const rows = [11, 12, 13, 14, 15].map((jobId) => accepted(ledger, {}, jobId));
  for (const row of rows.slice(0, 3)) ledger.printed(row, PAPER, 9_000);
  ledger.reported(rows[0] ?? 0, 'done', 9_500);
  for (const [index, row] of rows.entries()) for (let time = 0; time < index; time++) ledger.delivered(row, 4, 4_000);
  ledger.drained();
  expect(ledger.totals()).toMatchObject({ intents: 5, unreported: 2, redelivered: 3, clashes: 0 });
});

it('shows as many rows of a class as it was asked for, the earliest first', () => {
  const ledger = new Ledger();
  for (const jobId of [11, 12, 13, 14]) accepted(ledger, {}, jobId);
  ledger.refused(ledger.intend(INTENT));
  ledger.drained();
  const rows = (most: number): readonly number[] => ledger.sample('lost', most).map(({ row }) => row);
  expect([rows(0), rows(2), rows(9)]).toEqual([[], [0, 1], [0, 1, 2, 3]]);
});

it('shows no slow job that did not go well, and equally slow ones in their order', () => {
  const ledger = new Ledger();
  for (const [jobId, atUs] of [
    [11, 8_000],
    [12, 9_000],
    [13, 8_000],
    [14, 8_000],
  ] as const) {
    const row = accepted(ledger, {}, jobId);
    ledger.printed(row, PAPER, atUs);
    if (jobId === 12) ledger.cancelled(row);
  }
  accepted(ledger, {}, 15);
  const ids = (most: number): readonly unknown[] => ledger.sample('delivered-once', most).map(({ jobId }) => jobId);
  expect([ids(0), ids(2), ids(9)]).toEqual([[], [11, 13], [11, 13, 14]]);
});

it('writes a header of 16 bytes and 53 for each job', () => {
  const ledger = new Ledger();
  for (const jobId of [11, 12]) accepted(ledger, {}, jobId);
  const bytes = Buffer.from(ledger.toBytes());
  expect([bytes.length, bytes.toString('latin1', 0, 4)]).toEqual([16 + 2 * 53, 'PLG1']);
  expect(() => Ledger.fromBytes([bytes.subarray(0, 15)])).toThrow(new RangeError('these bytes are not a ledger'));
  expect(() => Ledger.fromBytes([bytes.subarray(0, -1)])).toThrow('105 bytes are not 2 rows of a ledger');
  const other = Buffer.from(bytes);
  other.write('PLG2', 'latin1');
  expect(() => Ledger.fromBytes([other])).toThrow('these bytes are not a ledger');
  expect(Ledger.fromBytes([new Ledger().toBytes()]).rows).toBe(0);
});

it('holds the bytes of its rows and of its index', () => {
  const ledger = new Ledger();
  expect(ledger.bytes).toBe(4 * 1_023);
  accepted(ledger);
  expect(ledger.bytes).toBe(4 * 1_023 + 16_384 * 53);
});

const shardOf = (isDrained: boolean, ...jobIds: readonly number[]): Uint8Array => {
  const ledger = new Ledger();
  for (const jobId of jobIds) accepted(ledger, {}, jobId);
  if (isDrained) ledger.drained();
  return ledger.toBytes();
};

describe('ledgers of several shards', () => {
  it.each([
    [[true], 'lost'],
    [[true, true], 'lost'],
    [[true, false], 'unknown'],
    [[false, true], 'unknown'],
    [[false, false], 'unknown'],
  ] as const)('are drained only where each of them is: %j', (drained, name) => {
    const joined = Ledger.fromBytes(drained.map((isDrained, at) => shardOf(isDrained, 10 + at)));
    expect(joined.totals().classes[name]).toBe(drained.length);
  });

  it('are not drained where no job was intended', () => {
    const joined = Ledger.fromBytes([]);
    expect(joined.classOf(accepted(joined))).toBe('unknown');
  });

  it('keep the clashes of each of them, and add those between them', () => {
    const joined = Ledger.fromBytes([shardOf(true, 5, 5, 6), shardOf(true, 7, 7, 7), shardOf(true, 8, 6)]);
    expect(joined.totals().clashes).toBe(1 + 2 + 1);
  });

  it('find a job by its id, and none of a job that has no id', () => {
    const without = new Ledger();
    without.intend(INTENT);
    without.intend(INTENT);
    const joined = Ledger.fromBytes([without.toBytes(), shardOf(true, 8)], { accountOfPrinter: (printer) => printer });
    expect([joined.rowOfJob(8), joined.rowOfJob(0), joined.totals().clashes]).toEqual([2, undefined, 0]);
    joined.delivered(0, 5, 2_000);
    expect(joined.classOf(0)).toBe('wrong-account');
  });
});
