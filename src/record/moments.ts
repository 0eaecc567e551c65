/**
 * Moments: what may go wrong for an app that calls the service, one thing at a time, at a place that can be named.
 *
 *   POST /printjobs#2 lost-after      what happens to the second request of this place
 *   POST /printjobs#kept lost-after   … to the first one on a connection that has carried a request before
 *   event forged                      to what is sent to its webhook
 *   room jam                          to the printers, before it begins
 */

import { usageError } from '../common/actionable-error.ts';
import { keysOf } from '../common/keys-of.ts';
import { meantHint, nearestName } from '../common/nearest-name.ts';

/** What happens to a request, or from it on. */
export const REQUEST_FAULTS = {
  'lost-before': 'the request is lost on its way: the service never gets it',
  'lost-after': 'the service does its work, and the answer is lost on the way',
  cut: 'the service does its work, and the connection ends in the middle of the answer',
  'error-after': 'the service does its work, and the answer is 500',
  slow: 'the service does its work, and the answer is late: the app has given up by then, or waited for 12 seconds',
  busy: 'the answer is 429 with Retry-After: 1, once',
  'busy-until-quiet': 'the answer is 429 with Retry-After: 1 until the app has waited that long twice',
  down: 'the answer is 500, to this request and to all that ask the same for ten seconds',
  'key-revoked': 'the key is revoked: this request and all after it get 401',
  error: 'the answer is 500, once, and the service gets no request',
  crowd: 'right after it, another till sends 110 jobs',
} as const;

/** What happens to events on their way to the webhook of an app. */
export const EVENT_FAULTS = {
  twice: 'each event is delivered twice',
  late: 'events come two and a half seconds late',
  reversed: 'events come in one request, the newest first',
  forged:
    'forged events come first, which say that the job is done: one with another secret than the webhook has, one with none',
  'new-type': 'each request to the webhook begins with an event of a type that the specification does not know yet',
} as const;

/** What happens in the room before an app begins. */
export const ROOM_FAULTS = {
  jam: 'all printers have a jam',
  'computer-away': 'all computers are off',
} as const;

export type RequestFault = keyof typeof REQUEST_FAULTS;
export type EventFault = keyof typeof EVENT_FAULTS;
export type RoomFault = keyof typeof ROOM_FAULTS;

export type Moment =
  | {
      readonly at: 'request';
      readonly place: string;
      /** The n-th request of the place, or the first that comes on a connection that was kept open. */
      readonly nth: number | 'kept';
      readonly fault: RequestFault;
    }
  | { readonly at: 'event'; readonly fault: EventFault }
  | { readonly at: 'room'; readonly fault: RoomFault };

/** As it is written on the command line. */
export function momentText(moment: Moment): string {
  if (moment.at !== 'request') return `${moment.at} ${moment.fault}`;
  return `${moment.place}#${moment.nth} ${moment.fault}`;
}

/** What happens then, as the end of a sentence. */
export function momentInWords(moment: Moment): string {
  if (moment.at === 'request') return REQUEST_FAULTS[moment.fault];
  return moment.at === 'event' ? EVENT_FAULTS[moment.fault] : ROOM_FAULTS[moment.fault];
}

const REQUEST_MOMENT = /^([A-Z]+ \/\S*)#([1-9]\d{0,5}|kept) (\S+)$/;
const OTHER_MOMENT = /^(event|room) (\S+)$/;

/** @throws ActionableError when the text is no moment */
export function readMoment(text: string): Moment {
  const [, place, nth = '', what = ''] = REQUEST_MOMENT.exec(text) ?? [];
  if (place !== undefined) {
    const fault = known(what, keysOf(REQUEST_FAULTS));
    return { at: 'request', place, nth: nth === 'kept' ? nth : Number(nth), fault };
  }
  const [, at, other = ''] = OTHER_MOMENT.exec(text) ?? [];
  if (at === 'event') return { at, fault: known(other, keysOf(EVENT_FAULTS)) };
  if (at === 'room') return { at, fault: known(other, keysOf(ROOM_FAULTS)) };
  throw usageError(
    `'${text}' is not a moment`,
    "Write it as a report has it: --provoke='POST /printjobs#1 lost-after', and the command after --.",
  );
}

function known<const Name extends string>(written: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === written);
  if (found !== undefined) return found;
  throw usageError(
    `nothing that can go wrong there is called '${written}'${meantHint(nearestName(written, names))}`,
    `There are ${names.join(', ')}.`,
  );
}
