import { expect, it } from 'vitest';

import { historyOfArchive } from '../../../../src/oracle/caller/archive-history.ts';
import { trafficBreaks } from '../../../../src/oracle/caller/traffic-rules.ts';
import type { ArchivedExchange } from '../../../../src/record/http-archive.ts';

function submitted(sentMs: number, connection: string, status: number | undefined): ArchivedExchange {
  const body = Buffer.from('{"printerId":1,"title":"Label 1"}');
  return {
    sentMs,
    receivedMs: sentMs + 5,
    connection,
    request: { method: 'POST', url: 'https://print.example/printjobs', headers: [['X-Other', '1']], body },
    response: status === undefined ? undefined : { status, headers: [], body: undefined },
  };
}

it('judges a caller by what was recorded', () => {
  const history = historyOfArchive([submitted(1_000, '7', undefined), submitted(1_060, '9', 201)]);
  expect(
    history.requests.map(({ place, nth, connection, got, sentMs }) => [place, nth, connection, got, sentMs]),
  ).toEqual([
    ['POST /printjobs', 1, 1, null, 0],
    ['POST /printjobs', 2, 2, 201, 60],
  ]);
  const unknown = { said: undefined, usual: () => 1, hasMissedPage: false };
  expect(trafficBreaks(history, unknown).map(({ clause }) => clause)).toEqual(['print-jobs/caller-sends-key']);
});
