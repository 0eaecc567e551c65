/**
 * Run process: a run that was started on the page, in a process of its own. What it is to run goes to it over the
 * channel between the two, and so does what comes of it.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { systemClock, type Timer } from '../../common/clock.ts';
import type { RunSummaryView } from '../../record/control-types.ts';
import { STARTED_RUN } from '../defaults.ts';
import type { RunNews, RunOrder } from './run-order.ts';

/** Its record so far, or the whole of it. */
export interface RunReport {
  readonly view: RunSummaryView;
  /** As JSON. */
  readonly record: string;
}

interface Heard {
  readonly report: (report: RunReport) => void;
  /** On its output. */
  readonly line: (line: string) => void;
  readonly end: (exitCode: number, problem?: string) => void;
}

/** What Node runs as `platen`. */
export const PROGRAM = fileURLToPath(new URL('../../../bin/platen.js', import.meta.url));
/** What Node needs; keys and tokens of the workbench's own are not among it. */
const PASSED_ON = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'NODE_EXTRA_CA_CERTS'];
const BROKE = 70;
/** For a run that was asked twice to stop, and does not heed it. */
const PATIENCE_MS = 3_000;

export class RunProcess {
  readonly #child: ChildProcess;
  #stops = 0;
  #patience: Timer | undefined;

  /** @param caFile - certificates to trust, beside those that processes trust anyway */
  constructor(order: RunOrder, caFile: string | undefined, heard: Heard) {
    this.#child = fork(PROGRAM, [STARTED_RUN], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: environment(caFile) });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      if (output) createInterface({ input: output }).on('line', heard.line);
    }
    this.#child.on('message', heard.report);
    this.#child.once('error', ({ message }) => heard.end(BROKE, message));
    this.#child.once('close', (code) => {
      this.#patience?.cancel();
      heard.end(code ?? BROKE);
    });
    this.tell({ order });
  }

  tell(news: RunNews): void {
    // One that ends at this moment hears nothing any more.
    if (this.#child.connected) this.#child.send(news, () => undefined);
  }

  /** In good order; asked again, at once. */
  stop(): void {
    this.tell({ stop: true });
    if (++this.#stops === 2) this.#patience = systemClock.schedule(PATIENCE_MS, () => this.kill());
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

function environment(caFile: string | undefined): NodeJS.ProcessEnv {
  const passedOn = PASSED_ON.map((name) => [name, process.env[name]] as const);
  return {
    ...Object.fromEntries(passedOn.filter(([, value]) => value !== undefined)),
    NO_COLOR: '1',
    PLATEN_CA: caFile ?? process.env['PLATEN_CA'],
  };
}
