/**
 * Registry: every check there is, in the order in which they run.
 */

import type { Check, Rules } from './check.ts';
import { JUDGED_CLAUSES } from './judged-clauses.ts';
import { MATRIX_CHECKS } from './matrix/matrix.ts';
import { ACCOUNT_GAP_RULES } from './rules/account-gaps.ts';
import { ACCOUNT_LIMIT_RULES } from './rules/account-limits.ts';
import { ACCOUNT_STATE_RULES } from './rules/account-states.ts';
import { ACCOUNT_UPDATE_RULES } from './rules/account-updates.ts';
import { ACCOUNT_RULES } from './rules/accounts.ts';
import { ACTING_AS_CHILD_RULES } from './rules/acting-as-child.ts';
import { API_KEY_RULES } from './rules/api-keys.ts';
import { AUTHENTICATION_RULES } from './rules/authentication.ts';
import { BODY_SIZE_RULES } from './rules/body-size.ts';
import { CANCELLING_RULES } from './rules/cancelling.ts';
import { CHILD_ACCOUNT_RULES } from './rules/child-accounts.ts';
import { CLIENT_DOWNLOAD_RULES } from './rules/client-downloads.ts';
import { CLIENT_KEY_RULES } from './rules/client-keys.ts';
import { COMPUTER_RULES } from './rules/computers.ts';
import { DELIVERY_RULES } from './rules/delivery.ts';
import { DOCUMENT_URI_RULES } from './rules/document-uris.ts';
import { ERROR_RULES } from './rules/errors.ts';
import { EVENT_DELIVERY_RULES } from './rules/event-delivery.ts';
import { EVENT_RECEIVER_RULES } from './rules/event-receivers.ts';
import { EVENT_RULES } from './rules/events.ts';
import { EVERY_RESPONSE_RULES } from './rules/every-response.ts';
import { EXPIRY_RULES } from './rules/expiry.ts';
import { IDEMPOTENCY_RULES } from './rules/idempotency.ts';
import { JOB_GAP_RULES } from './rules/job-gaps.ts';
import { LINK_CONNECTION_RULES } from './rules/link-connection.ts';
import { LINK_DELIVERY_RULES } from './rules/link-deliveries.ts';
import { LINK_IDENTITY_RULES } from './rules/link-identity.ts';
import { LINK_REPORT_RULES } from './rules/link-reports.ts';
import { MISC_RULES } from './rules/misc.ts';
import { PAGING_RULES } from './rules/paging.ts';
import { PRINT_JOB_RULES } from './rules/print-jobs.ts';
import { PRINTER_RULES } from './rules/printers.ts';
import { PRINTING_RULES } from './rules/printing.ts';
import { RACE_RULES } from './rules/races.ts';
import { RATE_LIMIT_RULES } from './rules/rate-limit.ts';
import { SERVICE_GAP_RULES } from './rules/service-gaps.ts';
import { SCALE_GAP_RULES } from './rules/scale-gaps.ts';
import { SCALE_RULES } from './rules/scales.ts';
import { SCALE_DATA_RULES } from './rules/scale-data.ts';
import { SCALE_RETENTION_RULES } from './rules/scale-retention.ts';
import { SCALE_WEBSOCKET_RULES } from './rules/scale-websocket.ts';
import { SERVICE_RULES } from './rules/service.ts';
import { SET_RULES } from './rules/sets.ts';
import { STATE_RULES } from './rules/states.ts';
import { TAG_RULES } from './rules/tags.ts';
import { WEBHOOK_STATISTICS_RULES } from './rules/webhook-statistics.ts';
import { WEBHOOK_CHANGE_RULES } from './rules/webhook-changes.ts';
import { WEBHOOK_GAP_RULES } from './rules/webhook-gaps.ts';
import { WEBHOOK_RULES } from './rules/webhooks.ts';

const RULES: readonly Rules[] = [
  MISC_RULES,
  AUTHENTICATION_RULES,
  ERROR_RULES,
  SERVICE_RULES,
  ACCOUNT_RULES,
  TAG_RULES,
  API_KEY_RULES,
  CHILD_ACCOUNT_RULES,
  ACCOUNT_LIMIT_RULES,
  ACCOUNT_UPDATE_RULES,
  ACCOUNT_STATE_RULES,
  ACTING_AS_CHILD_RULES,
  CLIENT_KEY_RULES,
  CLIENT_DOWNLOAD_RULES,
  SET_RULES,
  PAGING_RULES,
  COMPUTER_RULES,
  PRINTER_RULES,
  PRINT_JOB_RULES,
  DELIVERY_RULES,
  STATE_RULES,
  EXPIRY_RULES,
  IDEMPOTENCY_RULES,
  CANCELLING_RULES,
  PRINTING_RULES,
  ACCOUNT_GAP_RULES,
  SERVICE_GAP_RULES,
  BODY_SIZE_RULES,
  RATE_LIMIT_RULES,
  DOCUMENT_URI_RULES,
  WEBHOOK_RULES,
  WEBHOOK_CHANGE_RULES,
  EVENT_RULES,
  EVENT_DELIVERY_RULES,
  EVENT_RECEIVER_RULES,
  WEBHOOK_STATISTICS_RULES,
  SCALE_RULES,
  SCALE_DATA_RULES,
  SCALE_RETENTION_RULES,
  SCALE_WEBSOCKET_RULES,
  JOB_GAP_RULES,
  WEBHOOK_GAP_RULES,
  SCALE_GAP_RULES,
  RACE_RULES,
  MATRIX_CHECKS,
  LINK_CONNECTION_RULES,
  LINK_REPORT_RULES,
  LINK_DELIVERY_RULES,
  LINK_IDENTITY_RULES,
  // Last: they judge the responses of the whole run.
  EVERY_RESPONSE_RULES,
];

/** Rules with what each of them judges: nothing for a new one, until `npm run prove emitted` has seen it. */
export const CHECKS: readonly Check[] = RULES.flatMap((rules) => Object.entries(rules)).map(([id, rule]) => ({
  id,
  clauses: JUDGED_CLAUSES[id] ?? [],
  needs: [],
  ...rule,
}));
