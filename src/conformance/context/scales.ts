/**
 * Scales of a check: computers that report scales and readings as the check says, and the paths on which
 * a service shows them.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { ReadingReport } from '../../link/device-link.ts';
import type { ScaleReport } from '../../link/messages.ts';
import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import { asRecords } from '../expect/records.ts';
import { expectFound, expectSuccess } from '../expect/answer.ts';
import type { ApiClient } from './api-client.ts';
import type { CheckContext } from './context.ts';
import { refuseProgram, type ConnectedComputer, type ConnectPlan } from './computers.ts';

/** A computer with these scales, and what it says of them. */
export interface ScaleComputer {
  readonly computer: ConnectedComputer;
  /**
   * Brings a scale to report a reading; of 779 g by default. Resolves when the service has it. What a client program
   * publishes again by itself is the same reading.
   */
  readonly weigh: (key: string, more?: Partial<ReadingReport>) => Promise<void>;
  /** The same, and no reading follows by itself: a client program publishes those of a scale until it is unplugged. */
  readonly weighLast: (key: string, more?: Partial<ReadingReport>) => Promise<void>;
  /** The name of a scale in the service. */
  readonly nameOf: (key: string) => string;
}

export const PLAIN_MICROGRAMS = 779_000_000;

/** An ordinary scale; `more` changes what a check is about. */
export function plainScale(key: string, more: Partial<ScaleReport> = {}): ScaleReport {
  return {
    key,
    deviceName: 'Check Scale',
    vendor: 'A vendor',
    product: 'A product',
    vendorId: 2_338,
    productId: 32_771,
    port: 'USB1',
    ...more,
  };
}

/** Connects a computer with scales, and without printers unless the plan has some. */
export async function connectScales(
  context: CheckContext,
  scales: readonly ScaleReport[],
  plan: ConnectPlan = {},
): Promise<ScaleComputer> {
  const computer = await context.computers.connect({ printers: [], ...plan });
  const report = computer.reportScales.bind(computer);
  const names = new Map<string, string>();
  const reportScales: ConnectedComputer['reportScales'] = async (reports) => {
    await report(reports);
    for (const { key, deviceName } of computer.scalesShown() ?? reports) names.set(key, deviceName);
  };
  await reportScales(scales);
  const { link, timekeeper } = context.target;
  const weigh: ScaleComputer['weigh'] = (key, more = {}) => {
    if (more.clientReportedCreateTimestamp !== undefined) {
      refuseProgram(context, 'sets when a weight was measured; a client program uses its own clock');
    }
    return computer.publishReading({
      scaleKey: key,
      mass: [PLAIN_MICROGRAMS, null],
      measurement: { g: PLAIN_MICROGRAMS * 1_000 },
      clientReportedCreateTimestamp: new Date(timekeeper.now()).toISOString(),
      ...more,
    });
  };
  return {
    // Not spread: its printers may not be known.
    computer: Object.assign(computer, { reportScales }),
    weigh,
    async weighLast(key, more) {
      await weigh(key, more);
      if (link?.program) await reportScales([]);
    },
    nameOf(key) {
      const name = names.get(key);
      if (name === undefined) throw new Error(`the computer has no scale '${key}'`);
      return name;
    },
  };
}

export const scalesPath = (computerId: number): string => `/computer/${computerId}/scales`;

export const namedScalesPath = (computerId: number, name: string): string =>
  `${scalesPath(computerId)}/${encodeURIComponent(name)}`;

export const scalePath = (computerId: number, name: string, num: number | string): string =>
  `/computer/${computerId}/scale/${encodeURIComponent(name)}/${num}`;

/** Where the simulated scale of an account is shown. */
export const SIMULATED = scalePath(
  VIRTUAL_SCALE.computerId.value,
  VIRTUAL_SCALE.deviceName.value,
  VIRTUAL_SCALE.deviceNum.value,
);

/** Makes a measurement of the simulated scale. Ends the check as blocked when that fails. */
export async function simulate(context: CheckContext, api: ApiClient = context.api): Promise<void> {
  const { body } = await context.speak('simulated-reading');
  context.require(expectSuccess(await api.put('/scale', body)));
}

/** Tells a simulated reading that the second account had already: one that a check left there stays for 45 seconds. */
export async function leftInSecondAccount({ secondApi }: CheckContext): Promise<(shown: unknown) => boolean> {
  const { value: left } = await secondApi.get(SIMULATED);
  return (shown) =>
    isObject(left) &&
    isObject(shown) &&
    massOf(left) === massOf(shown) &&
    left['clientReportedCreateTimestamp'] === shown['clientReportedCreateTimestamp'];
}

/** The readings in an answer that the check builds on. */
export async function readingsAt(
  context: CheckContext,
  path: string,
  api: ApiClient = context.api,
): Promise<readonly JsonObject[]> {
  const answer = await api.get(path);
  const readings = asRecords(answer.value);
  context.require(expectFound(answer, 'an array of objects', () => readings !== undefined));
  return readings ?? [];
}

/** Mass in micrograms of a reading. */
export function massOf(reading: JsonObject): unknown {
  const mass = reading['mass'];
  return Array.isArray(mass) ? (mass[0] as unknown) : undefined;
}
