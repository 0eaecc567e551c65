/**
 * Rate limit, judged from outside: a number of requests a second, with a burst of about another number
 * tolerated.
 *
 *   sent ├──────────┤ received      when within this the service counted a request is not known
 *
 * So nothing is judged by instants. A refusal is wrong if even the fullest window that the times allow is
 * within rate and burst; an acceptance is wrong if even the emptiest is beyond.
 */

/** A request, on the clock of the service as far as it is known. */
export interface CountedRequest {
  readonly sentMs: number;
  readonly receivedMs: number;
  /** Answered with 429. */
  readonly isRefused: boolean;
}

export interface RateRule {
  readonly perSecond: number;
  /** `about 30` is a range: fewer than the least must not be refused, more than the most must. */
  readonly burstLeast: number;
  readonly burstMost: number;
}

/** The first request that was refused although rate and burst allow it; or undefined. */
export function findWrongRefusal<Request extends CountedRequest>(
  requests: readonly Request[],
  rule: RateRule,
): Request | undefined {
  return requests.find((request) => request.isRefused && !mayBeRefused(request, requests, rule));
}

/** Whether there is a window up to this request that may have held more than is allowed in its length. */
function mayBeRefused(
  refused: CountedRequest,
  requests: readonly CountedRequest[],
  { perSecond, burstLeast }: RateRule,
): boolean {
  const before = requests.filter(({ sentMs }) => sentMs <= refused.receivedMs);
  return before.some((first) => {
    const count = before.filter(({ receivedMs }) => receivedMs >= first.receivedMs).length;
    const seconds = Math.max(0, refused.sentMs - first.receivedMs) / 1_000;
    return count > burstLeast + perSecond * seconds;
  });
}

export interface Window {
  readonly accepted: number;
  readonly seconds: number;
}

/** A window in which more was accepted than rate and burst allow; or undefined. */
export function findExcess(
  requests: readonly CountedRequest[],
  { perSecond, burstMost }: RateRule,
): Window | undefined {
  const accepted = requests.filter(({ isRefused }) => !isRefused);
  for (const first of accepted) {
    for (const last of accepted) {
      const seconds = (last.receivedMs - first.sentMs) / 1_000;
      if (seconds < 0) continue;
      const inside = accepted.filter(
        ({ sentMs, receivedMs }) => sentMs >= first.sentMs && receivedMs <= last.receivedMs,
      ).length;
      if (inside > burstMost + perSecond * seconds) return { accepted: inside, seconds };
    }
  }
  return undefined;
}

/** What was measured under sustained excess: what got through at once, and how many a second after that. */
export function measureRate(requests: readonly CountedRequest[]): {
  readonly burst: number;
  readonly perSecond: number;
} {
  const [first, last] = [requests[0], requests.at(-1)];
  if (!first || !last) return { burst: 0, perSecond: 0 };
  const refusedMs = requests.find(({ isRefused }) => isRefused)?.sentMs ?? first.sentMs;
  const accepted = requests.filter(({ isRefused }) => !isRefused);
  const later = accepted.filter(({ sentMs }) => sentMs > refusedMs);
  const seconds = (last.receivedMs - refusedMs) / 1_000;
  const perSecond = seconds > 0 ? later.length / seconds : 0;
  const refilled = (perSecond * (refusedMs - first.sentMs)) / 1_000;
  return { burst: Math.round(accepted.length - later.length - refilled), perSecond };
}
