/**
 * Refusals: requests that a service of another mind would refuse, and the reference service would not.
 *
 * Such a request is turned into one that the reference service refuses as well, so that the answer has all that its
 * refusals have; status, code and message are put in afterwards, by a note in its path.
 */

import type { Meddle, PassingRequest } from '../mutants/meddling-proxy.ts';

const NOTE = /^\/printers\/refuse!(\d{3})!(\w+)$/;

/** The request to send in place of one that is to be refused. */
export function refused(status: number, code: string): Pick<PassingRequest, 'method' | 'path' | 'body'> {
  return { method: 'GET', path: `/printers/refuse!${status}!${code}`, body: Buffer.alloc(0) };
}

/** Gives refusals of that kind their status and code. */
export const passRefusals: Meddle = ({ asked, status, body }) => {
  const [, wanted, code] = NOTE.exec(asked.path) ?? [];
  if (wanted === undefined || status !== 400) return undefined;
  const error = JSON.parse(body) as Record<string, unknown>;
  return { status: Number(wanted), body: JSON.stringify({ ...error, code, message: 'this service refuses that' }) };
};
