/**
 * Device lists: pages of computers or printers as JSON arrays, with their Records-* headers.
 *
 * Callers poll these lists. Most of the cost of an answer is the MD5 of a long body, then making and encoding the
 * body: all of that is kept until a computer or printer changes.
 */

import { hash } from 'node:crypto';

import { RecentMap } from '../../common/recent-map.ts';
import { list, type EncodedBody, type ListReply, type Reply, type RequestContext } from '../gate/request-context.ts';
import type { ServiceState } from '../service-state.ts';
import { cutPage } from '../store/page.ts';

/** Replies that are kept, in characters; those kept longest go first. */
const MOST_CHARACTERS = 4_000_000;
/** What a short one is counted as. */
const LEAST_CHARACTERS = 2_000;

interface Kept {
  readonly revision: number;
  readonly reply: Reply;
}

/** All records of an account that a request may list, by ascending id. */
type Select<T> = (state: ServiceState, context: RequestContext) => readonly T[];

export class DeviceLists<T extends { readonly id: number }> {
  readonly #state: ServiceState;
  readonly #select: Select<T>;
  readonly #render: (record: T) => string;
  readonly #kept = new RecentMap<string, Kept>(MOST_CHARACTERS, ({ reply }) =>
    Math.max(LEAST_CHARACTERS, reply.json.length),
  );

  constructor(state: ServiceState, select: Select<T>, render: (record: T) => string) {
    this.#state = state;
    this.#select = select;
    this.#render = render;
  }

  reply(context: RequestContext): Reply | ListReply {
    const request = `${context.account.id} ${context.target}`;
    const revision = this.#state.deviceRevision.value;
    const kept = this.#kept.get(request);
    if (kept?.revision !== revision) {
      const made = this.#make(context);
      return 'records' in made ? made : this.#keep(request, revision, made);
    }
    if (kept.reply.encoded) return kept.reply;
    // Encoded at the second request: many lists are asked for once.
    return this.#keep(request, revision, { ...kept.reply, encoded: encode(kept.reply.json) });
  }

  #make(context: RequestContext): Reply | ListReply {
    const { rules, choices } = this.#state;
    const page = rules.parsePage(context.query, choices.limitMaximum);
    const result = cutPage(this.#select(this.#state, context), page);
    const records = result.items.map((item) => [this.#render(item)]);
    return list(records, rules.pageHeaders(page, result));
  }

  #keep(request: string, revision: number, reply: Reply): Reply {
    this.#kept.set(request, { revision, reply });
    return reply;
  }
}

function encode(json: string): EncodedBody {
  return { bytes: Buffer.from(json), md5: hash('md5', json, 'base64') };
}
