/**
 * Routes of the family "scales". Lists answer 200 for any computer; one scale answers with one object or 404.
 * Computers of other accounts have no scales here.
 */

import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import { renderReading } from '../domain/scale-reading.ts';
import type { ScaleQuery } from '../domain/scale.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { badRequest, notFound } from '../gate/api-error.ts';
import { ok, type Handler, type Reply, type RequestContext } from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';
import { readSimulatedReading } from '../requests/scale-request.ts';
import type { ServiceState } from '../service-state.ts';

export function scaleRoutes(state: ServiceState): Route<Handler>[] {
  const list: Handler = (context) => listReadings(state, context);
  const one = '/computer/{computer_id}/scale/{device_name}/{device_number}';
  return [
    { method: 'GET', path: '/computer/{computer_id}/scales', handler: list },
    { method: 'GET', path: '/computer/{computer_id}/scales/{device_name}', handler: list },
    { method: 'GET', path: one, handler: (context) => showReading(state, context) },
    { method: 'PUT', path: '/scale', handler: (context) => simulate(state, context) },
  ];
}

function listReadings({ scales, clock }: ServiceState, { account, params }: RequestContext): Reply {
  const found = scales.find(account.id, {
    computerId: readComputerId(params),
    deviceName: params['device_name'],
  });
  return ok(`[${found.map((reading) => renderReading(reading, clock.now())).join(',')}]`);
}

function showReading({ scales, clock }: ServiceState, { account, params }: RequestContext): Reply {
  const computerId = readComputerId(params);
  const deviceName = params['device_name'] ?? '';
  const deviceNum = readDeviceNumber(params['device_number']);
  const query: ScaleQuery = { computerId, deviceName, deviceNum };
  const [reading] = deviceNum === undefined ? [] : scales.find(account.id, query);
  if (!reading) {
    throw notFound(
      `no scale '${deviceName}' number ${params['device_number']} of computer ${computerId} has recent data`,
    );
  }
  return ok(renderReading(reading, clock.now()));
}

/** Choice (gap/simulate-scale-response): the stored object. */
function simulate({ scales, clock }: ServiceState, { account, body }: RequestContext): Reply {
  const { scale, mass, measurement } = readSimulatedReading(body);
  const clientReportedCreateTimestamp = formatTimestamp(clock.now());
  const measured = { mass, measurement, clientReportedCreateTimestamp };
  return ok(renderReading(scales.store(account.id, VIRTUAL_SCALE.computerId.value, scale, measured), clock.now()));
}

/** A positive integer of any size, or 0 for the virtual scale. */
function readComputerId({ computer_id: text = '' }: RequestContext['params']): number {
  if (/^\s*\d+\s*$/.test(text)) return Number(text);
  throw badRequest(`computer_id: '${text.slice(0, 40)}' is not a positive integer (or 0, for the virtual scale)`);
}

/** Undefined for what cannot be a number of a scale: answered like an unused number. */
function readDeviceNumber(text = ''): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
