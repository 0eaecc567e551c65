/**
 * Registry: every check there is, in the order in which they run.
 */

import type { Check } from './check.ts';
import { ACCOUNT_GAP_CHECKS } from './rules/account-gaps.ts';
import { ACCOUNT_LIMIT_CHECKS } from './rules/account-limits.ts';
import { ACCOUNT_STATE_CHECKS } from './rules/account-states.ts';
import { ACCOUNT_UPDATE_CHECKS } from './rules/account-updates.ts';
import { ACCOUNT_CHECKS } from './rules/accounts.ts';
import { ACTING_AS_CHILD_CHECKS } from './rules/acting-as-child.ts';
import { API_KEY_CHECKS } from './rules/api-keys.ts';
import { AUTHENTICATION_CHECKS } from './rules/authentication.ts';
import { BODY_SIZE_CHECKS } from './rules/body-size.ts';
import { CANCELLING_CHECKS } from './rules/cancelling.ts';
import { CHILD_ACCOUNT_CHECKS } from './rules/child-accounts.ts';
import { CLIENT_DOWNLOAD_CHECKS } from './rules/client-downloads.ts';
import { CLIENT_KEY_CHECKS } from './rules/client-keys.ts';
import { COMPUTER_CHECKS } from './rules/computers.ts';
import { DELIVERY_CHECKS } from './rules/delivery.ts';
import { DOCUMENT_URI_CHECKS } from './rules/document-uris.ts';
import { ERROR_CHECKS } from './rules/errors.ts';
import { EVENT_DELIVERY_CHECKS } from './rules/event-delivery.ts';
import { EVENT_RECEIVER_CHECKS } from './rules/event-receivers.ts';
import { EVENT_CHECKS } from './rules/events.ts';
import { EVERY_RESPONSE_CHECKS } from './rules/every-response.ts';
import { EXPIRY_CHECKS } from './rules/expiry.ts';
import { IDEMPOTENCY_CHECKS } from './rules/idempotency.ts';
import { JOB_GAP_CHECKS } from './rules/job-gaps.ts';
import { MISC_CHECKS } from './rules/misc.ts';
import { PAGING_CHECKS } from './rules/paging.ts';
import { PRINT_JOB_CHECKS } from './rules/print-jobs.ts';
import { PRINTER_CHECKS } from './rules/printers.ts';
import { PRINTING_CHECKS } from './rules/printing.ts';
import { RACE_CHECKS } from './rules/races.ts';
import { RATE_LIMIT_CHECKS } from './rules/rate-limit.ts';
import { SERVICE_GAP_CHECKS } from './rules/service-gaps.ts';
import { SCALE_GAP_CHECKS } from './rules/scale-gaps.ts';
import { SCALE_CHECKS } from './rules/scales.ts';
import { SCALE_DATA_CHECKS } from './rules/scale-data.ts';
import { SCALE_RETENTION_CHECKS } from './rules/scale-retention.ts';
import { SCALE_WEBSOCKET_CHECKS } from './rules/scale-websocket.ts';
import { SERVICE_CHECKS } from './rules/service.ts';
import { SET_CHECKS } from './rules/sets.ts';
import { STATEFUL_CHECKS } from './rules/stateful.ts';
import { STATE_CHECKS } from './rules/states.ts';
import { TAG_CHECKS } from './rules/tags.ts';
import { WEBHOOK_STATISTICS_CHECKS } from './rules/webhook-statistics.ts';
import { WEBHOOK_CHANGE_CHECKS } from './rules/webhook-changes.ts';
import { WEBHOOK_GAP_CHECKS } from './rules/webhook-gaps.ts';
import { WEBHOOK_CHECKS } from './rules/webhooks.ts';

export const CHECKS: readonly Check[] = [
  ...MISC_CHECKS,
  ...AUTHENTICATION_CHECKS,
  ...ERROR_CHECKS,
  ...SERVICE_CHECKS,
  ...ACCOUNT_CHECKS,
  ...TAG_CHECKS,
  ...API_KEY_CHECKS,
  ...CHILD_ACCOUNT_CHECKS,
  ...ACCOUNT_LIMIT_CHECKS,
  ...ACCOUNT_UPDATE_CHECKS,
  ...ACCOUNT_STATE_CHECKS,
  ...ACTING_AS_CHILD_CHECKS,
  ...CLIENT_KEY_CHECKS,
  ...CLIENT_DOWNLOAD_CHECKS,
  ...SET_CHECKS,
  ...PAGING_CHECKS,
  ...COMPUTER_CHECKS,
  ...PRINTER_CHECKS,
  ...PRINT_JOB_CHECKS,
  ...DELIVERY_CHECKS,
  ...STATE_CHECKS,
  ...EXPIRY_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...CANCELLING_CHECKS,
  ...PRINTING_CHECKS,
  ...ACCOUNT_GAP_CHECKS,
  ...SERVICE_GAP_CHECKS,
  ...BODY_SIZE_CHECKS,
  ...RATE_LIMIT_CHECKS,
  ...DOCUMENT_URI_CHECKS,
  ...WEBHOOK_CHECKS,
  ...WEBHOOK_CHANGE_CHECKS,
  ...EVENT_CHECKS,
  ...EVENT_DELIVERY_CHECKS,
  ...EVENT_RECEIVER_CHECKS,
  ...WEBHOOK_STATISTICS_CHECKS,
  ...SCALE_CHECKS,
  ...SCALE_DATA_CHECKS,
  ...SCALE_RETENTION_CHECKS,
  ...SCALE_WEBSOCKET_CHECKS,
  ...JOB_GAP_CHECKS,
  ...WEBHOOK_GAP_CHECKS,
  ...SCALE_GAP_CHECKS,
  ...RACE_CHECKS,
  ...STATEFUL_CHECKS,
  // Last: they judge the responses of the whole run.
  ...EVERY_RESPONSE_CHECKS,
];
