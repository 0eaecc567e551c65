/**
 * Submissions: the bodies of POST /printjobs. The part that all jobs of a stream share is prepared as bytes; each
 * job adds its title, printer and numbers in front.
 *
 *   {"title":"platen 4711 1 3fa9c1","printerId":12,"qty":1,…,   "contentType":"pdf_base64","content":"JVBERi0…"}
 *   └──────────────── made for the job ─────────────────────┘   └───────────── made once ─────────────────┘
 *
 * The title marks the job: paper, states and webhooks find its row in the ledger by it.
 */

import { drawBelow } from '../plan/draws.ts';
import { jobMarks, type JobMarks } from '../plan/job-mark.ts';
import type { Arrival, LoadPlan, Shard } from '../plan/load-plan.ts';
import type { WeightedOperation } from '../plan/load-scenario.ts';
import type { PreparedDocument } from './documents.ts';
import type { AccountPrinter } from './load-account.ts';

export interface JobChoices {
  /** Its printer, by its place among those of its account. */
  readonly printer: number;
  readonly copies: number;
  readonly qty: number;
}

interface SubmissionKind extends WeightedOperation {
  readonly isPdf: boolean;
  /** From the content type to the closing brace. */
  readonly tail: Buffer;
}

export class Submissions {
  /** By stream, then by operation; undefined where it submits nothing. */
  readonly #kinds: readonly (readonly (SubmissionKind | undefined)[])[];
  readonly #marks: JobMarks;

  /** @param uriOf - where a document that travels by address is hosted */
  constructor(
    plan: LoadPlan,
    shard: Shard,
    documents: readonly PreparedDocument[],
    uriOf: (document: PreparedDocument) => string,
  ) {
    const tails = documents.map((document) => tailOf(document, uriOf));
    this.#kinds = plan.streams.map(({ operations }) =>
      operations.map((operation) => {
        const document = documents[operation.document];
        const tail = tails[operation.document];
        if (operation.name !== 'submit' || document === undefined || tail === undefined) return undefined;
        return { ...operation, isPdf: document.language === 'pdf', tail };
      }),
    );
    this.#marks = jobMarks(plan.hash, shard);
  }

  /** The document of a submission, by its place in the scenario. */
  documentOf(stream: number, operation: number): number {
    return this.#kind(stream, operation).document;
  }

  /** The choices that the 32 bits of an arrival stand for. @param printers - how many its account has */
  choose(stream: number, operation: number, draw: number, printers: number): JobChoices {
    const { copies, qty, isPdf } = this.#kind(stream, operation);
    return {
      printer: draw % Math.max(1, printers),
      copies: isPdf ? within(copies, Math.imul(draw, 0x9e3779b1) >>> 0) : 1,
      qty: within(qty, Math.imul(draw, 0x85ebca77) >>> 0),
    };
  }

  /** The body for the job of an arrival, the same each time. @param printers - of its account */
  body({ stream, operation, draw }: Arrival, row: number, printers: readonly AccountPrinter[]): Buffer {
    const { tail, expireAfterSeconds } = this.#kind(stream, operation);
    const { copies, qty, printer } = this.choose(stream, operation, draw, printers.length);
    const printerId = printers[printer]?.id ?? 0;
    const head =
      `{"title":"${this.#marks.markOf(row)}","printerId":${printerId},"source":"platen load","qty":${qty},` +
      (copies === 1 ? '' : `"options":{"copies":${copies}},`) +
      (expireAfterSeconds === null ? '' : `"expireAfter":${expireAfterSeconds},`);
    const body = Buffer.allocUnsafe(head.length + tail.length);
    body.write(head, 0, 'latin1');
    tail.copy(body, head.length);
    return body;
  }

  #kind(stream: number, operation: number): SubmissionKind {
    const kind = this.#kinds[stream]?.[operation];
    if (kind === undefined) throw new RangeError(`operation ${operation} of stream ${stream} submits nothing`);
    return kind;
  }
}

function tailOf(document: PreparedDocument, uriOf: (document: PreparedDocument) => string): Buffer {
  const { language, via, bytes } = document;
  const content = via === 'base64' ? bytes.toString('base64') : uriOf(document);
  return Buffer.from(`"contentType":"${language}_${via}","content":${JSON.stringify(content)}}`);
}

function within([least, most]: readonly [number, number], bits: number): number {
  return least + drawBelow(bits, most - least + 1);
}
