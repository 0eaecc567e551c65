/**
 * Submitted job: the body of an accepted `POST /printjobs`, as a link needs it that recognises jobs on paper.
 */

import type { SubmittedJob } from './device-link.ts';

/** @param body - as it was sent; what is not of its type counts as left out */
export function submittedJob(jobId: number, body: Readonly<Record<string, unknown>>): SubmittedJob {
  const { printerId, title, contentType, content, options, qty } = body;
  return {
    jobId,
    printerId: Number(printerId),
    title: typeof title === 'string' ? title : '',
    contentType: contentType as SubmittedJob['contentType'],
    content: String(content),
    options: typeof options === 'object' && options !== null ? { ...options } : {},
    // A form has it as a string.
    qty: Math.max(1, Number(qty ?? 1) || 1),
  };
}
