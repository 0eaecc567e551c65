/**
 * Document error: a document, or a page of one, that cannot be printed. The message is for the job's
 * `error` state and names the cause.
 */

export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
