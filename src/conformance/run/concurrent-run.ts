/**
 * Concurrent run: on a real clock waits are free and requests are not. A check that waits makes room for
 * another one, so that a run takes about as long as its longest wait or its requests, whichever is more.
 *
 *   lane 1  ██▒▒▒▒▒▒▒▒▒▒▒▒██          █ sends   ▒ waits
 *             ███▒▒▒▒▒▒██
 *                ██ ███ ██████        few send at a time: an answer that a timed rule is judged by
 *   lane 2  ██▒▒▒▒▒▒██                must not queue behind the requests of others
 *             ████ ██
 *
 * Checks that wait begin first. What needs an account of its own gets a Child Account, or the whole lane
 * when there is none. The first lane begins with what no other can take: else it would be the last to end.
 */

import { durationMs } from '../../common/duration.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type { Span } from '../../spec/clause.ts';
import type { Target } from '../../target/target.ts';
import type { Check } from '../check.ts';
import type { Workplace, Workplaces } from './lanes.ts';
import { isOfIntegrator, locksOf } from './locks.ts';

export interface ConcurrentRun<Result> {
  readonly checks: readonly Check[];
  readonly places: Workplaces;
  readonly spanOf: (clause: string) => Span;
  /** Runs one check; never rejects. */
  readonly run: (check: Check, place: Workplace) => Promise<Result>;
}

/** Checks of one lane that send at the same time. */
const BUSY_MOST = 2;
/** All checks of one lane, waiting ones included. */
const ACTIVE_MOST = 40;
/** Shorter waits make no room for another check. */
const WAIT_LEAST_MS = 500;

interface Lane {
  readonly place: Workplace;
  busy: number;
  /** Checks that have begun and not ended. */
  active: number;
  /** Of them, those that work in the account of the lane. */
  inAccount: number;
  /** A check has the account of the lane to itself. */
  taken: boolean;
}

/** Where a check may begin now, and what is to be undone when it has ended. */
interface Seat {
  readonly place: Workplace;
  readonly leave: () => void;
}

/** Runs all checks, those that run last when the others have ended. Results in the order of the checks. */
export async function runConcurrently<Result>(plan: ConcurrentRun<Result>): Promise<readonly Result[]> {
  const results = new Map<Check, Result>();
  const waitsFirst = plan.checks.toSorted((left, right) => waitRank(plan, left) - waitRank(plan, right));
  for (const isLast of [false, true]) {
    const checks = waitsFirst.filter(({ runsLast = false }) => runsLast === isLast);
    await runAll(plan, checks, results);
  }
  return plan.checks.flatMap((check) => {
    const result = results.get(check);
    return result === undefined ? [] : [result];
  });
}

function waitRank({ spanOf, places }: ConcurrentRun<unknown>, check: Check): number {
  // Without a place of its own it would keep all others waiting.
  if (locksOf(check).has('request-rate')) return places.yard ? 0 : 3;
  return check.clauses.some((clause) => spanOf(clause) !== 'instant') ? 1 : 2;
}

function runAll<Result>(
  plan: ConcurrentRun<Result>,
  checks: readonly Check[],
  results: Map<Check, Result>,
): Promise<void> {
  const floor = createFloor(plan.places);
  const waiting = [...checks];
  return new Promise((resolve) => {
    const begin = async (check: Check, lane: Lane, { place, leave }: Seat): Promise<void> => {
      const target = { ...place.target, timekeeper: makingRoom(place.target.timekeeper, lane, pump) };
      lane.busy++;
      lane.active++;
      results.set(check, await plan.run(check, { ...place, target }));
      lane.busy--;
      lane.active--;
      leave();
      pump();
    };
    const pump = (): void => {
      if (waiting.length === 0 && floor.lanes.every(({ active }) => active === 0)) resolve();
      for (const lane of floor.lanes) {
        while (lane.busy < BUSY_MOST && lane.active < ACTIVE_MOST) {
          const next = nextFor(lane, waiting, floor);
          if (!next) break;
          waiting.splice(waiting.indexOf(next.check), 1);
          void begin(next.check, lane, next.seat);
        }
      }
    };
    pump();
  });
}

function nextFor(
  lane: Lane,
  waiting: readonly Check[],
  floor: Floor,
): { readonly check: Check; readonly seat: Seat } | undefined {
  for (const check of inOrderOf(lane, waiting, floor)) {
    const seat = floor.seatFor(check, lane);
    if (seat) return { check, seat };
  }
  return undefined;
}

function inOrderOf(lane: Lane, waiting: readonly Check[], { lanes }: Floor): readonly Check[] {
  if (lane !== lanes[0] || lanes.length === 1) return waiting;
  return waiting.toSorted((left, right) => Number(isOfIntegrator(right)) - Number(isOfIntegrator(left)));
}

/** A timekeeper that lets others work while its check waits. */
function makingRoom(timekeeper: Timekeeper, lane: Lane, pump: () => void): Timekeeper {
  return {
    ...timekeeper,
    async elapse(duration, signal) {
      if (durationMs(duration) < WAIT_LEAST_MS) return timekeeper.elapse(duration, signal);
      lane.busy--;
      pump();
      try {
        await timekeeper.elapse(duration, signal);
      } finally {
        lane.busy++;
      }
    },
  };
}

interface Floor {
  readonly lanes: readonly Lane[];
  /** A place for this check in this lane, or undefined when it has to wait. */
  seatFor(check: Check, lane: Lane): Seat | undefined;
}

/** A place in the account of the lane; alone in it, or with others. */
function inAccount(lane: Lane, alone: boolean): Seat | undefined {
  if (lane.taken || (alone && lane.inAccount > 0)) return undefined;
  lane.inAccount++;
  lane.taken = alone;
  return {
    place: lane.place,
    leave: () => {
      lane.inAccount--;
      lane.taken = false;
    },
  };
}

function createFloor(places: Workplaces): Floor {
  const lanes = places.lanes.map((place) => ({ place, busy: 0, active: 0, inAccount: 0, taken: false }));
  const freeRooms: Target[] = [...places.rooms];
  let yardIsFree = true;
  let floorIsTaken = false;

  const inYard = (yard: Workplace): Seat | undefined => {
    if (!yardIsFree) return undefined;
    yardIsFree = false;
    return {
      place: yard,
      leave: () => {
        yardIsFree = true;
      },
    };
  };
  const inRoom = (lane: Lane): Seat | undefined => {
    const room = freeRooms.shift();
    return room && { place: places.inRoom(lane.place, room), leave: () => void freeRooms.push(room) };
  };
  const aloneOnTheFloor = (lane: Lane): Seat | undefined => {
    if (lanes.some(({ active }) => active > 0)) return undefined;
    floorIsTaken = true;
    return {
      place: lane.place,
      leave: () => {
        floorIsTaken = false;
      },
    };
  };

  return {
    lanes,
    seatFor(check, lane) {
      if (floorIsTaken) return undefined;
      const isFirst = lane === lanes[0];
      const ofIntegrator = isOfIntegrator(check);
      if (locksOf(check).has('request-rate')) {
        if (places.yard) return inYard(places.yard);
        return isFirst ? aloneOnTheFloor(lane) : undefined;
      }
      if (ofIntegrator && !isFirst) return undefined;
      const alone = locksOf(check).has('account');
      if (alone && !ofIntegrator && places.rooms.length > 0) return inRoom(lane);
      return inAccount(lane, alone);
    },
  };
}
