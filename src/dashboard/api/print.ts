/**
 * Print: a job for the service itself, as any program sends one.
 */

import { WorkbenchProblem } from './request.ts';

export interface NewJob {
  readonly printerId: number;
  readonly title: string;
  /** A PDF as base64. */
  readonly content: string;
}

/** Submits a document; returns the id of the job. */
export async function print({ printerId, title, content }: NewJob, apiKey: string): Promise<number> {
  const response = await fetch('/printjobs', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${apiKey}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ printerId, title, contentType: 'pdf_base64', content, source: 'platen page' }),
  });
  const answer = (await response.json()) as unknown;
  if (typeof answer === 'number') return answer;
  const message = (answer as { readonly message?: string }).message ?? `status ${response.status}`;
  throw new WorkbenchProblem(response.status, `The service refused the job: ${message}`);
}
