/**
 * Kept documents: what was submitted, for people who want to look at it or print it again. The service
 * itself forgets a document when its job is over.
 *
 * Bounded in bytes: the oldest make room.
 */

import { RecentMap } from '../../common/recent-map.ts';
import type { PrintJobRow } from '../../service/store/print-job-row.ts';

const MOST_CHARACTERS = 64 * 1024 * 1024;

export class KeptDocuments {
  readonly #contents = new RecentMap<number, string>(MOST_CHARACTERS, ({ length }) => length);

  keep({ id }: PrintJobRow, content: string): void {
    this.#contents.set(id, content);
  }

  /** Base64 text or an address, as it was submitted; undefined when it is gone. */
  content(jobId: number): string | undefined {
    return this.#contents.get(jobId);
  }

  clear(): void {
    this.#contents.clear();
  }
}

/** Whether the content of a job is the address of its document. */
export function isAddress({ contentType }: Pick<PrintJobRow, 'contentType'>): boolean {
  return contentType.endsWith('_uri');
}
