/**
 * Registry: every check there is, in the order in which they run.
 */

import type { Check } from './check.ts';
import { AUTHENTICATION_CHECKS } from './rules/authentication.ts';
import { ERROR_CHECKS } from './rules/errors.ts';
import { EVERY_RESPONSE_CHECKS } from './rules/every-response.ts';
import { MISC_CHECKS } from './rules/misc.ts';
import { PAGING_CHECKS } from './rules/paging.ts';
import { SET_CHECKS } from './rules/sets.ts';

export const CHECKS: readonly Check[] = [
  ...MISC_CHECKS,
  ...AUTHENTICATION_CHECKS,
  ...ERROR_CHECKS,
  ...SET_CHECKS,
  ...PAGING_CHECKS,
  // Last: they judge the responses of the whole run.
  ...EVERY_RESPONSE_CHECKS,
];
