/**
 * Press engine: a worker thread that does one request after the other, within its limits.
 *
 *   ready ─► run ─► worker ─► result, or DocumentError with a message for people
 *                      └─ over its time or memory, or broken by the document: ended, and so is the engine
 *
 * An idle engine keeps no process alive.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { messageOf } from '../../common/error-message.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import { hasGrown, tooMuchMemory, watchLimits, type PressLimits } from './press-limits.ts';
import { DocumentError, type PressReply, type PressRequest, type PressResults } from './press-messages.ts';
import type { Engine } from './press-queue.ts';

export class PressEngine implements Engine {
  /** Its libraries are loaded, or it has failed at that. */
  readonly ready: Promise<unknown>;
  readonly #limits: PressLimits;
  readonly #worker: Worker;
  #isEnded = false;

  /** @param zplRenderer - the module that draws ZPL */
  constructor(limits: PressLimits, zplRenderer: string) {
    this.#limits = limits;
    this.#worker = new Worker(siblingModule(import.meta.url, 'press-worker'), {
      name: 'platen press',
      workerData: zplRenderer,
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    });
    // Without a listener an error between two requests would end the process.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#isEnded = true;
    });
    this.ready = Promise.race([once(this.#worker, 'message'), once(this.#worker, 'exit')])
      .catch(() => undefined)
      .then(() => this.#worker.unref());
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#worker.terminate();
  }

  /** @throws DocumentError */
  async run<Kind extends keyof PressResults>(
    request: PressRequest & { readonly kind: Kind },
  ): Promise<PressResults[Kind]> {
    if (this.#isEnded) throw this.#whyFailed(new Error('the worker ended'));
    this.#worker.ref();
    try {
      const reply = await this.#exchange(request);
      const isSpoilt = reply.kind === 'refused' && reply.isSpoilt;
      if (isSpoilt || (await hasGrown(this.#worker, this.#limits))) await this.end();
      if (reply.kind === 'refused') throw new DocumentError(reply.message);
      return reply.result as PressResults[Kind];
    } finally {
      // One that is being ended keeps the process alive until it has ended.
      if (!this.#isEnded) this.#worker.unref();
    }
  }

  async #exchange(request: PressRequest): Promise<PressReply> {
    const settled = new AbortController();
    const { signal } = settled;
    const ended = once(this.#worker, 'exit', { signal }).then(() => Promise.reject(new Error('the worker ended')));
    const over = watchLimits(this.#worker, this.#limits, signal);
    for (const loser of [ended, over]) loser.catch(() => undefined);
    try {
      this.#worker.postMessage(request, []);
      const [reply] = await Promise.race([once(this.#worker, 'message', { signal }), ended, over]);
      return reply as PressReply;
    } catch (error) {
      await this.end();
      throw this.#whyFailed(error);
    } finally {
      settled.abort();
    }
  }

  #whyFailed(error: unknown): DocumentError {
    if (error instanceof DocumentError) return error;
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return tooMuchMemory(this.#limits.memoryMb);
    }
    return new DocumentError(`the document could not be worked on: ${messageOf(error)}`, { cause: error });
  }
}
