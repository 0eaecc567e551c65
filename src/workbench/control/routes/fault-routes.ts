/**
 * Routes of fault rules: what is to go wrong in a room.
 */

import { z } from 'zod';

import { faultRule } from '../../../common/fault-rule.ts';
import { faultComplaint, ROOM_FAULTS } from '../../../devices/room-faults.ts';
import * as schema from '../../../record/control-schemas.ts';
import { roomKnown } from '../../room-known.ts';
import { ControlError, json } from '../control-reply.ts';
import { account, route, type ControlRoute } from '../control-route.ts';

const query = z.object({ account });

export const FAULT_ROUTES: readonly ControlRoute[] = [
  route('GET /faults', {
    summary: 'the fault rules in force, and how often each has happened',
    answer: schema.faults,
    query,
    handler: ({ query: { account: id } }, workbench) => json(workbench.tenant(id).faults.rules),
  }),
  route('POST /faults', {
    summary:
      'puts a rule in force: `{"at": "printer/Laser", "fault": "media-jam", "after": 2}`; answers its id',
    answer: schema.newFault,
    status: 201,
    query,
    body: faultRule,
    handler: async ({ query: { account: id }, body }, workbench) => {
      const complaint = faultComplaint(body, ROOM_FAULTS);
      if (complaint !== undefined) throw new ControlError(400, 'BadRequest', complaint);
      const tenant = workbench.tenant(id);
      tenant.ensurePlace(body.at);
      const rule = tenant.faults.add(body);
      await roomKnown(tenant, workbench.service);
      return json({ id: rule }, 201);
    },
  }),
  route('DELETE /faults', {
    summary: 'takes all rules out of force',
    answer: schema.faults,
    query,
    handler: async ({ query: { account: id } }, workbench) => {
      const tenant = workbench.tenant(id);
      tenant.faults.clear();
      await roomKnown(tenant, workbench.service);
      return json(tenant.faults.rules);
    },
  }),
  route('DELETE /faults/{id}', {
    summary: 'takes a rule out of force; a printer is mended',
    answer: schema.faults,
    query,
    handler: async ({ params, query: { account: id } }, workbench) => {
      const tenant = workbench.tenant(id);
      const rule = params['id'] ?? '';
      if (tenant.faults.remove(rule)) {
        await roomKnown(tenant, workbench.service);
        return json(tenant.faults.rules);
      }
      throw new ControlError(404, 'NotFound', `there is no fault rule '${rule}' in force`);
    },
  }),
];
