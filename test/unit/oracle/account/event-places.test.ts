import { expect, it } from 'vitest';

import { findEventPlaces, findStatePlace, type EventPlaces } from '../../../../src/oracle/account/event-places.ts';

const ofJob = (data: unknown): object => ({ type: 'print job state', data });
const ofComputer = (data: unknown): object => ({ type: 'computer state', data });

/** The places in events of a service with jobs 11 to 13 and computers 1 and 2. */
function places(events: readonly unknown[]): EventPlaces {
  return findEventPlaces(events, { isJob: (id) => id > 10 && id < 14, isComputer: (id) => id === 1 || id === 2 });
}

it.each<readonly [string, readonly unknown[], Partial<EventPlaces>]>([
  ['as most services have it', [ofJob({ printJobId: 11, state: 'new' })], { job: 'printJobId', state: 'state' }],
  ['in a record of the job', [ofJob({ job: { id: 11, state: 'new' } })], { job: 'job.id', state: 'job.state' }],
  ['under names of its own', [ofJob({ of: { ref: '11' }, to: 'done' })], { job: 'of.ref', state: 'to' }],
  ['beside the id of the event', [ofJob({ id: 501, ref: 11 }), ofJob({ id: 502, ref: 12 })], { job: 'ref' }],
  // The numbers of events begin at those of jobs.
  ['where most have one', [ofJob({ id: 13, ref: 11 }), ofJob({ id: 14, ref: 12 })], { job: 'ref' }],
  ['under the name that says so', [ofJob({ serial: 11, jobId: 11 })], { job: 'jobId' }],
  [
    'under that name, though others vary more',
    [ofJob({ serial: 11, job: 13 }), ofJob({ serial: 12, job: 13 })],
    { job: 'job' },
  ],
  ['under no name that ends like it', [ofJob({ ref: 11, nojob: 11 })], { job: 'ref' }],
  ['where it varies', [ofJob({ box: 11, ref: 11 }), ofJob({ box: 11, ref: 12 })], { job: 'ref' }],
  ['at the first of places that say the same', [ofJob({ ref: 11, also: '11' })], { job: 'ref' }],
  ['at one of two places', [ofJob({ box: 11, ref: 12 })], { job: undefined }],
  ['in one known event of many', [ofJob({ ref: 99, state: 'new' }), ofJob({ ref: 11, state: 'done' })], { job: 'ref' }],
  ['of no known job', [ofJob({ id: 99, state: 'queued' })], { job: 'printJobId', state: 'state' }],
  ['beside the state of its printer', [ofJob({ printer: { state: 'online' }, now: 'new' })], { state: 'now' }],
  ['after the state before', [ofJob({ was: null, is: 'new' }), ofJob({ was: 'new', is: 'done' })], { state: 'is' }],
  ['beside the state before', [ofJob({ before: 'new', state: 'done' })], { state: 'state' }],
  ['of a computer', [ofComputer({ computerId: 1 })], { computer: 'computerId' }],
  ['of a computer in a list', [ofComputer({ all: [{ n: 2 }] })], { computer: 'all.0.n' }],
  ['of a computer in events of jobs', [ofJob({ box: 1 })], { computer: 'computerId', job: 'printJobId' }],
  ['in no data', ['text', {}, ofJob(null), ofJob([11])], { job: 'printJobId', computer: 'computerId', state: 'state' }],
])('finds an id and a state %s', (_, events, expected) => {
  expect(places(events)).toMatchObject(expected);
});

it('finds a state without knowing any job', () => {
  expect(findStatePlace([ofJob({ ref: 1, now: 'error' }), ofComputer({ at: 'new' })])).toBe('now');
});
