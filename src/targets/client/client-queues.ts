/**
 * Client queues: the printers of a computer that a client program runs, each with its queue in a print system of the
 * computer's own.
 *
 *   queue of CUPS ─► IPP ─► virtual printer ─► paper ─► onPaper
 *
 * A state that a check asks for becomes the fault that brings it.
 */

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { sleep, systemClock } from '../../common/clock.ts';
import type { Press } from '../../devices/press/press.ts';
import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../devices/printer/printer.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import { ExposedRoom } from '../../hardware/exposed-room.ts';
import type { PrinterReport } from '../../link/messages.ts';
import { PrintSystem } from '../print-system.ts';

export interface ClientQueuesOptions {
  readonly computerName: string;
  readonly folder: string;
  readonly press: Press;
  readonly onPaper: (printerKey: string, printer: VirtualPrinter, printout: Printout) => void;
}

interface Queue {
  readonly name: string;
  readonly report: PrinterReport;
  /** Its name in the service. */
  shown: string;
  fault: string | undefined;
  readonly printer: VirtualPrinter;
}

/** Plain A4 and Letter in colour on both sides: options that a check uses have to be carried out. */
const PROFILE = 'office-mfp';
/** Title of a job by which a print system finds out how its printer is. */
export const FEELER = 'platen: how is the printer?';
/** What a printer has to suffer for its print system to say that it is in a state; one that is off says nothing. */
const FAULT_OF: Readonly<Record<string, string>> = {
  offline: 'connecting-to-device',
  out_of_paper: 'media-empty',
  error: 'door-open',
};

export class ClientQueues {
  readonly #options: ClientQueuesOptions;
  readonly #cups: PrintSystem;
  readonly #queues = new Map<string, Queue>();
  #room: ExposedRoom | undefined;

  private constructor(options: ClientQueuesOptions, cups: PrintSystem) {
    this.#options = options;
    this.#cups = cups;
  }

  /** Starts the print system. @throws ActionableError without CUPS */
  static async start(options: ClientQueuesOptions): Promise<ClientQueues> {
    const queues = new ClientQueues(options, await PrintSystem.start('at-once'));
    const computers = () => [
      { name: options.computerName, printers: queues.all.map(({ printer }) => printer), scales: [] },
    ];
    const { press } = options;
    try {
      queues.#room = await ExposedRoom.open({ clock: systemClock, press, exposure: { ipp: 0 }, computers });
      return queues;
    } catch (error) {
      await queues.close();
      throw error;
    }
  }

  get all(): readonly Queue[] {
    return [...this.#queues.values()];
  }

  /** CUPS_SERVER of its programs. */
  get server(): string {
    return `127.0.0.1:${this.#cups.port}`;
  }

  get environment(): PrintSystem['environment'] {
    return this.#cups.environment;
  }

  /** Makes and removes queues. `gone` has the keys of printers that it had and has no longer. */
  async setUp(printers: readonly PrinterReport[]): Promise<{ readonly isOther: boolean; readonly gone: string[] }> {
    const gone = this.all.filter(({ report }) => !printers.some(({ key }) => key === report.key));
    for (const { name, report, printer } of gone) {
      await this.#cups.removeQueue(name);
      printer.close();
      this.#queues.delete(report.key);
    }
    const added = printers.filter(({ key }) => !this.#queues.has(key)).map((report) => this.#makeQueue(report));
    await this.#room?.refresh();
    for (const { name, report, printer } of added) {
      const uri = this.#room?.addressesOf(printer)?.uris.ipp;
      if (uri === undefined) continue;
      await this.#cups.addQueue(name, uri, 'pdf');
      // Names that a queue cannot have may be its description.
      await this.#cups.run('lpadmin', ['-p', name, '-D', report.name]);
    }
    return { isOther: gone.length > 0 || added.length > 0, gone: gone.map(({ report }) => report.key) };
  }

  /**
   * A print system asks an idle printer for nothing, so it gets a job to see the state by. Returns the printers whose
   * state is another one now.
   */
  async bringStates(printers: readonly PrinterReport[]): Promise<readonly PrinterReport[]> {
    const changed = printers.filter(({ key, state }) => FAULT_OF[state ?? ''] !== this.#queues.get(key)?.fault);
    for (const { key, state } of changed) {
      const queue = this.#queues.get(key);
      if (!queue) continue;
      queue.fault = FAULT_OF[state ?? ''];
      queue.printer.clear();
      if (queue.fault === undefined) continue;
      queue.printer.fail(queue.fault);
      const file = path.join(this.#options.folder, 'feeler');
      writeFileSync(file, '\n');
      await this.#cups.run('lp', ['-d', queue.name, '-t', FEELER, '-o', 'raw', file]);
    }
    return changed;
  }

  /** Kills the print system, and starts it again with what it has on its disk. */
  async crash(downMs: number, signal: AbortSignal): Promise<void> {
    this.#cups.kill();
    await sleep(systemClock, downMs, signal);
    await this.#cups.restart();
  }

  async close(): Promise<void> {
    for (const { printer } of this.all) printer.close();
    await this.#cups.close();
    await this.#room?.close();
  }

  #makeQueue(report: PrinterReport): Queue {
    const taken = new Set(this.all.map(({ name }) => name));
    const plain = report.name.replaceAll(/[^\w.-]/g, '_').slice(0, 100) || 'printer';
    const name = taken.has(plain) ? `${plain}-${taken.size + 1}` : plain;
    const profile = { ...PRINTER_PROFILES.load(PROFILE), name: report.name, description: report.description };
    const options = { clock: systemClock, press: this.#options.press, timeScale: 0, trayCapacity: 200 };
    const printer = new VirtualPrinter(this.#queues.size + 1, { profile }, options, { refresh: () => undefined });
    printer.clear();
    printer.onPrintout((printout) => this.#options.onPaper(report.key, printer, printout));
    const queue = { name, report, shown: name, printer, fault: undefined };
    this.#queues.set(report.key, queue);
    return queue;
  }
}
