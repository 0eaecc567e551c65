/**
 * Check processes: take a part of the checks of a run, each on a reference service of its own.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { startModule } from '../../common/child-module.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import type { Check } from '../check.ts';
import type { CheckOrder, FromCheckProcess, ToCheckProcess } from './check-process-messages.ts';
import type { Piece, RunRemainder } from './pieces.ts';
import { endBy } from './run-check.ts';

export interface PartOfRun extends Omit<CheckOrder, 'ids'> {
  readonly checks: readonly Check[];
  /** Ends it early; what has not begun is reported as blocked. */
  readonly signal: AbortSignal;
}

export class CheckProcess implements Disposable {
  /** It loads its modules while its run gets ready. */
  readonly #child = startModule(siblingModule(import.meta.url, 'check-process'));

  /** @throws ActionableError when it ends before its checks have */
  async run(part: PartOfRun, onPiece: (piece: Piece) => void): Promise<RunRemainder> {
    const { checks, signal, ...order } = part;
    const byId = new Map(checks.map((check) => [check.id, check]));
    const { promise, resolve, reject } = Promise.withResolvers<RunRemainder>();
    const child = this.#child;
    const lost = (code: number | null, by: string | null): void => reject(lostBecause(by ?? `exit code ${code}`));
    child.once('exit', lost);
    if (child.exitCode !== null || child.signalCode !== null) lost(child.exitCode, child.signalCode);
    child.on('message', (message: FromCheckProcess) => {
      if (message.type === 'done') return resolve(message.remainder);
      if (message.type === 'broke') return reject(new Error(message.message));
      const { id, outcome, ...piece } = message.piece;
      const check = byId.get(id);
      if (check) onPiece({ ...piece, outcome: { ...outcome, check } });
    });
    const stop = (): void => {
      const { endedBy = { kind: 'interrupted' } } = endBy(signal);
      this.#say({ type: 'stop', endedBy });
    };
    this.#say({ type: 'begin', order: { ...order, ids: [...byId.keys()] } });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  [Symbol.dispose](): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #say(message: ToCheckProcess): void {
    // A process that is ending takes no messages; its exit is handled above.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}

export class CheckProcesses implements Disposable {
  readonly all: readonly CheckProcess[];

  constructor(count: number) {
    this.all = Array.from({ length: count }, () => new CheckProcess());
  }

  [Symbol.dispose](): void {
    for (const one of this.all) one[Symbol.dispose]();
  }
}

function lostBecause(how: string): ActionableError {
  return new ActionableError(
    'harness',
    `a process that runs checks was lost before its checks were done (${how})`,
    'See its messages above; a machine that runs out of memory kills processes like this. --processes 1 needs less.',
  );
}
