/**
 * Computers, printers and scales, as callers see them.
 */

import {
  badRequest,
  isObject,
  notFound,
  pageOf,
  readObject,
  readSet,
  type Answer,
  type Call,
} from './reading-requests.ts';
import type { Routes } from './http-front.ts';
import {
  timestamp,
  type Computer,
  type Json,
  type JsonObject,
  type Printer,
  type Reading,
  type Store,
} from './store.ts';

export interface DeviceActions {
  computerRemoved(computer: Computer): void;
  refresh(account: number): void;
}

export function deviceRoutes(store: Store, actions: DeviceActions): Routes {
  const listComputers = (call: Call): Answer => {
    const { page, headers } = pageOf(call, chosen(store.computersOf(call.account), call.path['set']));
    return { headers, json: page.map(computerJson) };
  };
  const deleteComputers = (call: Call): Answer => {
    const gone = chosen(store.computersOf(call.account), call.path['set']);
    for (const computer of gone) {
      store.removeComputer(computer);
      actions.computerRemoved(computer);
    }
    return { json: gone.map(({ id }) => id) };
  };
  const listPrinters = (call: Call): Answer => {
    const ofComputers = readOptionalSet(call.path['computers']);
    const printers = store.printersOf(call.account).filter(({ computer }) => ofComputers(computer.id));
    const { page, headers } = pageOf(call, chosen(printers, call.path['set']));
    return { headers, json: page.map(printerJson) };
  };
  const readingsFor = (call: Call): readonly Reading[] => {
    const id = call.path['computer'] ?? '';
    if (!/^\d+$/.test(id)) throw badRequest(`'${id}' is no computer id`);
    const { name, num } = call.path;
    return store
      .readingsOf(call.account, Number(id))
      .filter(({ scale }) => name === undefined || scale.deviceName === name)
      .filter(({ scale }) => num === undefined || String(scale.deviceNum) === num);
  };
  const show = (reading: Reading): Json => readingJson(reading, store.clock.now());

  return [
    ['GET /computers', listComputers],
    ['GET /computers/:set', listComputers],
    ['DELETE /computers', deleteComputers],
    ['DELETE /computers/:set', deleteComputers],
    [
      'GET /printers/refresh',
      ({ account }) => {
        actions.refresh(account.id);
        return { json: {} };
      },
    ],
    ['GET /printers', listPrinters],
    ['GET /printers/:set', listPrinters],
    ['GET /computers/:computers/printers', listPrinters],
    ['GET /computers/:computers/printers/:set', listPrinters],
    ['GET /computer/:computer/scales', (call) => ({ json: readingsFor(call).map(show) })],
    ['GET /computer/:computer/scales/:name', (call) => ({ json: readingsFor(call).map(show) })],
    [
      'GET /computer/:computer/scale/:name/:num',
      (call) => {
        const reading = readingsFor(call).at(-1);
        if (!reading) throw notFound('No such scale has measured anything in the last 45 seconds');
        return { json: show(reading) };
      },
    ],
    ['PUT /scale', (call) => simulate(store, call)],
  ];
}

export function readOptionalSet(text: string | undefined): (id: number) => boolean {
  return text === undefined ? () => true : readSet(text);
}

export function chosen<Item extends { readonly id: number }>(items: readonly Item[], set?: string): Item[] {
  const isIn = readOptionalSet(set);
  return items.filter(({ id }) => isIn(id));
}

function computerJson(computer: Computer): JsonObject {
  const { id, name, inet, inet6, hostname, version, isConnected, createdAt } = computer;
  return {
    id,
    name,
    inet,
    inet6,
    hostname,
    version,
    jre: null,
    createTimestamp: timestamp(createdAt),
    state: isConnected ? 'connected' : 'disconnected',
    installation: computer.installationId,
  };
}

export function printerJson(printer: Printer): JsonObject {
  return {
    id: printer.id,
    computer: computerJson(printer.computer),
    name: printer.name,
    description: printer.description,
    capabilities: printer.capabilities,
    default: printer.isDefault,
    createTimestamp: timestamp(printer.createdAt),
    state: printer.state,
    key: printer.key,
  };
}

function readingJson({ scale, computerId, mass, measurement, reportedAt, storedAt }: Reading, now: number): Json {
  return {
    mass,
    computerId,
    vendor: scale.vendor,
    vendorId: scale.vendorId,
    productId: scale.productId,
    port: scale.port,
    deviceName: scale.deviceName,
    deviceNum: scale.deviceNum,
    count: null,
    measurement,
    clientReportedCreateTimestamp: reportedAt,
    ntpOffset: null,
    ageOfData: now - storedAt,
  };
}

const TEST_SCALE = {
  key: 'test',
  deviceName: 'Service Test Scale',
  deviceNum: 0,
  vendor: 'Service',
  vendorId: 0,
  productId: 0,
  port: 'none',
};

function simulate(store: Store, call: Call): Answer {
  const { mass, measurement } = readObject(call);
  const now = store.clock.now();
  store.addReading({
    scale: TEST_SCALE,
    computerId: 0,
    account: call.account,
    mass: Array.isArray(mass) ? mass : [1_250_000_000, 1_000_000],
    measurement: isObject(measurement) ? measurement : { kg: 1_250_000_000 },
    reportedAt: timestamp(now),
    storedAt: now,
  });
  return { status: 204 };
}
