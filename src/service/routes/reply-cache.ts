/**
 * Reply cache: answers to list requests that are repeated while nothing they show has changed.
 *
 * Callers poll lists. What costs in answering is the MD5 of a long body, then putting it together; both
 * are kept until the revision of what is listed moves on.
 */

import { hash } from 'node:crypto';

import type { Reply } from '../request-context.ts';

/** Different requests that are remembered; the oldest goes first. */
const CAPACITY = 1_000;

interface Kept {
  readonly revision: number;
  readonly reply: Reply;
}

export class ReplyCache {
  readonly #kept = new Map<string, Kept>();

  /**
   * @param request - everything the answer depends on but the records: account and request target
   * @param revision - changes with every change of any record
   */
  get(request: string, revision: number, make: () => Reply): Reply {
    const kept = this.#kept.get(request);
    if (kept?.revision !== revision) return this.#keep(request, revision, make());
    if (kept.reply.contentMd5 !== undefined) return kept.reply;
    // Worth its while from the second time on only.
    return this.#keep(request, revision, {
      ...kept.reply,
      contentMd5: hash('md5', kept.reply.json, 'base64'),
    });
  }

  #keep(request: string, revision: number, reply: Reply): Reply {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= CAPACITY && !this.#kept.has(request))
      this.#kept.delete(oldest);
    this.#kept.set(request, { revision, reply });
    return reply;
  }
}
