/**
 * Fault rules of a scenario: the faults of each kind of place, and how a rule comes into force.
 *
 *   printer/  computer/  scale/  link/     in the room
 *   document/  webhook/                    at the caller's own servers
 *   http/METHOD path                       between the caller and the service
 */

import { faultRule, namesOf, type FaultMeanings, type FaultRule } from '../../common/fault-rule.ts';
import { keysOf } from '../../common/keys-of.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import { faultComplaint, ROOM_FAULTS, ROOM_PLACES } from '../../devices/room-faults.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { DOCUMENT_FAULTS, WEBHOOK_FAULTS } from '../../sink/fault-replies.ts';
import type { Target } from '../../targets/target.ts';
import { HTTP_FAULTS } from '../../wire/fault-proxy.ts';
import type { NameKind, NameUse } from '../vocabulary/names.ts';
import type { Setup } from './setup.ts';
import { KEPT, type StepOutcome } from '../vocabulary/outcome.ts';

export type FaultPlace = keyof typeof FAULT_PLACES;

/** The faults of each kind of place, by name. */
export const PLACE_FAULTS: Readonly<Record<FaultPlace, FaultMeanings>> = {
  ...ROOM_FAULTS,
  document: DOCUMENT_FAULTS,
  webhook: WEBHOOK_FAULTS,
  http: HTTP_FAULTS,
};

/** A place of each kind, and what an occasion of a fault is there. */
export const FAULT_PLACES = {
  ...ROOM_PLACES,
  document: { example: 'document/invoice.pdf', occasion: 'a request for a document' },
  webhook: { example: 'webhook', occasion: 'a request to the receiver' },
  http: { example: 'http/POST /printjobs', occasion: 'a request of the caller' },
} as const satisfies Readonly<Record<string, { readonly example: string; readonly occasion: string }>>;

/** The kinds of names in places. */
const DEVICES: Readonly<Record<string, NameKind>> = {
  printer: 'printer',
  computer: 'computer',
  scale: 'scale',
  link: 'computer',
};

/** The faults of all places, for an editor to complete. */
export const FAULT_NAMES = [...new Set(Object.values(PLACE_FAULTS).flatMap(keysOf))];

const namedRule = faultRule.extend({ fault: faultRule.shape.fault.meta({ enum: FAULT_NAMES }) });

export const placeFaultRule = namedRule.superRefine((rule, context) => {
  const complaint = faultComplaint(rule, PLACE_FAULTS);
  if (complaint === undefined) return;
  const isPlaceKnown = Object.hasOwn(PLACE_FAULTS, rule.at.split('/')[0] ?? '');
  context.addIssue({ code: 'custom', message: complaint, path: [isPlaceKnown ? 'fault' : 'at'] });
});

/** The device that a place names, where it names one. */
export function namesAt(at: string): readonly NameUse[] {
  const [place = '', name = '*'] = namesOf(at);
  const kind = Object.hasOwn(DEVICES, place) ? DEVICES[place] : undefined;
  return kind === undefined || name === '*' ? [] : [{ kind, name, path: ['at'] }];
}

/** The printers that a place names; none if it is not that of a printer. */
export function printersAt(at: string, { cast }: Setup): readonly VirtualPrinter[] {
  const [place, name = '*'] = namesOf(at);
  return place === 'printer' ? cast.printersNamed(name) : [];
}

/** Whether a service is reached by another link than platen's own, on which there are no faults. */
export function hasForeignLink(target: Target): target is Target & { readonly link: DeviceLink } {
  return target.kind !== 'embedded' && target.link !== undefined;
}

/** Places of faults that only a room has which is connected. */
const OF_ROOM: readonly string[] = ['printer', 'computer', 'scale', 'link'];

export async function putInForce(rule: FaultRule, setup: Setup): Promise<StepOutcome> {
  const [place = ''] = rule.at.split('/');
  if (OF_ROOM.includes(place)) setup.cast.ensureSeen(`a fault at ${rule.at}`);
  if (place === 'link' && hasForeignLink(setup.target)) {
    return {
      kind: 'inconclusive',
      reason: `there are no faults at ${rule.at}: the link is not platen's own`,
    };
  }
  if (place === 'http') await setup.meetHttpFaults();
  if (place === 'http' || place === 'link') setup.excuses.add(place);
  setup.faults.add(rule);
  return KEPT;
}
