/**
 * Scales: what is plugged in to each computer, and the last reading of each scale while it is retained.
 *
 *   scales ─► numbers        reading ─► (account, computer, deviceName, deviceNum) ─► heard by the scale feed
 *
 * All in memory: no reading outlives the process. Its age is judged when it is read; one beat frees the
 * memory of those that are too old. Everything lies under its account, so that no path leads to another
 * account's data.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import type { ScaleReport } from '../../link/messages.ts';
import { NumberedScales } from './scale-numbers.ts';
import { SCALE_RETENTION_MS, type Measured, type MeasuringScale, type ScaleReading } from './scale-reading.ts';

export interface ScalesOptions {
  readonly clock: Clock;
  readonly isRetained: (createdMs: number, nowMs: number) => boolean;
}

/** What a caller asks for; a missing field does not restrict. */
export interface ScaleQuery {
  readonly computerId?: number | undefined;
  readonly deviceName?: string | undefined;
  readonly deviceNum?: number | undefined;
}

interface ComputerKey {
  readonly accountId: number;
  readonly id: number;
}

interface Site {
  readonly plugged: NumberedScales;
  /** The last one of each scale. */
  readings: readonly ScaleReading[];
}

export class Scales {
  readonly #options: ScalesOptions;
  /** Account → computer → what is there. */
  readonly #sites = new Map<number, Map<number, Site>>();
  readonly #listeners: ((reading: ScaleReading) => void)[] = [];
  readonly #sweep: Timer;

  constructor(options: ScalesOptions) {
    this.#options = options;
    this.#sweep = options.clock.beat(SCALE_RETENTION_MS, () => this.#freeMemory());
  }

  /** Calls `listener` with each new reading. */
  onReading(listener: (reading: ScaleReading) => void): void {
    this.#listeners.push(listener);
  }

  /** A computer reported all its scales. */
  replace(computer: ComputerKey, reports: readonly ScaleReport[]): void {
    const site = this.#siteOf(computer.accountId, computer.id);
    // Choice: a renamed scale loses its last reading, so that it is listed once.
    for (const before of site.plugged.replace(reports)) site.readings = without(site.readings, before);
  }

  /** A computer reported a reading; one of a scale that is not plugged in is ignored. */
  record(computer: ComputerKey, scaleKey: string, measured: Measured): void {
    const scale = this.#sites.get(computer.accountId)?.get(computer.id)?.plugged.get(scaleKey);
    if (scale) this.store(computer.accountId, computer.id, scale, measured);
  }

  /** Stores a reading in place of the scale's last one, and calls the listeners. */
  store(accountId: number, computerId: number, scale: MeasuringScale, measured: Measured): ScaleReading {
    const { mass, measurement, clientReportedCreateTimestamp } = measured;
    const createdMs = this.#options.clock.now();
    const reading = {
      accountId,
      computerId,
      scale,
      mass,
      measurement,
      clientReportedCreateTimestamp,
      createdMs,
    };
    const site = this.#siteOf(accountId, computerId);
    // Here and in other lists of a computer, a spread would set aside room for sixteen more.
    site.readings = without(site.readings, scale).concat(reading);
    for (const listener of this.#listeners) listener(reading);
    return reading;
  }

  /** Retained readings of an account's scales, by computer, name and number. */
  find(accountId: number, query: ScaleQuery): ScaleReading[] {
    const nowMs = this.#options.clock.now();
    const isWanted = (reading: ScaleReading): boolean =>
      isAskedFor(reading, query) && this.#options.isRetained(reading.createdMs, nowMs);
    const found: ScaleReading[] = [];
    for (const { readings } of pick(this.#sites.get(accountId), query.computerId)) {
      found.push(...readings.filter(isWanted));
    }
    return found.length > 1 ? found.toSorted(inOrder) : found;
  }

  forget(computer: ComputerKey): void {
    this.#sites.get(computer.accountId)?.delete(computer.id);
  }

  close(): void {
    this.#sweep.cancel();
  }

  #siteOf(accountId: number, computerId: number): Site {
    const sites = this.#sites.get(accountId) ?? new Map<number, Site>();
    this.#sites.set(accountId, sites);
    const site = sites.get(computerId) ?? { plugged: new NumberedScales(), readings: [] };
    sites.set(computerId, site);
    return site;
  }

  #freeMemory(): void {
    const nowMs = this.#options.clock.now();
    for (const [accountId, sites] of this.#sites) {
      for (const [computerId, site] of sites) {
        site.readings = site.readings.filter(({ createdMs }) => this.#options.isRetained(createdMs, nowMs));
        if (site.readings.length === 0 && site.plugged.isEmpty) sites.delete(computerId);
      }
      if (sites.size === 0) this.#sites.delete(accountId);
    }
  }
}

export function isAskedFor({ computerId, scale }: ScaleReading, query: ScaleQuery): boolean {
  return (
    (query.computerId === undefined || query.computerId === computerId) &&
    (query.deviceName === undefined || query.deviceName === scale.deviceName) &&
    (query.deviceNum === undefined || query.deviceNum === scale.deviceNum)
  );
}

/** Readings of other scales than this one. */
function without(readings: readonly ScaleReading[], { deviceName, deviceNum }: MeasuringScale): ScaleReading[] {
  return readings.filter(({ scale }) => scale.deviceName !== deviceName || scale.deviceNum !== deviceNum);
}

function pick<K, V>(map: ReadonlyMap<K, V> | undefined, key: K | undefined): Iterable<V> {
  if (map === undefined) return [];
  if (key === undefined) return map.values();
  const value = map.get(key);
  return value === undefined ? [] : [value];
}

function inOrder(a: ScaleReading, b: ScaleReading): number {
  if (a.computerId !== b.computerId) return a.computerId - b.computerId;
  if (a.scale.deviceName !== b.scale.deviceName) return a.scale.deviceName < b.scale.deviceName ? -1 : 1;
  return a.scale.deviceNum - b.scale.deviceNum;
}
