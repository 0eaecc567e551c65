/**
 * Clock: the only source of time in the program.
 *
 * Everything that needs to know the time or to wait is given a Clock. `systemClock` is real time;
 * a `VirtualClock` (virtual-clock.ts) stands still until it is advanced, so that fourteen days pass in a
 * millisecond.
 *
 * Four kinds of waiting:
 *   schedule  a task once, after a delay
 *   beat      housekeeping at an interval; a jump over many intervals fires it twice
 *   hold      work in progress in real time (a request on a socket, a worker): a virtual
 *             clock does not move on until the hold is released or its patience is over
 *   stall     a peer that lets others wait on purpose: what is held for it need not be waited for long
 */

/** A scheduled task that can still be cancelled. */
export interface Timer {
  cancel(): void;
}

/** Real work in progress that virtual time must wait for. Releasing twice does nothing. */
export interface Hold {
  release(): void;
}

export interface Clock {
  readonly isVirtual: boolean;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Runs `task` once, `delayMs` from now (at once when it is not positive). */
  schedule(delayMs: number, task: () => void): Timer;
  /** Runs `task` every `intervalMs`, for housekeeping: it keeps no process alive and needs no exact count. */
  beat(intervalMs: number, task: () => void): Timer;
  /**
   * Announces real work. `what` names it for diagnosis; after `patienceMs` of real time without any
   * progress anywhere, a virtual clock goes on without it (a receiver that hangs on purpose).
   *
   * @param peer - host and port of whom the work waits for, where that may be a peer that stalls
   */
  hold(what: string, patienceMs?: number, peer?: string): Hold;
  /** Announces that this peer answers late or never, on purpose, until the hold is released. */
  stall(peer: string): Hold;
}

/** The longest delay that setTimeout takes; a longer one would fire at once. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

const NO_HOLD: Hold = { release: () => undefined };

/** Real time. */
export const systemClock: Clock = {
  isVirtual: false,
  now: () => Date.now(),
  schedule(delayMs, task) {
    const dueMs = Date.now() + delayMs;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const leftMs = dueMs - Date.now();
      handle =
        leftMs > LONGEST_TIMEOUT_MS ? setTimeout(arm, LONGEST_TIMEOUT_MS) : setTimeout(task, Math.max(0, leftMs));
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
  beat(intervalMs, task) {
    const handle = setInterval(task, intervalMs).unref();
    return { cancel: () => clearInterval(handle) };
  },
  hold: () => NO_HOLD,
  stall: () => NO_HOLD,
};

/**
 * Resolves `delayMs` from now on this clock.
 *
 * @throws the signal's reason when `signal` aborts first
 */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Passes everything on to another clock. */
export class ForwardingClock implements Clock {
  readonly #to: () => Clock;

  constructor(to: () => Clock) {
    this.#to = to;
  }

  get isVirtual(): boolean {
    return this.#to().isVirtual;
  }

  now(): number {
    return this.#to().now();
  }

  schedule(delayMs: number, task: () => void): Timer {
    return this.#to().schedule(delayMs, task);
  }

  beat(intervalMs: number, task: () => void): Timer {
    return this.#to().beat(intervalMs, task);
  }

  hold(what: string, patienceMs?: number, peer?: string): Hold {
    return this.#to().hold(what, patienceMs, peer);
  }

  stall(peer: string): Hold {
    return this.#to().stall(peer);
  }
}

/** Runs `work` under a hold, so that virtual time waits for it. */
export async function holding<T>(clock: Clock, what: string, work: () => Promise<T>, patienceMs?: number): Promise<T> {
  const hold = clock.hold(what, patienceMs);
  try {
    return await work();
  } finally {
    hold.release();
  }
}
