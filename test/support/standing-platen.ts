/**
 * Standing platen: the command line in a process that stays, since one of its own takes half a second before it begins.
 *
 *   a call ─► a process that is idle, or a new one ─► main(argv) ─► its code, and what was written up to the mark
 */

import { fork, type ChildProcess } from 'node:child_process';

import { within } from '../../src/common/waiter.ts';

export interface StandingCall {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends what the call writes, on both streams. */
  readonly mark: string;
}

export interface StandingAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What calls leave behind adds up: then a new one takes over. */
const MOST_CALLS = 100;

const idle: StandingProcess[] = [];
let calls = 0;

export async function callStanding(call: Omit<StandingCall, 'mark'>, limit: string): Promise<StandingAnswer> {
  const standing = idle.pop() ?? new StandingProcess();
  const answered = standing.call({ ...call, mark: `\0end of call ${++calls}\0` });
  try {
    const answer = await within(answered, { description: `the end of platen ${call.argv.join(' ')}`, limit });
    if (standing.isUsable) idle.push(standing);
    else standing.end();
    return answer;
  } catch (error) {
    standing.end();
    throw error;
  }
}

class StandingProcess {
  readonly #child: ChildProcess;
  #calls = 0;
  readonly #ended: Promise<number | null>;
  #hasEnded = false;

  constructor() {
    this.#child = fork(new URL('standing-platen-process.ts', import.meta.url), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => {
        this.#hasEnded = true;
        resolve(code);
      });
    });
  }

  get isUsable(): boolean {
    return !this.#hasEnded && this.#calls < MOST_CALLS;
  }

  async call(call: StandingCall): Promise<StandingAnswer> {
    this.#calls++;
    this.#hold(true);
    const returned = new Promise<number>((resolve) => {
      this.#child.once('message', resolve as (code: unknown) => void);
    });
    const texts = [this.#child.stdout, this.#child.stderr].map((stream) => textUntil(stream, call.mark));
    this.#child.send(call);
    const [stdout = '', stderr = ''] = await Promise.all(texts);
    const answer = { code: await Promise.race([returned, this.#ended]), stdout, stderr };
    this.#child.removeAllListeners('message');
    this.#hold(false);
    return answer;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  /** One that is idle must not keep the process of the tests. */
  #hold(isBusy: boolean): void {
    const streams = [this.#child.stdout, this.#child.stderr] as unknown as readonly { ref(): void; unref(): void }[];
    for (const held of [this.#child, ...streams, this.#child.channel]) {
      if (isBusy) held?.ref();
      else held?.unref();
    }
  }
}

/** What comes before the mark, or before the end of the stream. */
function textUntil(stream: ChildProcess['stdout'], mark: string): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const finish = (text: string): void => {
      stream?.off('data', take).off('end', end);
      resolve(text);
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      // The mark may have come in pieces.
      const last = Buffer.concat(chunks.slice(-3)).toString('latin1');
      if (!last.endsWith(mark)) return;
      finish(Buffer.concat(chunks).toString('utf8').slice(0, -mark.length));
    };
    const end = (): void => finish(Buffer.concat(chunks).toString('utf8'));
    stream?.on('data', take).once('end', end);
  });
}
