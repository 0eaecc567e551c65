/**
 * Kept piece: a program of a pipeline, started with its command, waited for until it is ready, killed and started
 * again. It leaves no process behind, however platen ends.
 */

import { connect } from 'node:net';

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { eventually, WaitExpired } from '../common/waiter.ts';
import { GuardedChild } from '../targets/guarded-child.ts';
import { killMarked, MARK } from '../targets/marked-processes.ts';
import type { Piece } from './pipeline-file.ts';

const START_LIMIT = '20s';
const LOOK_EVERY_MS = 20;
const SHOWN_LINES = 8;

export class KeptPiece {
  readonly name: string;
  readonly #piece: Piece;
  readonly #cwd: string;
  readonly #mark: string;
  #child: GuardedChild | undefined;

  /**
   * @param piece - with everything filled in
   * @param mark - by which its processes are found, also those that left its group
   */
  constructor(name: string, piece: Piece, cwd: string, mark: string) {
    this.name = name;
    this.#piece = piece;
    this.#cwd = cwd;
    this.#mark = mark;
  }

  get isUp(): boolean {
    return this.#child !== undefined && this.#child.end === undefined;
  }

  /** The last lines that it printed, and how it ended. */
  get lines(): readonly string[] {
    const { lines = [], end } = this.#child ?? {};
    return [...lines.slice(-SHOWN_LINES), ...(end === undefined ? [] : [end])].map(
      (one) => `${this.name} | ${one.trimEnd()}`,
    );
  }

  /** Does nothing when it is up. @throws ActionableError when it does not come up */
  async start(): Promise<void> {
    if (this.isUp) return;
    const { command, environment = {} } = this.#piece;
    await this.#child?.exited;
    this.#child = new GuardedChild({
      command: ['sh', '-c', command],
      environment: { ...process.env, ...environment, [MARK]: this.#mark },
      cwd: this.#cwd,
    });
    await this.#untilReady();
  }

  /** Ends it as a crash does, with all that it has started. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#child?.exited;
    killMarked(this.#mark);
  }

  #hasPrinted(text: string): true | undefined {
    return this.#child?.lines.some((line) => line.includes(text)) || undefined;
  }

  async #untilReady(): Promise<void> {
    const { ready } = this.#piece;
    if (ready === undefined) return;
    const isAddress = ready.includes('://');
    try {
      await eventually({
        description: `'${this.name}' to ${isAddress ? `take connections at ${ready}` : `print '${ready}'`}`,
        limit: START_LIMIT,
        every: LOOK_EVERY_MS,
        timekeeper: realTimekeeper,
        probe: async () => {
          if (!this.isUp) throw new WaitExpired(`'${this.name}'`, 0);
          return isAddress ? takesConnections(ready) : this.#hasPrinted(ready);
        },
      });
    } catch (error) {
      if (!(error instanceof WaitExpired)) throw error;
      const why = this.isUp ? error.message : `'${this.name}' did not stay up`;
      throw new ActionableError('unreachable', [why, ...this.lines], `Try its command alone: ${this.#piece.command}`);
    }
  }
}

async function takesConnections(address: string): Promise<true | undefined> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  const isTaken = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    systemClock.schedule(1_000, () => resolve(false));
  });
  socket.destroy();
  return isTaken || undefined;
}
