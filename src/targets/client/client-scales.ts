/**
 * Client scales: the scales of a computer that a client program runs. Each is a virtual scale on a USB bus that the
 * kernel of this machine attaches, so that the program reads it like any other.
 *
 *   reading of a check ─► what lies on the virtual scale ─► USB/IP ─► kernel ─► client program ─► service
 *                                                                                                  │
 *   what the service calls it ◄──────────────── the scale that shows the weight that marks it ◄────┘
 *
 * A scale is put on the bus with a weight that no other one has: by it the service's name for the scale is found. What
 * a scale cannot be brought to report ends the check.
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { messageOf } from '../../common/error-message.ts';
import { sortedJson } from '../../common/json-value.ts';
import { createRandom } from '../../common/random.ts';
import type { Press } from '../../devices/press/press.ts';
import { AutoOff } from '../../devices/scale/auto-off.ts';
import type { ScaleProfile } from '../../devices/scale/scale-profile.ts';
import { VirtualScale } from '../../devices/scale/scale.ts';
import type { WeighingReading } from '../../devices/scale/weighing-reading.ts';
import { ExposedRoom } from '../../hardware/exposed-room.ts';
import { attachToKernel, forgetAttached } from '../../hardware/usb/kernel-host.ts';
import { BeyondProgram, type ReadingReport } from '../../link/device-link.ts';
import type { ScaleReport } from '../../link/messages.ts';

export interface ClientScalesOptions {
  readonly computerName: string;
  readonly press: Press;
  /** The scales of the computer, as the service shows them. */
  readonly shown: () => Promise<readonly Shown[]>;
}

/** Scale data of the service. */
type Shown = Readonly<Record<string, unknown>>;
type Weight = Pick<ReadingReport, 'mass' | 'measurement'>;

interface OnBus {
  readonly scale: VirtualScale;
  uri: string;
  /** Under the name that the service has for it. */
  report: ScaleReport;
  deviceNum: unknown;
}

/** How long the client may take until the service shows a new scale. */
const SHOW_MS = 20_000;
/** How long it may take until the service shows another weight: what is shown then is judged. */
const WEIGH_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** How long a client may take to notice that a scale is gone, which the service does not show. */
const GONE_MS = 2_000;
/** Heavier than what checks weigh in grams. */
const FIRST_MARK_GRAMS = 50_001;
const MICROGRAMS_OF_A_GRAM = 1_000_000;

/** Steps that are multiples of a round number of micrograms, and beyond what 32 bits hold. */
const MODES: ScaleProfile['modes'] = [
  { unit: 'gram', exponent: 0, division: '1', capacity: '60000', twoPart: false },
  { unit: 'kilogram', exponent: -2, division: '0.01', capacity: '600', twoPart: false },
];

