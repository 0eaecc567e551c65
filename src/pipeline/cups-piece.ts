/**
 * CUPS piece: the print system of a pipeline that has queues, killed and started again as its programs are.
 */

import { PrintSystem } from '../targets/print-system.ts';

export class CupsPiece {
  readonly #system: PrintSystem;
  #isUp = true;

  private constructor(system: PrintSystem) {
    this.#system = system;
  }

  /** @param queues - name and address. @throws ActionableError when CUPS is not there, or does not come up */
  static async open(queues: Readonly<Record<string, string>>): Promise<CupsPiece> {
    const system = await PrintSystem.start();
    try {
      for (const [name, address] of Object.entries(queues)) await system.addQueue(name, address, 'raw');
      return new CupsPiece(system);
    } catch (error) {
      await system.close();
      throw error;
    }
  }

  /** For `CUPS_SERVER` and `lp -h`. */
  get address(): string {
    return `127.0.0.1:${this.#system.port}`;
  }

  /** It says nothing of use. */
  readonly lines = [];

  async start(): Promise<void> {
    if (this.#isUp) return;
    await this.#system.restart();
    this.#isUp = true;
  }

  kill(): Promise<void> {
    this.#system.kill();
    this.#isUp = false;
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.#system.close();
  }
}
