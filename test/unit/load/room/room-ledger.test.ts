import { describe, expect, it } from 'vitest';

import type { DeliveredJob } from '../../../../src/link/device-link.ts';
import { jobMarks } from '../../../../src/load/plan/job-mark.ts';
import { RoomLedger } from '../../../../src/load/room/room-ledger.ts';
import { Ledger } from '../../../../src/oracle/ledger.ts';

const PRINTER = { key: 'laser', name: 'Laser' };

function untitled(jobId: number): DeliveredJob {
  const unknown = { source: null, authentication: null, createTimestamp: '', expireAt: null };
  const document = { contentType: 'raw_base64', content: '', options: {}, qty: 1 } as const;
  return { jobId, printerKey: PRINTER.key, title: '', ...document, ...unknown };
}

function roomWith(ledger: Ledger): RoomLedger {
  return new RoomLedger({
    ledger,
    marks: jobMarks('3fa9c1d2', { index: 0 }),
    printerNumber: () => 0,
    expected: () => ({ sha256: '', options: {} }),
    nowUs: () => 1_000,
  });
}

describe('the ledger of a room', () => {
  it('knows a job without a title by the answer to its submission, and keeps the newest 10,000 others', () => {
    const ledger = new Ledger();
    const room = roomWith(ledger);
    const [early, late] = [0, 1].map(() =>
      ledger.intend({ intendedUs: 0, account: 0, printer: 0, document: 0, copies: 1 }),
    );
    for (let jobId = 1; jobId <= 10_001; jobId++) room.delivered(untitled(jobId), PRINTER);
    room.accepted(early ?? -1, 1);
    expect(ledger.progress.delivered).toBe(0);
    room.accepted(late ?? -1, 2);
    expect(ledger.progress.delivered).toBe(1);
  });
});
