/**
 * Routes of the room: computers, printers and scales, seen and switched.
 */

import { z } from 'zod';

import { PRINTER_PROFILES } from '../../../devices/printer/printer-profile.ts';
import { SCALE_PROFILES } from '../../../devices/scale/scale-profile.ts';
import * as schema from '../../../record/control-room.ts';
import type { AccountPrinterView, RoomView } from '../../../record/control-types.ts';
import {
  actOnComputer,
  addComputer,
  addPrinter,
  addScale,
  changePrinter,
  changeScale,
  COMPUTER_ACTIONS,
  printerOf,
  removeComputer,
  removePrinter,
  removeScale,
  roomKnown,
  scaleMeant,
  type ScaleMeant,
} from '../../room/room-changes.ts';
import { roomComputers } from '../../room/room-view.ts';
import type { Workbench } from '../../workbench.ts';
import { notFound } from '../../../service/gate/api-error.ts';
import { json, type ControlReply } from '../control-reply.ts';
import { account, idIn, route, type ControlRoute } from '../control-route.ts';

const query = z.object({ account });
const scaleQuery = z.object({
  account,
  deviceName: z.string().optional().meta({ description: 'where scales of several names have this number' }),
});

export const ROOM_ROUTES: readonly ControlRoute[] = [
  route('GET /printers', {
    summary: 'the printers of the account, as the service knows them',
    answer: schema.accountPrinters,
    query,
    handler: ({ query: { account: id } }, workbench) => json(accountPrinters(workbench, id)),
  }),
  route('GET /room', {
    summary: 'computers with their printers and scales, and all profiles',
    answer: schema.room,
    query,
    handler: ({ query: { account: id } }, workbench) =>
      json({ computers: roomComputers(workbench.room(id), workbench.service), profiles: profiles() }),
  }),
  route('POST /room/computers', {
    summary: 'adds a computer and connects it',
    answer: schema.roomComputers,
    status: 201,
    query,
    body: schema.newComputer,
    handler: async ({ query: { account: id }, body }, workbench) => {
      await addComputer(workbench.room(id), body);
      return computers(workbench, id, 201);
    },
  }),
  route('DELETE /room/computers/{name}', {
    summary: 'removes a computer from the room',
    answer: schema.roomComputers,
    query,
    handler: async ({ params, query: { account: id } }, workbench) => {
      await removeComputer(workbench.room(id), params['name'] ?? '');
      return computers(workbench, id);
    },
  }),
  route('POST /room/computers/{name}/printers', {
    summary: 'installs a printer',
    answer: schema.addedPrinter,
    status: 201,
    query,
    body: schema.newPrinter,
    handler: async ({ params, query: { account: id }, body }, workbench) => {
      const key = await addPrinter(workbench.room(id), params['name'] ?? '', body);
      await roomKnown(workbench.room(id), workbench.service);
      return json({ key, computers: roomComputers(workbench.room(id), workbench.service) }, 201);
    },
  }),
  route('POST /room/computers/{name}/printers/{key}', {
    summary: 'switches a printer: online, tray, cover, jam, toner',
    answer: schema.roomComputers,
    query,
    body: schema.printerChange,
    handler: ({ params, query: { account: id }, body }, workbench) => {
      const accountRoom = workbench.room(id);
      changePrinter(accountRoom, printerOf(accountRoom, params['name'] ?? '', params['key'] ?? ''), body);
      return computers(workbench, id);
    },
  }),
  route('DELETE /room/computers/{name}/printers/{key}', {
    summary: 'removes a printer',
    answer: schema.roomComputers,
    query,
    handler: async ({ params, query: { account: id } }, workbench) => {
      await removePrinter(workbench.room(id), params['name'] ?? '', params['key'] ?? '');
      return computers(workbench, id);
    },
  }),
  route('GET /room/computers/{name}/printers/{key}/capabilities', {
    summary: 'what its driver reports; null where it reports nothing',
    answer: schema.printerCapabilities,
    query,
    handler: ({ params, query: { account: id } }, workbench) => {
      const printer = printerOf(workbench.room(id), params['name'] ?? '', params['key'] ?? '');
      return json(printer.capabilities);
    },
  }),
  route('POST /room/computers/{name}/scales', {
    summary: 'plugs a scale in',
    answer: schema.roomComputers,
    status: 201,
    query,
    body: schema.newScale,
    handler: ({ params, query: { account: id }, body }, workbench) => {
      addScale(workbench.room(id), params['name'] ?? '', body);
      return computers(workbench, id, 201);
    },
  }),
  route('POST /room/computers/{name}/scales/{deviceNum}', {
    summary: 'puts a weight on a scale, presses its buttons, plugs it in and out',
    answer: schema.roomComputers,
    query: scaleQuery,
    body: schema.scaleChange,
    handler: ({ params, query: given, body }, workbench) => {
      changeScale(scaleMeant(workbench.room(given.account), meant(params, given.deviceName)), body);
      return computers(workbench, given.account);
    },
  }),
  route('DELETE /room/computers/{name}/scales/{deviceNum}', {
    summary: 'takes a scale away',
    answer: schema.roomComputers,
    query: scaleQuery,
    handler: ({ params, query: given }, workbench) => {
      removeScale(workbench.room(given.account), meant(params, given.deviceName));
      return computers(workbench, given.account);
    },
  }),
  route('POST /room/computers/{name}/{action}', {
    summary: `does something to a computer: ${COMPUTER_ACTIONS.join(', ')}`,
    answer: schema.roomComputers,
    query,
    handler: async ({ params, query: { account: id } }, workbench) => {
      const action = COMPUTER_ACTIONS.find((one) => one === params['action']);
      if (!action) {
        const message = `a computer can ${COMPUTER_ACTIONS.join(', ')}, not '${params['action'] ?? ''}'`;
        throw notFound(message);
      }
      await actOnComputer(workbench.room(id), params['name'] ?? '', action);
      return computers(workbench, id);
    },
  }),
];

async function computers(workbench: Workbench, accountId: number | undefined, status = 200): Promise<ControlReply> {
  await roomKnown(workbench.room(accountId), workbench.service);
  return json({ computers: roomComputers(workbench.room(accountId), workbench.service) }, status);
}

function accountPrinters(workbench: Workbench, accountId: number | undefined): AccountPrinterView[] {
  return workbench.service
    .printersOf(workbench.room(accountId).accountId)
    .map(({ id, computer, report: { name: printer, state, default: isDefault, description } }) => ({
      id,
      name: printer,
      computer: computer.name,
      state,
      default: isDefault === true,
      summary: description,
    }));
}

function meant(params: Readonly<Record<string, string>>, deviceName: string | undefined): ScaleMeant {
  const computerName = params['name'] ?? '';
  return { computerName, deviceNum: idIn(params, 'scale', 'deviceNum'), deviceName };
}

/** What ships does not change: read with the first look at it. */
let known: RoomView['profiles'] | undefined;

function profiles(): RoomView['profiles'] {
  known ??= {
    printers: PRINTER_PROFILES.names().map((one) => {
      const { name: title, kind, why } = PRINTER_PROFILES.load(one);
      return { name: one, title, kind, why };
    }),
    scales: SCALE_PROFILES.names().map((one) => {
      const { vendor, product, why } = SCALE_PROFILES.load(one);
      return { name: one, title: [vendor, product].filter(Boolean).join(' - '), why };
    }),
  };
  return known;
}
