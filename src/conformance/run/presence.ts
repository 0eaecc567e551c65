/**
 * Presence: whether anything listens at the address of the target. Nothing has happened yet to a request that was
 * refused there, so it waits while a service restarts, and is sent again.
 *
 *   refused ─► GET /ping until it is answered ─┬─► sent again
 *                                              └─► nothing listens any more: the target is gone, and the run over
 */

import type { Duration } from '../../common/duration.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import { eventually, WaitExpired } from '../../common/waiter.ts';
import type { Target } from '../../targets/target.ts';
import type { HttpSender } from '../../wire/http-exchange.ts';
import { CheckEnded } from '../context/check-ended.ts';

export interface Presence {
  /** A sender for this check, which sends once more what was refused. */
  patient(sender: HttpSender, checkId: string): HttpSender;
  /** Aborted when the target is gone; the reason is how checks end that are under way. */
  readonly gone: AbortSignal;
  /** The check during which the target went away. */
  readonly lostIn: string | undefined;
}

export interface PresenceOptions {
  readonly target: Pick<Target, 'baseUrl'>;
  readonly sender: HttpSender;
  /** How long a restart may take, in real time. */
  readonly restartLimit: Duration;
}

export function createPresence({ target: { baseUrl }, sender, restartLimit }: PresenceOptions): Presence {
  const gone = new AbortController();
  let lostIn: string | undefined;
  let looking: Promise<void> | undefined;

  const listens = async (): Promise<true | undefined> => {
    const outcome = await sender.send({ method: 'GET', baseUrl, path: '/ping', headers: [] });
    return outcome.ok || outcome.error.kind !== 'refused' ? true : undefined;
  };
  const look = async (checkId: string): Promise<void> => {
    try {
      const description = 'the target to be there again';
      await eventually({
        description,
        limit: restartLimit,
        every: '250ms',
        timekeeper: realTimekeeper,
        probe: listens,
      });
    } catch (error) {
      if (!(error instanceof WaitExpired)) throw error;
      lostIn = checkId;
      gone.abort(new CheckEnded('blocked', { kind: 'went-away', name: checkId }));
    }
  };
  return {
    gone: gone.signal,
    get lostIn() {
      return lostIn;
    },
    patient: (impatient, checkId) => ({
      ...impatient,
      async send(request) {
        const outcome = await impatient.send(request);
        if (outcome.ok || outcome.error.kind !== 'refused' || gone.signal.aborted) return outcome;
        looking ??= look(checkId).finally(() => (looking = undefined));
        await looking;
        return gone.signal.aborted ? outcome : impatient.send(request);
      },
    }),
  };
}
