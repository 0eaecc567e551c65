/**
 * Paper in words: what a job that its computer calls done has not printed yet. A spooler knows nothing of jams.
 */

import { countOf } from '../common/count-of.ts';
import type { JobSummary } from './control-types.ts';

type Paper = Pick<JobSummary, 'sheets' | 'sheetsDue' | 'held'>;

/** `1 of 3 sheets out: Laser has media-jam`; undefined when everything is out. */
export function paperToCome({ sheets, sheetsDue, held }: Paper): string | undefined {
  if (sheets >= sheetsDue && held === null) return undefined;
  const out = sheetsDue > 0 ? `${sheets} of ${countOf(sheetsDue, 'sheet')} out` : 'not all of it is out';
  return held === null ? out : `${out}: ${held}`;
}
