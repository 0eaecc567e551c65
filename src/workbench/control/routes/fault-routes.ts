/**
 * Routes of fault rules: what is to go wrong in a room.
 */

import { z } from 'zod';

import { faultRule, type FaultMeaning } from '../../../common/fault-rule.ts';
import { keysOf } from '../../../common/keys-of.ts';
import { faultComplaint, ROOM_FAULTS, ROOM_PLACES } from '../../../devices/room-faults.ts';
import * as schema from '../../../record/control-room.ts';
import type { FaultKindView } from '../../../record/control-types.ts';
import { roomKnown } from '../../room/room-changes.ts';
import { ApiError, badRequest } from '../../../service/gate/api-error.ts';
import { json } from '../control-reply.ts';
import { account, route, type ControlRoute } from '../control-route.ts';

const query = z.object({ account });

const KINDS: readonly FaultKindView[] = keysOf(ROOM_FAULTS).map((place) => ({
  place,
  ...ROOM_PLACES[place],
  faults: Object.entries<FaultMeaning>(ROOM_FAULTS[place]).map(([fault, { does, settings = {} }]) => ({
    fault,
    does,
    settings,
  })),
}));

export const FAULT_ROUTES: readonly ControlRoute[] = [
  route('GET /faults', {
    summary: 'the fault rules in force, and how often each has happened',
    answer: schema.faults,
    query,
    handler: ({ query: { account: id } }, workbench) => json(workbench.room(id).faults.rules),
  }),
  route('GET /fault-kinds', {
    summary: 'what can go wrong at each kind of place, what it does, and its settings',
    answer: schema.faultKinds,
    handler: () => json(KINDS),
  }),
  route('POST /faults', {
    summary: 'puts a rule in force: `{"at": "printer/Laser", "fault": "media-jam", "after": 2}`; answers its id',
    answer: schema.newFault,
    status: 201,
    query,
    body: faultRule,
    handler: async ({ query: { account: id }, body }, workbench) => {
      const complaint = faultComplaint(body, ROOM_FAULTS);
      if (complaint !== undefined) throw badRequest(complaint);
      const accountRoom = workbench.room(id);
      accountRoom.ensurePlace(body.at);
      const rule = accountRoom.faults.add(body);
      await roomKnown(accountRoom, workbench.service);
      return json({ id: rule }, 201);
    },
  }),
  route('DELETE /faults', {
    summary: 'takes all rules out of force',
    answer: schema.faults,
    query,
    handler: async ({ query: { account: id } }, workbench) => {
      const accountRoom = workbench.room(id);
      accountRoom.faults.clear();
      await roomKnown(accountRoom, workbench.service);
      return json(accountRoom.faults.rules);
    },
  }),
  route('DELETE /faults/{id}', {
    summary: 'takes a rule out of force; a printer that has the fault is repaired',
    answer: schema.faults,
    query,
    handler: async ({ params, query: { account: id } }, workbench) => {
      const accountRoom = workbench.room(id);
      const rule = params['id'] ?? '';
      if (!accountRoom.faults.remove(rule))
        throw new ApiError(404, 'NoSuchFaultRule', `there is no fault rule '${rule}' in force`);
      await roomKnown(accountRoom, workbench.service);
      return json(accountRoom.faults.rules);
    },
  }),
];
