/**
 * A virtual printer for the protocols of operating systems: on a virtual clock, with a press, connected to nothing.
 */

import { keysOf } from '../../src/common/keys-of.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { isReported, PRINTER_FAULTS } from '../../src/devices/printer/printer-fault.ts';
import { PRINTER_PROFILES, type PrinterProfile } from '../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import type { Printout } from '../../src/devices/printer/printout.ts';
import { HardwarePrinter } from '../../src/hardware/hardware-printer.ts';

/** Nothing answers at a printer that is off; `paused` is CUPS's word for a queue; a full spool refuses the job. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['offline', 'shutdown', 'paused', 'spool-area-full']);

/** Faults that CUPS shows as reasons of the state of a queue, once it has a job for the printer. */
export const SHOWN_FAULTS = keysOf(PRINTER_FAULTS).filter((fault) => isReported(fault) && !NOT_SHOWN.has(fault));

export class PrinterOnDesk {
  readonly clock = new VirtualClock();
  readonly press = new Press(this.clock);
  readonly printer: VirtualPrinter;
  readonly hardware: HardwarePrinter;

  /** @param timeScale - 0: sheets come out at once; 1: as fast as the machine would print */
  constructor(profile: string | PrinterProfile = 'laser-a4', timeScale = 0) {
    const description = {
      profile: typeof profile === 'string' ? PRINTER_PROFILES.load(profile) : profile,
      name: 'Laser',
    };
    const { clock, press } = this;
    this.printer = new VirtualPrinter(
      1,
      description,
      { clock, press, timeScale, trayCapacity: 50 },
      { refresh: () => undefined },
    );
    this.hardware = new HardwarePrinter(this.printer, 'DESK', press);
  }

  /** The next printout whose last sheet comes out. */
  printed(): Promise<Printout> {
    const { promise, resolve } = Promise.withResolvers<Printout>();
    const stop = this.printer.onPrintout((printout) => {
      stop();
      resolve(printout);
    });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.printer.close();
    await this.press.close();
  }
}
