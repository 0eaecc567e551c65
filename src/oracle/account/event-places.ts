/**
 * Event places: where `data` of events has the id of its job or computer, and the state of a job. None of it is
 * printed, so each is found by its values: at the place where most events have one that is known.
 *
 *   {"subject": {"ref": "12"}, "to": "done"}   job 12 is known, and `done` is printed ─► `subject.ref`, `to`
 *
 * Among several such places it takes the one whose name says so, else the one with the most different values.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { leavesOf } from '../../common/places.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import type { EventType } from './observation.ts';

/** Each undefined where several places would do. */
export interface EventPlaces {
  readonly job: string | undefined;
  readonly computer: string | undefined;
  readonly state: string | undefined;
}

interface KnownIds {
  readonly isJob: (id: number) => boolean;
  readonly isComputer: (id: number) => boolean;
}

type Leaf = string | number;

const JOB_NAME = /(^|\.)(printJobId|jobId|(printJob|job)(\.id)?)$|^id$/;
const COMPUTER_NAME = /(^|\.)(computerId|computer(\.id)?)$|^id$/;
const STATE_NAME = /(^|\.)state$/;

/** Where nothing is known, each is where most services have it. */
export function findEventPlaces(events: readonly unknown[], { isJob, isComputer }: KnownIds): EventPlaces {
  const [ofJobs, ofComputers] = [dataOf(events, 'print job state'), dataOf(events, 'computer state')];
  return {
    job: placeIn(ofJobs, (leaf) => isJob(Number(leaf)), JOB_NAME, 'printJobId'),
    computer: placeIn(ofComputers, (leaf) => isComputer(Number(leaf)), COMPUTER_NAME, 'computerId'),
    state: findStatePlace(events),
  };
}

/** The place of the state alone. */
export function findStatePlace(events: readonly unknown[]): string | undefined {
  return placeIn(dataOf(events, 'print job state'), isStable, STATE_NAME, 'state');
}

function isStable(leaf: Leaf): boolean {
  return Object.hasOwn(STABLE_PRINT_JOB_STATES, leaf);
}

function dataOf(events: readonly unknown[], type: EventType): readonly JsonObject[] {
  return events.flatMap((event) =>
    isObject(event) && event['type'] === type && isObject(event['data']) ? [event['data']] : [],
  );
}

function placeIn(
  all: readonly JsonObject[],
  isKnown: (leaf: Leaf) => boolean,
  name: RegExp,
  usual: string,
): string | undefined {
  const known = all.flatMap((data) => leavesOf(data)).filter(([, leaf]) => isKnown(leaf));
  const places = [...Map.groupBy(known, ([place]) => place)].map(([place, leaves]) => {
    const values = leaves.map(([, leaf]) => String(leaf));
    return { place, values, rank: [values.length, Number(name.test(place)), new Set(values).size] };
  });
  const [best, next] = places.toSorted((one, other) => compare(other.rank, one.rank));
  if (!best) return usual;
  const isClear = !next || compare(best.rank, next.rank) > 0 || best.values.join() === next.values.join();
  return isClear ? best.place : undefined;
}

/** The first numbers that differ decide. */
function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((number, index) => number - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
