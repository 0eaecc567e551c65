/**
 * Print buffer: documents that a receipt printer has taken and not printed. It has no other memory: what is in it is
 * gone when the printer is switched off, or told to forget it.
 */

export interface HeldDocument {
  /** Called when it is lost. */
  lose: () => void;
  /** It is printed, or cannot be. */
  release(): void;
}

export class PrintBuffer {
  readonly #held = new Map<HeldDocument, number>();

  /** What it holds, in bytes. */
  get bytes(): number {
    return [...this.#held.values()].reduce((sum, length) => sum + length, 0);
  }

  hold(length: number): HeldDocument {
    const held = { lose: () => undefined, release: () => this.#held.delete(held) };
    this.#held.set(held, length);
    return held;
  }

  clear(): void {
    const lost = [...this.#held.keys()];
    this.#held.clear();
    for (const { lose } of lost) lose();
  }
}
