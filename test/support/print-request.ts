/**
 * Print request: a document submitted as an app would, over HTTP with a key.
 */

import { readFileSync } from 'node:fs';

/** What an app has to know of a service. */
interface Printing {
  readonly url: string;
  readonly apiKey: string;
}

const THREE_PAGES = readFileSync(new URL('../../fixtures/documents/three-pages.pdf', import.meta.url));

/** Submits three pages, or what the fields say. @returns the id of the job */
export async function printRequest(
  { url, apiKey }: Printing,
  fields: Readonly<Record<string, unknown>> & { readonly printerId: number },
): Promise<number> {
  const response = await fetch(`${url}/printjobs`, {
    method: 'POST',
    headers: { ...basic(apiKey), 'content-type': 'application/json' },
    body: JSON.stringify({ contentType: 'pdf_base64', content: THREE_PAGES.toString('base64'), ...fields }),
  });
  const answer: unknown = await response.json();
  if (response.status === 201 && typeof answer === 'number') return answer;
  throw new Error(`POST /printjobs was answered with ${response.status}: ${JSON.stringify(answer)}`);
}

export function basic(apiKey: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` };
}
