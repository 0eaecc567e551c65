/** A job as the control API lists it: printed and done, unless given otherwise. */

import type { JobSummary } from '../../src/record/control-types.ts';

export function jobSummary(changes: Partial<JobSummary> = {}): JobSummary {
  return {
    id: 7,
    title: 'Invoice 12',
    printer: { id: 1, name: 'Laser' },
    computer: { id: 1, name: 'FRONT-DESK' },
    state: 'done',
    createdMs: 0,
    ageMs: 0,
    contentType: 'pdf_base64',
    source: null,
    qty: 1,
    sheets: 1,
    sheetsDue: 1,
    held: null,
    problem: null,
    sides: 1,
    raw: false,
    accountId: 1,
    ...changes,
  };
}
