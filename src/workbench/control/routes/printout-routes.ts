/**
 * Routes of printouts: what operating systems printed on the printers of the room, past the service. What the
 * service printed stands with its jobs.
 */

import { z } from 'zod';

import { passing } from '../../../common/duration-schema.ts';
import type { Room } from '../../../devices/room.ts';
import * as schema from '../../../record/control-jobs.ts';
import { notFound } from '../../../service/gate/api-error.ts';
import { printoutNamed, printoutsIn, waitForPrintout } from '../../views/printouts.ts';
import { TitlePattern } from '../../views/title-pattern.ts';
import { json } from '../control-reply.ts';
import { account, route, text, type ControlRoute } from '../control-route.ts';
import { printedRoutes, width } from './printed-routes.ts';

const query = z.object({ account });

export const PRINTOUT_ROUTES: readonly ControlRoute[] = [
  route('GET /printouts', {
    summary: 'what operating systems printed on exposed printers, oldest first for each printer',
    answer: schema.hardwarePrintouts,
    query,
    handler: ({ query: { account: id } }, workbench) =>
      json(printoutsIn(workbench.room(id).room).map(({ view }) => view)),
  }),
  route('GET /printouts/wait', {
    summary: 'the newest of them that matches and is out as a whole, as soon as there is one; 408 with the closest',
    answer: schema.hardwarePrintout,
    query: z.object({
      printer: text('name of the printer'),
      computer: text('name of its computer'),
      protocol: schema.hardwareProtocol.optional(),
      title: text('a part of the title'),
      pattern: text('a regular expression of RE2 that fits the title: without lookaround and backreferences'),
      flags: text('flags of the regular expression'),
      after: text('only what the same printer printed after the printout of this id'),
      timeout: passing
        .optional()
        .meta({ description: 'how long to wait, also in real time: what prints is a program; 5s unless given' }),
      account,
    }),
    handler: async ({ query: given, signal }, workbench) => {
      const { title, pattern, flags, timeout, account: id, ...rest } = given;
      const named = pattern === undefined ? title : new TitlePattern(pattern, flags ?? '');
      const { timekeeper } = workbench.time;
      const room = (): Room => workbench.room(id).room;
      return json(await waitForPrintout({ ...rest, title: named }, room, { timekeeper, timeout, signal }));
    },
  }),
  ...printedRoutes('/printouts/{id}', query, query.extend({ width }), ({ id = '' }, { account: of }, workbench) => {
    const { room } = workbench.room(of);
    return {
      printouts: [printoutNamed(id, room).printout],
      missing: () => {
        // Known better than before it was drawn.
        const why = printoutNamed(id, room).view.raw?.notDrawn;
        throw notFound(`the printout has no such part${why ? `; not drawn: ${why}` : ''}`);
      },
    };
  }),
];
