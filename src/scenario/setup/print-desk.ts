/**
 * Print desk: the print system of a scenario, which prints on the printers of its room as an operating system does.
 *
 *   step lp ─► CUPS ─► queue for a printer and a protocol ─► exposed room ─► printer
 *
 * Started by the first step that prints through it. A queue is made when it is first named.
 */

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Clock } from '../../common/clock.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import type { Room } from '../../devices/room.ts';
import { ExposedRoom } from '../../hardware/exposed-room.ts';
import { stringsOf, numberOf } from '../../hardware/ipp/attribute.ts';
import { printerAttributes } from '../../hardware/ipp/ipp-client.ts';
import { PRINTER_STATES } from '../../hardware/ipp/operations.ts';
import { plainName } from '../../hardware/plain-name.ts';
import { GuardedFolder } from '../../targets/guarded-folder.ts';
import { PrintSystem } from '../../targets/print-system.ts';

/** How a print system reaches a printer. */
export const PRINT_PROTOCOLS = ['ipp', 'ipps', 'raw', 'lpd'] as const;
export type PrintProtocol = (typeof PRINT_PROTOCOLS)[number];

/** What CUPS does with a queue whose printer fails a job. */
export const ERROR_POLICIES = ['retry-job', 'abort-job', 'stop-printer'] as const;

export interface QueueName {
  readonly printer: VirtualPrinter;
  readonly by: PrintProtocol;
}

export interface PrintOrder extends QueueName {
  readonly policy: (typeof ERROR_POLICIES)[number];
  readonly title: string;
  readonly document: Uint8Array;
  /** By their names in `lp -o`. */
  readonly options: Readonly<Record<string, string | number>>;
}

export interface QueueState {
  /** Jobs that have not ended. */
  readonly waiting: number;
  /** Jobs that are over, however they ended. */
  readonly over: number;
  readonly isStopped: boolean;
  readonly reasons: readonly string[];
}

export class PrintDesk {
  readonly #room: ExposedRoom;
  readonly #cups: PrintSystem;
  readonly #folder: GuardedFolder;
  readonly #queues = new Map<string, Promise<void>>();

  private constructor(room: ExposedRoom, cups: PrintSystem, folder: GuardedFolder) {
    this.#room = room;
    this.#cups = cups;
    this.#folder = folder;
  }

  /** @throws ActionableError when CUPS is not installed */
  static async open(room: Room, clock: Clock): Promise<PrintDesk> {
    const cups = await PrintSystem.start();
    const exposure = { ipp: 0, ipps: 0, raw: 0, lpd: 0 };
    const computers = (): Room['computers'] => room.computers;
    const exposed = await ExposedRoom.open({ clock, press: room.press, exposure, computers });
    return new PrintDesk(exposed, cups, await GuardedFolder.make('platen-desk-'));
  }

  async print({ printer, by, policy, title, document, options }: PrintOrder): Promise<void> {
    const queue = await this.#queueOf({ printer, by });
    await this.#cups.run('lpadmin', ['-p', queue, '-o', `printer-error-policy=${policy}`]);
    const file = path.join(this.#folder.path, 'document');
    writeFileSync(file, document);
    const asked = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    await this.#cups.run('lp', ['-d', queue, '-t', title, ...asked, file]);
  }

  async stateOf(name: QueueName): Promise<QueueState> {
    const queue = await this.#queueOf(name);
    const attributes = await printerAttributes(`ipp://127.0.0.1:${this.#cups.port}/printers/${queue}`);
    const find = (wanted: string) => attributes.find((one) => one.name === wanted);
    const over = await this.#cups.run('lpstat', ['-W', 'completed', '-o', queue]);
    // Those of CUPS itself come and go while it waits for the printer.
    const reasons = stringsOf(find('printer-state-reasons')).filter((reason) => !reason.startsWith('cups-'));
    return {
      waiting: numberOf(find('queued-job-count')) ?? 0,
      over: over.split('\n').filter((line) => line.startsWith(queue)).length,
      isStopped: numberOf(find('printer-state')) === PRINTER_STATES.stopped,
      reasons: reasons.length === 0 ? ['none'] : reasons,
    };
  }

  async close(): Promise<void> {
    await this.#cups.close();
    await this.#room.close();
    await this.#folder.close();
  }

  async #queueOf({ printer, by }: QueueName): Promise<string> {
    const queue = `${plainName(printer.name)}-${printer.key}-${by}`;
    const uri = this.#room.addressesOf(printer)?.uris[by] ?? '';
    const made =
      this.#queues.get(queue) ?? this.#cups.addQueue(queue, uri, by.startsWith('ipp') ? 'driverless' : 'raw');
    this.#queues.set(queue, made);
    await made;
    return queue;
  }
}
