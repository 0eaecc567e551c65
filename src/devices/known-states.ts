/**
 * Known states: those that the specification prints, and those that platen's computers and its reference service
 * give. The specification leaves the lists open, so another service may have others.
 */

import { keysOf } from '../common/keys-of.ts';
import { OBSERVED_COMPUTER_STATES, OBSERVED_PRINTER_STATES, STABLE_PRINT_JOB_STATES } from '../specification/states.ts';

/** What a computer reports of a job on its way to the print queue, in order. */
export const STATES_ON_THE_WAY = [
  'received',
  'downloading',
  'downloaded',
  'preparing_to_print',
  'queued_to_print',
] as const;

/** The last three: what an old client reports, and the state of a cancelled job. */
export const JOB_STATES = [
  ...keysOf(STABLE_PRINT_JOB_STATES),
  ...STATES_ON_THE_WAY,
  'queued',
  'in_progress',
  'deleted',
] as const;

export const PRINTER_STATES = [
  ...keysOf(OBSERVED_PRINTER_STATES),
  'out_of_paper',
  'error',
  'deleted',
  'unknown',
] as const;

export const COMPUTER_STATES = [...keysOf(OBSERVED_COMPUTER_STATES), 'connected'] as const;
