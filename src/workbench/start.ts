/**
 * start(): a workbench in this process, as one object.
 */

import { Workbench, type StartOptions } from './workbench.ts';
import { askHere, ControlClient } from './control/control-client.ts';
import { Platen } from './library/platen.ts';

/** A workbench of this process: a Platen, and what only its own process may know. */
export class StartedPlaten extends Platen {
  /** Key of an account that has nothing to do with the first and no printers. */
  readonly secondApiKey: string;
  /** What the control API wants as a bearer token; undefined on loopback, where it wants none. */
  readonly controlToken: string | undefined;

  constructor(workbench: Workbench) {
    const { url, apiKey } = workbench;
    const { accountId } = workbench.tenant(undefined);
    const isVirtual = workbench.time.timekeeper.isVirtual;
    super(
      { url, apiKey, accountId, isVirtual, isMain: true },
      new ControlClient(askHere(workbench.control)),
      () => workbench.close(),
    );
    this.secondApiKey = workbench.secondApiKey;
    this.controlToken = workbench.controlToken;
  }
}

/**
 * Starts a workbench; resolves when its computers are connected and it can be used.
 *
 * @throws ActionableError when the port, the data file or the room cannot be had
 */
export async function start(options: StartOptions = {}): Promise<StartedPlaten> {
  const workbench = new Workbench(options);
  try {
    await workbench.open();
    return new StartedPlaten(workbench);
  } catch (error) {
    await workbench.close();
    throw error;
  }
}
