/**
 * What a small load run found, to be judged, merged and shown in tests.
 */

import { Recorder } from '../../src/load/measure/recorder.ts';
import { Ledger } from '../../src/oracle/ledger.ts';
import { WebhookAccount } from '../../src/oracle/webhook-account.ts';
import type { LoadFacts } from '../../src/record/load-record.ts';

const SELF = { cpu: 0.5, rssBytes: 1e8, eventLoopDelayP99Us: 1_200 };

/** A hundred submissions, 3 of them not accepted; 96 jobs printed, 1 lost. */
export function loadFacts(changes: Partial<LoadFacts> = {}): LoadFacts {
  return factsOf(ledgerOfRun(96), changes);
}

/** The same with every accepted job printed. */
export function soundLoadFacts(changes: Partial<LoadFacts> = {}): LoadFacts {
  return factsOf(ledgerOfRun(97), changes);
}

export function ledgerOfRun(printed: number, firstJobId = 1_000): Ledger {
  const ledger = new Ledger();
  for (let job = 0; job < 100; job++) {
    const row = ledger.intend({
      intendedUs: job * 10_000,
      account: job % 4,
      printer: job % 4,
      document: 0,
      copies: 1,
    });
    ledger.sent(row, job * 10_000 + 300);
    if (job >= 97) ledger.refused(row);
    else ledger.accepted(row, firstJobId + job, job * 10_000 + 5_000);
    if (job < printed) {
      const paper = { printer: job % 4, documentMatches: true, copies: 1, optionsMatch: true, titleMatches: true };
      ledger.printed(row, paper, job * 10_000 + 8_000);
      ledger.reported(row, 'done', job * 10_000 + 9_000);
    }
  }
  ledger.drained();
  return ledger;
}

function factsOf(ledger: Ledger, changes: Partial<LoadFacts>): LoadFacts {
  const recorder = new Recorder({ streams: ['invoices', 'looks'], accounts: 4 });
  for (let request = 1; request <= 100; request++) {
    const outcome = request <= 99 ? 'ok' : 'timeout';
    recorder.ended(0, request % 4, outcome, outcome === 'ok' ? 201 : 0, 0, 300, 400, request * 1_000);
    recorder.phase('paper', 3_000, 0);
  }
  recorder.closeSecond(1_000_000, ledger.progress, SELF);
  const { lateness, ...recording } = recorder.toRecording();
  const webhooks = new WebhookAccount({ lateAfterUs: 6_000_000 });
  webhooks.mustCome(0, 'done', 1_000);
  webhooks.received(0, 'done', { atUs: 2_000, isAnsweredWell: true, hasRightSecret: true });
  return {
    tool: 'platen',
    recordVersion: 1,
    platenVersion: '1.2.3',
    kind: 'load',
    runId: 'load-20260101T080000Z-1f',
    startedAt: '2026-01-01T08:00:00.000Z',
    durationMs: 10_000,
    plan: {
      hash: '0123456789abcdef',
      seed: 7,
      title: 'Morning rush',
      why: 'Does the first hour of a working day go through?',
      shards: 1,
      present: [1],
      thresholds: [],
    },
    disasters: [],
    target: { name: 'reference service', baseUrl: null },
    machine: { cpus: 2, node: 'v24.0.0', platform: 'linux' },
    ending: 'complete',
    abortedBy: null,
    ...recording,
    fairness: {
      jainIndex: 1,
      accounts: [0, 1, 2, 3].map((account) => ({ account, asked: 25, served: 25, meanResponseUs: 50_000 })),
    },
    ledger: { totals: ledger.totals(), samples: ledger.sample('lost', 5) },
    webhooks: webhooks.totals({
      receivedEvents: 1,
      droppedEvents: 0,
      successfulRequests: 1,
      failedRequests: 0,
    }),
    responses: { judged: 100, broken: [] },
    settlement: { wereAccepted: 0, submittedAgain: 0, refused: 3, open: 0 },
    leaks: { accounts: [] },
    self: {
      lateness,
      ...SELF,
      floor: { responseP50Us: 400, responseP99Us: 1_500, latenessP99Us: 900, requestsPerSecond: 12_000 },
    },
    ...changes,
  };
}
