/**
 * Record reader: what a record that came over HTTP says in a line, or what is wrong with it. A thread reads it
 * (record-worker.ts), one record after the other.
 */

import { Worker } from 'node:worker_threads';

import { siblingModule } from '../../common/sibling-module.ts';
import type { RunSummaryView } from '../../record/control-types.ts';
import { ApiError } from '../../service/gate/api-error.ts';
import type { PostedRecord, RecordReply } from './record-worker.ts';

const MEMORY_MB = 768;
const UNREADABLE = { status: 413, code: 'TooLarge', message: `the record takes more than ${MEMORY_MB} MB to read` };

interface Reading {
  readonly worker: Worker;
  /** Resolves when the thread has ended before its answer. */
  readonly ended: Promise<RecordReply>;
}

export class RecordReader {
  #reading: Reading | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws ApiError when it is not a record of that run */
  async read(posted: PostedRecord): Promise<RunSummaryView> {
    const turn = this.#last.then(() => this.#ask(posted));
    this.#last = turn;
    const reply = await turn;
    if ('view' in reply) return reply.view;
    throw new ApiError(reply.status, reply.code, reply.message);
  }

  async close(): Promise<void> {
    await this.#reading?.worker.terminate();
  }

  #ask(posted: PostedRecord): Promise<RecordReply> {
    const { worker, ended } = (this.#reading ??= this.#start());
    const answered = new Promise<RecordReply>((resolve) => void worker.once('message', resolve));
    worker.postMessage(posted, []);
    return Promise.race([answered, ended]);
  }

  #start(): Reading {
    const worker = new Worker(siblingModule(import.meta.url, 'record-worker'), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.unref();
    // What is out of memory ends with an error, and the next record gets another thread.
    worker.on('error', () => undefined);
    const ended = new Promise<RecordReply>((resolve) => {
      worker.once('exit', () => {
        this.#reading = undefined;
        resolve(UNREADABLE);
      });
    });
    return { worker, ended };
  }
}
