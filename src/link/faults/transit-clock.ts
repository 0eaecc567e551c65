/**
 * Transit clock: the clock of one session whose frames may be late on purpose.
 *
 * A session holds virtual time until its report is acknowledged. While a frame waits for a time on that same
 * clock, holding time would be a deadlock: so the holds rest meanwhile.
 */

import { ForwardingClock, type Clock, type Hold } from '../../common/clock.ts';

interface RestingHold {
  readonly take: () => Hold;
  inner: Hold | undefined;
}

export class TransitClock extends ForwardingClock {
  readonly #holds = new Set<RestingHold>();
  #underWay = 0;

  constructor(clock: Clock) {
    super(() => clock);
  }

  override hold(what: string, patienceMs?: number, peer?: string): Hold {
    const take = (): Hold => super.hold(what, patienceMs, peer);
    const hold: RestingHold = { take, inner: this.#underWay > 0 ? undefined : take() };
    this.#holds.add(hold);
    return {
      release: () => {
        this.#holds.delete(hold);
        hold.inner?.release();
      },
    };
  }

  /** Something is late on purpose from now on. */
  depart(): void {
    if (this.#underWay++ > 0) return;
    for (const hold of this.#holds) {
      hold.inner?.release();
      hold.inner = undefined;
    }
  }

  arrive(): void {
    if (--this.#underWay > 0) return;
    for (const hold of this.#holds) hold.inner = hold.take();
  }
}
