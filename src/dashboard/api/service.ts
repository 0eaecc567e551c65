/**
 * Service: what the page asks of the service itself, as any program would.
 */

import { WorkbenchProblem } from './request.ts';

export interface NewJob {
  readonly printerId: number;
  readonly title: string;
  /** As base64: a PDF, or what the printer gets as it is. */
  readonly content: string;
  readonly isRaw?: boolean;
  readonly options?: object;
}

/** Submits a document; returns the id of the job. */
export async function print(
  { printerId, title, content, isRaw = false, options }: NewJob,
  apiKey: string,
): Promise<number> {
  const response = await fetch('/printjobs', {
    method: 'POST',
    headers: { authorization: authorizationOf(apiKey), 'content-type': 'application/json' },
    body: JSON.stringify({
      printerId,
      title,
      contentType: isRaw ? 'raw_base64' : 'pdf_base64',
      content,
      options,
      source: 'platen page',
    }),
  });
  const answer = (await response.json()) as unknown;
  if (typeof answer === 'number') return answer;
  const message = (answer as { readonly message?: string }).message ?? `status ${response.status}`;
  throw new WorkbenchProblem(`The service refused the job: ${message}`);
}

/** A reading of a scale, as far as the page shows it. A scale goes on showing its weight; the service forgets it. */
export interface ScaleReading {
  readonly deviceName: string;
  readonly deviceNum: number;
  /** Unit → billionths of it. */
  readonly measurement: Readonly<Record<string, number>>;
  readonly ageOfData: number;
}

export async function getReadings(computerId: number, apiKey: string): Promise<readonly ScaleReading[]> {
  const response = await fetch(`/computer/${computerId}/scales`, {
    // The page itself asks: not what a person looks for in the traffic.
    headers: { authorization: authorizationOf(apiKey), 'x-platen-page': '1' },
  });
  return response.ok ? ((await response.json()) as readonly ScaleReading[]) : [];
}

function authorizationOf(apiKey: string): string {
  return `Basic ${btoa(`${apiKey}:`)}`;
}
