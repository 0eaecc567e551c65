/**
 * Workbench printouts: what operating systems and programs printed on exposed printers, past the service, for programs:
 * to wait for, and to look into.
 */

import { passingMs, type Duration } from '../../common/duration.ts';
import { givenObject } from '../../common/given-object.ts';
import type { HardwarePrintoutView } from '../../record/control-types.ts';
import type { ControlClient } from '../control/control-client.ts';
import type { PrintoutQuery } from '../views/printouts.ts';
import { Printed } from './printed.ts';
import { titleQuery, type JobWait } from './workbench-jobs.ts';

/** Which printout is waited for; fields that are not given do not matter. */
export interface PrintoutWait extends Omit<PrintoutQuery, 'protocol' | 'title'> {
  readonly protocol?: HardwarePrintoutView['protocol'] | undefined;
  readonly title?: JobWait['title'];
}

export class WorkbenchPrintouts {
  readonly #control: ControlClient;

  constructor(control: ControlClient) {
    this.#control = control;
  }

  /** All that printers still have, oldest first for each printer. */
  async list(): Promise<readonly WorkbenchPrintout[]> {
    const all = await this.#control.get<HardwarePrintoutView[]>('/printouts');
    return all.map((view) => new WorkbenchPrintout(view, this.#control));
  }

  /**
   * The newest printout that fits the query and is out as a whole, as soon as there is one. What prints is a program,
   * which takes real time: a virtual clock is advanced by as much.
   *
   * @param timeout - 5 s unless given
   * @throws PrintoutWaitExpired at the limit, with the one that came closest and why it is not the one
   */
  async wait(
    query: PrintoutWait = {},
    options: { readonly timeout?: Duration | undefined } = {},
  ): Promise<WorkbenchPrintout> {
    givenObject('the query of printouts.wait', "{ printer: 'Receipt' }", query);
    const { timeout } = givenObject('the second argument of printouts.wait', "{ timeout: '10s' }", options);
    const { title, ...rest } = query;
    const limit = timeout === undefined ? undefined : `${passingMs(timeout)}ms`;
    const asked = { ...rest, ...titleQuery(title), timeout: limit };
    return new WorkbenchPrintout(
      await this.#control.get<HardwarePrintoutView>('/printouts/wait', asked),
      this.#control,
    );
  }
}

/** A printout, as it was when it was asked for. */
export class WorkbenchPrintout extends Printed {
  readonly id: string;
  readonly protocol: HardwarePrintoutView['protocol'];
  readonly computer: string;
  readonly printer: string;
  readonly title: string;
  /** As the sender names it; empty where the protocol has no name. */
  readonly user: string;
  /** Sheets of paper, or bytes in the printer's own language. */
  readonly kind: HardwarePrintoutView['kind'];
  /** How many sides have a picture. */
  readonly sides: number;
  /** False while sheets of it are still to come. */
  readonly complete: boolean;
  /** When its newest sheet came out, in ISO 8601. */
  readonly printedAt: string;
  /** Why labels or receipts have no picture, or what is not on it; null where nothing is missing. */
  readonly notDrawn: string | null;
  /** Drawers and buzzers of a receipt, in the order of its bytes. */
  readonly events: NonNullable<HardwarePrintoutView['raw']>['events'];

  constructor(view: HardwarePrintoutView, control: ControlClient) {
    super({ control, path: `/printouts/${encodeURIComponent(view.id)}`, called: `printout ${view.id}` });
    this.id = view.id;
    this.protocol = view.protocol;
    this.computer = view.computer;
    this.printer = view.printer;
    this.title = view.title;
    this.user = view.user;
    this.kind = view.kind;
    this.sides = view.sides;
    this.complete = view.complete;
    this.printedAt = view.printedAt;
    this.notDrawn = view.raw?.notDrawn ?? null;
    this.events = view.raw?.events ?? [];
  }
}
