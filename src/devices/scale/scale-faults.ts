/**
 * Scale faults: what can be wrong with a scale, by rules at `scale/NAME`.
 *
 *   weighs ─► report ─► fires? ─► bytes as a broken scale sends them ─► its computer
 *
 * Each report that the scale makes is an occasion: four while it swings to a new weight, one at rest, then
 * one a second while something lies on it. For `stale-first-report` it is each time that the scale comes on, for
 * `slow-enumeration` each time that a host takes it on the USB bus.
 */

import type { Firing } from '../../common/fault-plan.ts';
import type { FaultMeaning } from '../../common/fault-rule.ts';
import { countSetting, durationSetting, lastsMs } from '../../common/fault-settings.ts';
import { keysOf } from '../../common/keys-of.ts';
import { decodeWeighingReport, encodeWeighingReport } from './hid-report.ts';
import type { ScaleMode } from './scale-profile.ts';
import { statusReport } from './scale-weighing.ts';
import { decimal, multiply, rational, roundHalfUp } from './weighing-rational.ts';
import { WEIGHING_UNITS, type WeighingUnit } from './weighing-units.ts';

export const STALE_FIRST_REPORT = 'stale-first-report';
export const SLOW_ENUMERATION = 'slow-enumeration';
const SLOW_ANSWER_MS = 500;

/** One report, and what its scale knows beside it. */
interface Spoiling {
  readonly report: Uint8Array;
  /** The last one that it sent. */
  readonly before: Uint8Array;
  readonly mode: ScaleMode;
}

type Spoil = (firing: Firing, spoiling: Spoiling) => Uint8Array;

/** What a unit is taken for unless the setting `unit` (g, kg, oz, lb) says. */
const TAKEN_FOR: Readonly<Partial<Record<WeighingUnit, WeighingUnit>>> = {
  gram: 'ounce',
  ounce: 'gram',
  kilogram: 'pound',
  pound: 'kilogram',
};

/** Faults that are in the bytes of a report. */
const SPOILERS = {
  stuck: (_, { before }) => before,
  'over-capacity': (_, { report, mode }) =>
    encodeWeighingReport(statusReport('over-limit', mode, report[0] === 4 ? 4 : 3)),
  negative: (_, { report }) => changed(report, { status: 'under-zero' }),
  'wrong-unit': ({ with: { unit } }, { report, mode }) =>
    changed(report, { unit: unitOf(unit) ?? TAKEN_FOR[mode.unit] ?? 'gram' }),
  'garbage-report': () => Uint8Array.of(0xff, 0xff, 0xff),
  'short-report': (_, { report }) => report.slice(0, report.length / 2),
  'long-report': (_, { report }) => Buffer.concat([report, new Uint8Array(report.length)]),
} as const satisfies Readonly<Record<string, Spoil>>;

/** What can happen to a report; where several rules speak of one, the first of this list happens. */
export const REPORT_FAULTS = ['unplug', 'stalled-endpoint', 'drift', ...keysOf(SPOILERS)] as const;

/** What can go wrong with a scale. */
export const SCALE_FAULTS: Readonly<
  Record<(typeof REPORT_FAULTS)[number] | typeof STALE_FIRST_REPORT | typeof SLOW_ENUMERATION, FaultMeaning>
> = {
  unplug: {
    does: 'it is unplugged, or switches itself off',
    settings: { duration: 'until the plug is back, where the rule has no `for`; for good unless given' },
  },
  'stalled-endpoint': { does: 'the report does not come: its USB endpoint stalls' },
  drift: {
    does: 'its zero point creeps with each report',
    settings: { divisions: 'steps of the display that it creeps (1)' },
  },
  stuck: { does: 'it sends the same report again, whatever lies on it' },
  'over-capacity': { does: 'it says that too much lies on it' },
  negative: { does: 'it says that its weight is below zero' },
  'wrong-unit': {
    does: 'the right number with another unit',
    settings: { unit: '`g`, `kg`, `oz` or `lb`; that of the other system unless given' },
  },
  'garbage-report': { does: 'bytes that are not a report: an unknown report id, and too short' },
  'short-report': { does: 'only the first half of a report' },
  'long-report': { does: 'a report twice as long as it should be, with nothing in the second half' },
  [STALE_FIRST_REPORT]: { does: 'its first report after it came on is the last one of the time before' },
  [SLOW_ENUMERATION]: {
    does: 'the USB bus has to wait for each of its answers about itself',
    settings: { delay: 'how long for each (500ms)' },
  },
};

/** The report as a scale with this fault sends it; unchanged where the fault does not affect the bytes. */
export function spoiledReport(firing: Firing, spoiling: Spoiling): Uint8Array {
  const spoilers: Readonly<Record<string, Spoil>> = SPOILERS;
  const spoil = Object.hasOwn(spoilers, firing.fault) ? spoilers[firing.fault] : undefined;
  return spoil ? spoil(firing, spoiling) : spoiling.report;
}

/** How far the zero point creeps with one report: the setting `divisions` of the display, one unless given. */
export function creepMicrograms(firing: Firing, { division, unit }: ScaleMode): bigint {
  const { micrograms } = WEIGHING_UNITS[unit];
  if (!micrograms) return 0n;
  const step = multiply(decimal(division), micrograms);
  return roundHalfUp(multiply(step, rational(BigInt(countSetting(firing, 'divisions', 1)))));
}

/** How long the plug is out; for good unless the rule says. */
export function unpluggedMs(firing: Firing, nowMs: number): number {
  return lastsMs(firing, nowMs, Infinity);
}

/** How long the bus waits for each answer: half a second unless the rule says. */
export function slowAnswerMs(firing: Firing): number {
  return durationSetting(firing, 'delay', SLOW_ANSWER_MS);
}

function changed(report: Uint8Array, change: Partial<Parameters<typeof encodeWeighingReport>[0]>): Uint8Array {
  const decoded = decodeWeighingReport(report);
  return decoded.ok ? encodeWeighingReport({ ...decoded.value, ...change }) : report;
}

/** The unit that readings call by this name: g, kg, oz or lb. */
function unitOf(name: unknown): WeighingUnit | undefined {
  return keysOf(WEIGHING_UNITS).find((unit) => WEIGHING_UNITS[unit].key === name && name !== null);
}