export class ClientScales {
  readonly #options: ClientScalesOptions;
  readonly #random = createRandom(process.pid).stream('client scales');
  readonly #autoOff = new AutoOff(systemClock);
  readonly #onBus = new Map<string, OnBus>();
  #bus: ExposedRoom | undefined;
  #made = 0;
  /** One list after the other: they change the same bus. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: ClientScalesOptions) {
    this.#options = options;
  }

  get all(): readonly ScaleReport[] {
    return [...this.#onBus.values()].map(({ report }) => report);
  }

  /** Plugs and unplugs scales; resolves when the service shows the new ones. @throws BeyondProgram when it does not */
  setUp(wanted: readonly ScaleReport[]): Promise<void> {
    const turn = this.#last.then(() => this.#setUp(wanted));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Puts on a scale what brings it to report a reading; resolves when the service shows that, or has had the time.
   *
   * @throws BeyondProgram when a scale cannot report it
   */
  async weigh({ scaleKey, mass, measurement }: Pick<ReadingReport, 'scaleKey'> & Weight): Promise<void> {
    const onBus = this.#onBus.get(scaleKey);
    if (!onBus) throw new BeyondProgram(`needs a reading of a scale that is not plugged in: '${scaleKey}'`);
    const { scale } = onBus;
    const [micrograms] = mass;
    const isAgain = scale.loadMicrograms === micrograms;
    scale.complain(micrograms === null ? 'fault' : undefined);
    scale.load(0);
    chooseUnit(scale, Object.keys(measurement));
    // A client need not publish what it has published: the same weight is lifted, and put back.
    if (isAgain) await this.#untilShown(onBus, 0);
    scale.load(micrograms ?? 0);
    while (scale.moving) await sleep(systemClock, LOOK_EVERY_MS);
    refuseOther(scale.reading(), { mass, measurement });
    await this.#untilShown(onBus, micrograms);
  }

  async close(): Promise<void> {
    await this.#last;
    const uris = [...this.#onBus.values()].map(({ uri }) => uri);
    for (const { scale } of this.#onBus.values()) scale.close();
    this.#onBus.clear();
    await this.#bus?.close();
    for (const uri of uris) forgetAttached(uri);
  }

  async #setUp(wanted: readonly ScaleReport[]): Promise<void> {
    await this.#unplugAllBut(new Set(wanted.map(({ key }) => key)));
    for (const report of wanted) if (!this.#onBus.has(report.key)) await this.#plug(report);
  }

  async #unplugAllBut(kept: ReadonlySet<string>): Promise<void> {
    const gone = [...this.#onBus].filter(([key]) => !kept.has(key));
    if (gone.length === 0) return;
    for (const [key] of gone) this.#onBus.delete(key);
    await this.#bus?.refresh();
    for (const [, { scale, uri }] of gone) {
      scale.close();
      forgetAttached(uri);
    }
    await sleep(systemClock, GONE_MS);
  }

  async #plug(wanted: ScaleReport): Promise<void> {
    const grams = FIRST_MARK_GRAMS + this.#made;
    const scale = this.#makeScale(wanted, grams * MICROGRAMS_OF_A_GRAM);
    const onBus: OnBus = { scale, uri: '', report: wanted, deviceNum: undefined };
    this.#onBus.set(wanted.key, onBus);
    onBus.uri = await this.#addressOf(scale);
    await attachToKernel(onBus.uri).catch((error: unknown) => {
      throw new BeyondProgram(`takes a scale: ${messageOf(error)}`);
    });
    const found = await this.#lookFor(SHOW_MS, (shown) => massIn(shown) === scale.loadMicrograms);
    if (!found) {
      throw new BeyondProgram(
        `needs a scale: one was plugged in, and the service does not show it within ${formatDuration(SHOW_MS)}; ` +
          'does the client program read USB scales?',
      );
    }
    const { deviceName, deviceNum, port } = found;
    onBus.report = { ...wanted, deviceName: String(deviceName), port: typeof port === 'string' ? port : null };
    onBus.deviceNum = deviceNum;
  }

  /** Puts a scale on the bus, which is made for the first one. */
  async #addressOf(scale: VirtualScale): Promise<string> {
    const { computerName: name, press } = this.#options;
    const computers = () => [{ name, printers: [], scales: [...this.#onBus.values()].map((one) => one.scale) }];
    this.#bus ??= await ExposedRoom.open({ clock: systemClock, press, exposure: { usb: 0 }, computers });
    await this.#bus.refresh();
    return this.#bus.addressesOf(scale)?.uris.usb ?? '';
  }

  /** Where the service shows another weight in the end, that is what is judged. */
  async #untilShown({ report, deviceNum }: OnBus, micrograms: number | null): Promise<void> {
    await this.#lookFor(WEIGH_MS, (shown) => {
      const isIt = shown['deviceName'] === report.deviceName && shown['deviceNum'] === deviceNum;
      return isIt && massIn(shown) === micrograms;
    });
  }

  async #lookFor(limitMs: number, isIt: (shown: Shown) => boolean): Promise<Shown | undefined> {
    const untilMs = systemClock.now() + limitMs;
    for (;;) {
      const found = (await this.#options.shown()).find(isIt);
      if (found || systemClock.now() > untilMs) return found;
      await sleep(systemClock, LOOK_EVERY_MS);
    }
  }

  #makeScale(wanted: ScaleReport, loadMicrograms: number): VirtualScale {
    const { deviceName: product, vendorId, productId } = wanted;
    const profile: ScaleProfile = {
      vendor: wanted.vendor ?? '',
      product,
      vendorId,
      productId,
      why: 'It acts as a scale that a check describes.',
      port: null,
      reportId: 3,
      modes: MODES,
      tellsResolution: false,
      autoOffMs: null,
      quirks: [],
    };
    const host = { random: this.#random, scalesChanged: () => undefined, scaleReported: () => undefined };
    const options = { clock: systemClock, autoOff: this.#autoOff };
    return new VirtualScale(++this.#made, { profile, loadMicrograms }, options, host);
  }
}

function chooseUnit(scale: VirtualScale, { [0]: unit = '' }: readonly string[]): void {
  const isShown = (): boolean => Object.hasOwn(scale.reading()?.measurement ?? {}, unit);
  for (let presses = 1; presses < MODES.length && !isShown(); presses++) scale.press('unit');
}

/** A check that asks for what no report says would be judged by something else. */
function refuseOther(reported: WeighingReading | undefined, wanted: Weight): void {
  const { mass, measurement } = wanted;
  const isIt = reported && sortedJson([reported.mass, reported.measurement]) === sortedJson([mass, measurement]);
  if (!isIt)
    throw new BeyondProgram(`needs a reading that the report of a USB scale cannot carry: ${JSON.stringify(wanted)}`);
}

function massIn({ mass }: Shown): unknown {
  return Array.isArray(mass) ? mass[0] : undefined;
}
