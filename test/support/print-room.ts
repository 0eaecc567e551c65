/**
 * One computer with one printer on a virtual clock, connected to an in-memory link.
 */

import { readFileSync } from 'node:fs';

import { createRandom } from '../../src/common/random.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';
import { VirtualComputer } from '../../src/devices/computer/computer.ts';
import { DocumentFetch } from '../../src/devices/document/document-fetch.ts';
import type { PressLimits } from '../../src/devices/press/press-limits.ts';
import { Press } from '../../src/devices/press/press.ts';
import { PRINTER_PROFILES, type PrinterProfile } from '../../src/devices/printer/printer-profile.ts';
import type { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import { AutoOff } from '../../src/devices/scale/auto-off.ts';
import type { DeliveredJob } from '../../src/link/device-link.ts';
import { InMemoryLink } from './in-memory-link.ts';

export function fixtureDocument(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url));
}

function profileOf(profile: string | PrinterProfile): PrinterProfile {
  return typeof profile === 'string' ? PRINTER_PROFILES.load(profile) : profile;
}

export class PrintRoom {
  readonly clock = new VirtualClock();
  readonly link = new InMemoryLink();
  readonly computer: VirtualComputer;
  readonly printer: VirtualPrinter;
  readonly #press: Press;
  readonly #documents = new DocumentFetch(this.clock, createRandom('documents'));

  /** Its computer is connected. */
  static async connected(...given: ConstructorParameters<typeof PrintRoom>): Promise<PrintRoom> {
    const room = new PrintRoom(...given);
    await room.computer.connect();
    return room;
  }

  constructor(profile: string | PrinterProfile = 'laser-a4', limits?: PressLimits, timeScale = 0) {
    this.#press = new Press(this.clock, limits);
    this.computer = new VirtualComputer(
      1,
      { name: 'DESK', printers: [{ profile: profileOf(profile), name: 'Laser' }] },
      {
        clock: this.clock,
        random: createRandom('print room'),
        link: this.link,
        serviceUrl: 'http://127.0.0.1:8631',
        credential: { kind: 'api-key', key: 'k' },
        press: this.#press,
        documents: this.#documents,
        autoOff: new AutoOff(this.clock),
        trayCapacity: 20,
        timeScale,
      },
    );
    const [printer] = this.computer.printers;
    if (!printer) throw new Error('the computer has no printer');
    this.printer = printer;
  }

  /** Delivers a job and lets everything settle. */
  async print(job: Partial<DeliveredJob> = {}): Promise<void> {
    await this.link.deliver(this.job(job));
    await this.clock.settle();
  }

  job(changes: Partial<DeliveredJob> = {}): DeliveredJob {
    return {
      jobId: 1,
      printerKey: this.printer.key,
      title: 'Three pages',
      source: null,
      contentType: 'pdf_base64',
      content: fixtureDocument('three-pages.pdf').toString('base64'),
      options: {},
      qty: 1,
      authentication: null,
      createTimestamp: '2026-01-01T00:00:00.000Z',
      expireAt: null,
      ...changes,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.computer.disconnect();
    await this.#press.close();
    await this.#documents.close();
  }
}
