/**
 * Routes of accounts: isolated ones, each with a room of its own, for tests that run side by side.
 */

import { z } from 'zod';

import * as schema from '../../../record/control-workbench.ts';
import { describedComputer, NAMED_ROOMS, type RoomChoice } from '../../room/room-choice.ts';
import { json } from '../control-reply.ts';
import { idIn, route, type ControlRoute } from '../control-route.ts';

const room = z.union([z.enum(NAMED_ROOMS), z.strictObject({ computers: z.array(describedComputer).max(100) })]);

export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route('GET /accounts', {
    summary: 'all accounts of the service',
    answer: schema.accounts,
    handler: (_, workbench) => json(workbench.rooms.accounts()),
  }),
  route('POST /accounts', {
    summary: 'an isolated account with its own room: `{"room": "default"}`, `"none"` or a description',
    answer: schema.newAccount,
    status: 201,
    body: z.strictObject({ room: room.exactOptional() }).optional(),
    handler: async ({ body }, workbench) =>
      json(await workbench.rooms.create((body?.room ?? 'default') as RoomChoice), 201),
  }),
  route('DELETE /accounts/{id}', {
    summary: 'deletes an isolated account with everything it has',
    answer: schema.accounts,
    handler: async ({ params }, workbench) => {
      await workbench.rooms.remove(idIn(params, 'account'));
      return json(workbench.rooms.accounts());
    },
  }),
];
