/** A program of a pipeline: what it starts ends with it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { KeptPiece } from '../../../src/pipeline/kept-piece.ts';
import { markedProcesses } from '../../../src/targets/marked-processes.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-piece-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(process.platform === 'linux')('a program that starts another in a session of its own', () => {
  it('is killed with it', async () => {
    const command = 'setsid sleep 600 & echo up; wait';
    const piece = new KeptPiece('agent', { command, ready: 'up' }, folder, folder);
    await piece.start();
    expect(piece.isUp).toBe(true);
    expect(markedProcesses(folder).length).toBeGreaterThan(1);
    await piece.kill();
    // The system takes a moment to end it.
    await vi.waitFor(() => expect(markedProcesses(folder)).toEqual([]));
  });
});
