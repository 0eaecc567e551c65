/** All dimensions, from what the service holds to the bytes on the wire. */

import type { Dimensions } from '../dimension.ts';
import { ACCOUNT_DIMENSIONS } from './accounts.ts';
import { BYTE_DIMENSIONS } from './bytes.ts';
import { LIMIT_DIMENSIONS } from './limits.ts';
import { LIST_DIMENSIONS } from './lists.ts';
import { PRINT_JOB_DIMENSIONS } from './print-jobs.ts';
import { SCALE_DIMENSIONS } from './scales.ts';
import { WEBHOOK_DIMENSIONS } from './webhooks.ts';

export const DIMENSIONS: Dimensions = {
  ...LIST_DIMENSIONS,
  ...ACCOUNT_DIMENSIONS,
  ...PRINT_JOB_DIMENSIONS,
  ...WEBHOOK_DIMENSIONS,
  ...SCALE_DIMENSIONS,
  ...LIMIT_DIMENSIONS,
  ...BYTE_DIMENSIONS,
};
