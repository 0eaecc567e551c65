/**
 * Kept documents: what was submitted, for people who want to look at it or print it again. The service
 * itself forgets a document when its job is over.
 *
 * Bounded in bytes: the oldest make room.
 */

import type { PrintJobRow } from '../../service/store/print-job-row.ts';

const MOST_CHARACTERS = 64 * 1024 * 1024;

export class KeptDocuments {
  readonly #contents = new Map<number, string>();
  #characters = 0;

  keep({ id }: PrintJobRow, content: string): void {
    this.#contents.set(id, content);
    this.#characters += content.length;
    for (const [oldest, text] of this.#contents) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#contents.delete(oldest);
      this.#characters -= text.length;
    }
  }

  /** Base64 text or an address, as it was submitted; undefined when it is gone. */
  content(jobId: number): string | undefined {
    return this.#contents.get(jobId);
  }

  clear(): void {
    this.#contents.clear();
    this.#characters = 0;
  }
}

/** Whether the content of a job is the address of its document. */
export function isAddress({ contentType }: Pick<PrintJobRow, 'contentType'>): boolean {
  return contentType.endsWith('_uri');
}
