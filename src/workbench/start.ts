/**
 * start(): a bench in this process, as one object.
 */

import { Bench, type StartOptions } from './bench.ts';
import { askHere, ControlClient } from './control/control-client.ts';
import { Platen } from './library/platen.ts';

/** A bench of this process: a Platen, and what only its own process may know. */
export class StartedPlaten extends Platen {
  /** Key of an account that has nothing to do with the first and no printers. */
  readonly secondApiKey: string;
  /** What the control API wants as a bearer token; undefined on loopback, where it wants none. */
  readonly controlToken: string | undefined;

  constructor(bench: Bench) {
    const { url, apiKey } = bench;
    const { accountId } = bench.tenant(undefined);
    const isVirtual = bench.time.timekeeper.isVirtual;
    super(
      { url, apiKey, accountId, isVirtual, isMain: true },
      new ControlClient(askHere(bench.control)),
      () => bench.close(),
    );
    this.secondApiKey = bench.secondApiKey;
    this.controlToken = bench.controlToken;
  }
}

/**
 * Starts a bench; resolves when its computers are connected and it can be used.
 *
 * @throws ActionableError when the port, the data file or the room cannot be had
 */
export async function start(options: StartOptions = {}): Promise<StartedPlaten> {
  const bench = new Bench(options);
  try {
    await bench.open();
    return new StartedPlaten(bench);
  } catch (error) {
    await bench.close();
    throw error;
  }
}
