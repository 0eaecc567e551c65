/**
 * Scale station: the scales of one computer, and what the client program reports of them.
 *
 *   scale ══ report bytes ══► reading ══ link ══► service
 *   plug, unplug ══► the whole list again
 *
 * Nothing is sent while there is no connection; a new one gets the list and the latest readings.
 */

import type { Random } from '../../common/random.ts';
import type { LinkSession } from '../../link/device-link.ts';
import { VirtualScale, type ScaleDescription, type ScaleHost, type ScaleOptions } from './scale.ts';

/** The computer that the scales are plugged into. */
export interface StationOwner {
  readonly random: Random;
  /** What it believes the time is: readings carry it. */
  now(): number;
}

export class ScaleStation implements ScaleHost {
  #scales: readonly VirtualScale[];
  readonly #options: ScaleOptions;
  #scalesSoFar = 0;
  readonly #owner: StationOwner;
  #session: LinkSession | undefined;

  constructor(descriptions: readonly ScaleDescription[], options: ScaleOptions, owner: StationOwner) {
    this.#owner = owner;
    this.#options = options;
    this.#scales = descriptions.map((scale) => this.#make(scale));
  }

  get scales(): readonly VirtualScale[] {
    return this.#scales;
  }

  add(description: ScaleDescription): VirtualScale {
    const scale = this.#make(description);
    this.#scales = [...this.#scales, scale];
    this.scalesChanged();
    return scale;
  }

  remove(scale: VirtualScale): void {
    if (!this.#scales.includes(scale)) return;
    scale.close();
    this.#scales = this.#scales.filter((one) => one !== scale);
    this.scalesChanged();
  }

  #make(description: ScaleDescription): VirtualScale {
    return new VirtualScale(++this.#scalesSoFar, description, this.#options, this);
  }

  get random(): Random {
    return this.#owner.random;
  }

  /** Reports everything over a new connection; resolves when the service knows the scales. @throws LinkError */
  async report(session: LinkSession): Promise<void> {
    this.#session = session;
    if (this.scales.length === 0) return;
    const known = this.#reportList(session);
    for (const scale of this.#attached()) this.scaleReported(scale, scale.report);
    await known;
  }

  /** Sends nothing more until the next report. */
  fallSilent(): void {
    this.#session = undefined;
  }

  scalesChanged(): void {
    // A session that ends first takes the list with it; the next connection reports it again.
    if (this.#session?.connected) this.#reportList(this.#session).catch(() => undefined);
  }

  scaleReported(scale: VirtualScale, report: Uint8Array): void {
    const reading = scale.reading(report);
    if (!reading || !this.#session?.connected) return;
    const { mass, measurement } = reading;
    const clientReportedCreateTimestamp = new Date(this.#owner.now()).toISOString();
    this.#session
      .publishReading({ scaleKey: scale.key, mass, measurement, clientReportedCreateTimestamp })
      .catch(() => undefined);
  }

  #reportList(session: LinkSession): Promise<void> {
    return session.reportScales(this.#attached().map((scale) => scale.listing()));
  }

  #attached(): VirtualScale[] {
    return this.scales.filter((scale) => scale.attached);
  }
}
