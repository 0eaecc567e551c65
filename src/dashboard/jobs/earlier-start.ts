/**
 * Earlier start: what a data file keeps of a job that printed before the workbench was started: its states, and
 * neither its document nor its sheets.
 */

import type { JobDetail } from '../../record/control-types.ts';

type Remains = Pick<JobDetail, 'state' | 'contentType' | 'printouts' | 'sheetsDue'> & {
  readonly document: Pick<JobDetail['document'], 'available'>;
};

export function isOfEarlierStart({ state, contentType, document, printouts, sheetsDue }: Remains): boolean {
  const wasSubmitted = contentType.endsWith('_base64');
  const isGone = wasSubmitted && !document.available;
  return state === 'done' && isGone && printouts.length === 0 && sheetsDue === 0;
}
