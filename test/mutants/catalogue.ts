/** Every mutant there is. */

import { ACCOUNT_MUTANTS } from './account-mutants.ts';
import { CALLER_MUTANTS } from './caller-mutants.ts';
import { CANCEL_MUTANTS } from './cancel-mutants.ts';
import { DELIVERY_MUTANTS } from './delivery-mutants.ts';
import { DEVICE_MUTANTS } from './device-mutants.ts';
import { EVENT_MUTANTS } from './event-mutants.ts';
import { EXCEPTION_MUTANTS } from './exception-mutants.ts';
import { historyMutants } from './history-mutants.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';
import { LINK_MUTANTS } from './link-mutants.ts';
import { LIMIT_MUTANTS } from './limit-mutants.ts';
import { LIKENESS_MUTANTS } from './likeness-mutants.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { ODDITY_MUTANTS } from './oddity-mutants.ts';
import { RACE_MUTANTS } from './race-mutants.ts';
import { EVERY_RECORD_MUTANTS } from './every-record-mutants.ts';
import { RECORD_MUTANTS } from './record-mutants.ts';
import { SCALE_MUTANTS } from './scale-mutants.ts';
import { SUBMISSION_MUTANTS } from './submission-mutants.ts';
import { VALUE_MUTANTS } from './value-mutants.ts';
import { WEBHOOK_MUTANTS } from './webhook-mutants.ts';

export const ALL_MUTANTS: readonly Mutant[] = [
  ...MUTANTS,
  ...ACCOUNT_MUTANTS,
  ...CALLER_MUTANTS,
  ...LIMIT_MUTANTS,
  ...SERVICE_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...EVENT_MUTANTS,
  ...SCALE_MUTANTS,
  ...historyMutants(),
  ...RACE_MUTANTS,
  ...RECORD_MUTANTS,
  ...EVERY_RECORD_MUTANTS,
  ...DEVICE_MUTANTS,
  ...SUBMISSION_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...CANCEL_MUTANTS,
  ...LINK_MUTANTS,
  ...LIKENESS_MUTANTS,
  ...ODDITY_MUTANTS,
  ...EXCEPTION_MUTANTS,
  ...VALUE_MUTANTS,
];
