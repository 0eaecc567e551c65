/**
 * Title in words: what a job is called. A title may be missing, and it may be blank.
 */

export function titleInWords(title: string | null | undefined): string {
  return title?.trim() || 'Untitled';
}
