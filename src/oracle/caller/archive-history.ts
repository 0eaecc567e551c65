/**
 * Archive history: what a caller did, from an HTTP archive. What became of the paper is not in it.
 */

import { placeOfRequest, type CallerHistory, type SeenRequest } from '../../record/caller-history.ts';
import type { ArchivedExchange } from '../../record/http-archive.ts';

type Headers = Readonly<Record<string, string>>;

export function historyOfArchive(exchanges: readonly ArchivedExchange[]): CallerHistory {
  const counts = new Map<string, number>();
  const connections = new Map<string, number>();
  const startMs = exchanges[0]?.sentMs ?? 0;
  const requests = exchanges.map(({ sentMs, receivedMs, connection = '', request, response }): SeenRequest => {
    const { pathname, search } = new URL(request.url);
    const place = placeOfRequest(request.method, pathname);
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    const number = connections.get(connection);
    if (number === undefined) connections.set(connection, connections.size + 1);
    return {
      place,
      nth,
      target: pathname + search,
      headers: lowered(request.headers),
      body: request.body ?? Buffer.alloc(0),
      connection: number ?? connections.size,
      isKept: number !== undefined,
      sentMs: sentMs - startMs,
      answer: response
        ? {
            status: response.status,
            headers: lowered(response.headers),
            body: response.body?.toString() ?? '',
            atMs: receivedMs - startMs,
          }
        : null,
      got: response?.status ?? null,
      isHit: false,
      jobId: null,
    };
  });
  return { requests, deliveries: [], jobs: [], isReached: true };
}

function lowered(pairs: ArchivedExchange['request']['headers']): Headers {
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}
