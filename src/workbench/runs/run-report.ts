/**
 * Run reports: a record as a document to read or to hand on. The command line makes it, as it does elsewhere: a report
 * of a thousand failures takes its time, and nothing else waits for it. Few are made at once, and the same one is made
 * once for all who ask for it meanwhile.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { durationMs, type Duration } from '../../common/duration.ts';
import { ApiError } from '../../service/gate/api-error.ts';
import type { StoredRecord } from './report-folder.ts';
import { PROGRAM } from './run-process.ts';

export type ReportForm = 'html' | 'pdf';

interface ReportLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** For making one. */
  readonly time: Duration;
}

const LIMITS: ReportLimits = { atOnce: 2, waiting: 4, time: '60s' };

export class RunReports {
  readonly #limits: ReportLimits;
  readonly #underWay = new Map<string, Promise<Uint8Array>>();
  readonly #waiting: (() => void)[] = [];
  readonly #closing = new AbortController();
  #making = 0;

  constructor(limits: ReportLimits = LIMITS) {
    this.#limits = limits;
  }

  /** @throws ApiError when too many are wanted at once, or it takes too long */
  of(record: StoredRecord, form: ReportForm): Promise<Uint8Array> {
    const key = `${form} ${record.version}`;
    const known = this.#underWay.get(key);
    if (known) return known;
    const made = this.#inTurn(async () => this.#make(await record.read(), form)).finally(() =>
      this.#underWay.delete(key),
    );
    this.#underWay.set(key, made);
    return made;
  }

  /** Ends those that are being made. */
  close(): void {
    this.#closing.abort();
  }

  async #inTurn(make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const { atOnce, waiting } = this.#limits;
    if (this.#making >= atOnce) {
      if (this.#waiting.length >= waiting) throw busy(this.#making + waiting);
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    } else this.#making++;
    try {
      return await make();
    } finally {
      // The place goes to the next in line.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#making--;
    }
  }

  async #make(record: Uint8Array, form: ReportForm): Promise<Uint8Array> {
    const folder = await mkdtemp(path.join(tmpdir(), 'platen-report-'));
    try {
      const file = path.join(folder, 'run.json');
      await writeFile(file, record);
      const problem = await this.#render([file, '-r', form, '--out', folder]);
      return await readFile(path.join(folder, `report.${form}`)).catch(() => {
        throw new Error(`no report could be made of this run: ${problem}`);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @returns what went wrong, where something did: the exit code is that of the run */
  async #render(argv: readonly string[]): Promise<string> {
    const { time } = this.#limits;
    const options = { timeout: durationMs(time), killSignal: 'SIGKILL', signal: this.#closing.signal } as const;
    const making = promisify(execFile)(process.execPath, [PROGRAM, 'report', ...argv], options);
    const { stderr, killed } = await making.then(
      (ended) => ({ ...ended, killed: false }),
      (error: unknown) => error as { readonly stderr: string; readonly killed: boolean },
    );
    if (killed) throw new ApiError(503, 'TookTooLong', `the report was not made within ${time}: it was given up`);
    return stderr;
  }
}

function busy(wanted: number): ApiError {
  return new ApiError(503, 'Busy', `${wanted} reports are being made already: ask again when they are done`);
}
