/**
 * Planned room: which computers and printers there are, and to which accounts they belong. Computers are derived from
 * templates on demand: ten thousand of them cost nothing here.
 *
 *   computers are numbered over all templates; computer c belongs to account c mod accounts
 *   printers are numbered over all computers
 */

import type { LoadScenario } from './load-scenario.ts';

export interface PlannedComputer {
  /** From 0, over the whole room. */
  readonly index: number;
  readonly account: number;
  /** Index of its template in the scenario. */
  readonly template: number;
  readonly name: string;
  /** Number of its first printer over the whole room; the others follow. */
  readonly firstPrinter: number;
  readonly printers: number;
}

interface Block {
  readonly template: number;
  readonly name: string;
  readonly count: number;
  readonly firstComputer: number;
  readonly firstPrinter: number;
  readonly printersEach: number;
}

export class PlannedRoom {
  readonly computerCount: number;
  readonly printerCount: number;
  readonly #blocks: readonly Block[];
  readonly #accounts: number;

  constructor({ computers, accounts }: Pick<LoadScenario, 'computers' | 'accounts'>) {
    const blocks: Block[] = [];
    let firstComputer = 0;
    let firstPrinter = 0;
    for (const [template, { template: described, count }] of computers.entries()) {
      const printersEach = described.printers.length;
      blocks.push({ template, name: described.name, count, firstComputer, firstPrinter, printersEach });
      firstComputer += count;
      firstPrinter += count * printersEach;
    }
    this.#blocks = blocks;
    this.#accounts = accounts;
    this.computerCount = firstComputer;
    this.printerCount = firstPrinter;
  }

  /** @throws RangeError when there is no such computer */
  computer(index: number): PlannedComputer {
    const block = this.#blocks.find(({ firstComputer, count }) => index < firstComputer + count);
    if (block === undefined || index < 0) throw new RangeError(`there is no computer ${index}`);
    const place = index - block.firstComputer;
    return {
      index,
      account: index % this.#accounts,
      template: block.template,
      name: block.count === 1 ? block.name : `${block.name} ${place + 1}`,
      firstPrinter: block.firstPrinter + place * block.printersEach,
      printers: block.printersEach,
    };
  }

  *computersOf(account: number): Iterable<PlannedComputer> {
    for (let index = account; index < this.computerCount; index += this.#accounts) yield this.computer(index);
  }

  /** The account that a printer belongs to. @throws RangeError when there is no such printer */
  accountOfPrinter(printer: number): number {
    const block = this.#blocks.find(
      ({ firstPrinter, count, printersEach }) => printer < firstPrinter + count * printersEach,
    );
    if (block === undefined || printer < 0) throw new RangeError(`there is no printer ${printer}`);
    const computer = block.firstComputer + Math.floor((printer - block.firstPrinter) / block.printersEach);
    return computer % this.#accounts;
  }
}
