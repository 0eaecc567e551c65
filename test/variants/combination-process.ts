/**
 * Combination process: tries one combination of values after the other, and finds what brings each alarm.
 */

import { DIMENSIONS } from './dimensions/dimensions.ts';
import type { Combination } from './dimension.ts';
import { shrink } from './shrink.ts';
import { tryCombination, type Alarm } from './try-combination.ts';

/** The fewest values that bring an alarm of a check. */
export interface Reason {
  readonly check: string;
  readonly values: Combination;
}

export interface CombinationOrder {
  readonly row: number;
  readonly combination: Combination;
  /** These checks alone. */
  readonly ids: readonly string[] | undefined;
  /** What brought each alarm so far, so that it is looked for once. */
  readonly known: readonly Reason[];
}

export interface CombinationReply {
  readonly alarms: number;
  readonly undecided: number;
  /** Alarms that nothing known brings. */
  readonly unknown: readonly { readonly alarm: Alarm; readonly reason: Reason }[];
}

process.on('message', (order: CombinationOrder) => void tryOrder(order).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches all processes; the run says when to stop.
process.on('SIGINT', () => undefined);

async function tryOrder({ combination, ids, known }: CombinationOrder): Promise<CombinationReply> {
  const { alarms, undecided } = await tryCombination(DIMENSIONS, combination, ids);
  const unknown: CombinationReply['unknown'][number][] = [];
  for (const alarm of alarms) {
    const reasons = [...known, ...unknown.map(({ reason }) => reason)];
    if (reasons.some((reason) => reason.check === alarm.check && isIn(combination, reason))) continue;
    unknown.push({ alarm, reason: { check: alarm.check, values: await valuesThatBring(combination, alarm) } });
  }
  return { alarms: alarms.length, undecided: undecided.length, unknown };
}

function isIn(combination: Combination, { values }: Reason): boolean {
  return Object.entries(values).every(([id, value]) => combination[id] === value);
}

/** Tried with the check alone where that is enough. */
async function valuesThatBring(combination: Combination, { check }: Alarm): Promise<Combination> {
  const isAlarmed = async (one: Combination, ids?: readonly string[]): Promise<boolean> =>
    (await tryCombination(DIMENSIONS, one, ids)).alarms.some((alarm) => alarm.check === check);
  const alone = [check];
  const isEnough = await isAlarmed(combination, alone);
  return shrink(combination, (one) => isAlarmed(one, isEnough ? alone : undefined));
}
