/**
 * Record reader: what a record that came over HTTP says in a line, or why it is none. A thread reads it (record-worker),
 * one record after the other.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { messageOf } from '../../common/error-message.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import type { RunSummaryView } from '../../record/control-types.ts';
import { ApiError } from '../../service/gate/api-error.ts';
import type { PostedRecord, RecordReply } from './record-worker.ts';

const MEMORY_MB = 768;

export class RecordReader {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws ApiError when it is not a record of that run */
  async read(posted: PostedRecord): Promise<RunSummaryView> {
    const turn = this.#last.then(() => this.#ask(posted));
    this.#last = turn.catch(() => undefined);
    const reply = await turn;
    if ('view' in reply) return reply.view;
    throw new ApiError(reply.status, reply.code, reply.message);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #ask(posted: PostedRecord): Promise<RecordReply> {
    this.#worker ??= start();
    this.#worker.postMessage(posted, []);
    try {
      const [reply] = (await once(this.#worker, 'message')) as [RecordReply];
      return reply;
    } catch (error) {
      // It has ended: the next record gets another.
      this.#worker = undefined;
      return { status: 413, code: 'TooLarge', message: `the record cannot be read: ${messageOf(error)}` };
    }
  }
}

function start(): Worker {
  const worker = new Worker(siblingModule(import.meta.url, 'record-worker'), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.unref();
  return worker;
}
