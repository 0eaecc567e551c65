/**
 * Printed: what came out of a printer for a job, or for a program that printed past the service: to look into.
 */

import { givenObject } from '../../common/given-object.ts';
import type { JobText } from '../../record/control-types.ts';
import type { ControlClient } from '../control/control-client.ts';

interface PrintedOptions {
  readonly control: ControlClient;
  /** In the control API: `/jobs/7`. */
  readonly path: string;
  /** `job 7` */
  readonly called: string;
}

export class Printed {
  /** How messages call it: `job 7`. */
  readonly called: string;
  readonly #control: ControlClient;
  readonly #path: string;

  constructor({ control, path, called }: PrintedOptions) {
    this.called = called;
    this.#control = control;
    this.#path = path;
  }

  /** The text on its sheets, labels or receipts; on one side where that is named, from 1. */
  async text(side?: number): Promise<string> {
    const { sides } = await this.#control.get<JobText>(`${this.#path}/text`);
    if (side === undefined) return sides.join('\n');
    const text = sides[side - 1];
    if (text !== undefined) return text;
    throw new RangeError(`${this.called} has ${sides.length} sides, and no side ${side}`);
  }

  /**
   * A side as a picture, from 1.
   *
   * @param options - `width` in pixels, about; unless given, as on a screen, and of labels and receipts a pixel for
   *   each dot
   */
  async png(side = 1, options: { readonly width?: number } = {}): Promise<Uint8Array> {
    const { width } = givenObject('the second argument of png', '{ width: 400 }', options);
    return this.#control.bytes(`${this.#path}/sheets/${side}.png`, { width });
  }

  /** All its sheets, labels or receipts, a page for each side. */
  pdf(): Promise<Uint8Array> {
    return this.#control.bytes(`${this.#path}/sheets.pdf`);
  }

  /** What a printer got in its own language. */
  raw(): Promise<Uint8Array> {
    return this.#control.bytes(`${this.#path}/raw`);
  }
}
