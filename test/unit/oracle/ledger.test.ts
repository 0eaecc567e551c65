import fc from 'fast-check';
import { expect, it } from 'vitest';

import { Ledger } from '../../../src/oracle/ledger.ts';
import { LEDGER_CLASSES, type LedgerClass, type Phase } from '../../../src/record/words.ts';

const INTENT = { intendedUs: 1_000, account: 0, printer: 4, document: 0, copies: 1 };
const PAPER = { printer: 4, documentMatches: true, copies: 1, optionsMatch: true };

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
  ['wrong-account', 'given to a computer of somebody else', (l) => l.delivered(accepted(l), 5, 4_000)],
  ['wrong-bytes', 'another document', (l) => l.printed(accepted(l), { ...PAPER, documentMatches: false }, 9_000)],
  ['wrong-options', 'one-sided', (l) => l.printed(accepted(l), { ...PAPER, optionsMatch: false }, 9_000)],
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
      l.ambiguous(row);
    },
  ],
  [
    'lost',
    'without an answer, but accepted',
    (l) => {
      const row = l.intend(INTENT);
      l.ambiguous(row);
      l.settledAs(row, 'accepted');
    },
  ],
  [
    'refused',
    'without an answer, and never accepted',
    (l) => {
      const row = l.intend(INTENT);
      l.ambiguous(row);
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
    };
    ledger.printed(row, paper, INTENT.intendedUs + tookUs);
  }
  ledger.drained();
  expect(ledger.sample('delivered-once', 3).map(({ jobId }) => jobId)).toEqual([150, 140, 130]);
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

/** The same, told to plain objects. */
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
    ledger.printed(row, { printer, documentMatches, copies: 1, optionsMatch: true }, atUs);
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
    () => ledger.ambiguous(row),
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
