/**
 * Resources: which fields the things have that an answer or an event is made of, and what each endpoint answers with,
 * by the word for it in the table of endpoints.
 */

import type { Field, Returned } from './clause.ts';
import {
  ACCOUNT_FIELDS,
  CAPABILITY_FIELDS,
  COMPUTER_FIELDS,
  EVENT_FIELDS,
  PRINT_JOB_STATE_FIELDS,
  PRINTER_FIELDS,
  SCALE_FIELDS,
  WEBHOOK_FIELDS,
} from './fields.ts';
import type { GapId } from './gaps.ts';
import { LIMITS } from './limits.ts';
import { ACCOUNT_STATES } from './states.ts';

export interface Resource {
  readonly fields: Readonly<Record<string, Field>>;
  /** The clause that says that all of them are there. */
  readonly allKeys?: string;
  /** Where it may have other fields too: the gap. */
  readonly gap?: GapId;
}

export const RESOURCES = {
  Account: { fields: ACCOUNT_FIELDS, allKeys: 'accounts/fields-always-present' },
  Computer: { fields: COMPUTER_FIELDS, allKeys: 'computers/fields-always-present' },
  Printer: { fields: PRINTER_FIELDS, allKeys: 'printers/fields-always-present' },
  Capabilities: { fields: CAPABILITY_FIELDS },
  PrintJob: {
    fields: { id: { type: 'integer', minimum: 1, clause: 'print-jobs/created-listed' } },
    gap: 'gap/print-job-record',
  },
  PrintJobState: { fields: PRINT_JOB_STATE_FIELDS, allKeys: 'states/fields-always-present' },
  ScaleReading: { fields: SCALE_FIELDS, allKeys: 'scales/fields-always-present', gap: 'gap/scale-extra-fields' },
  Webhook: { fields: WEBHOOK_FIELDS },
  ClientDownload: { fields: {}, gap: 'gap/client-download-record' },
  Event: { fields: EVENT_FIELDS },
} as const satisfies Readonly<Record<string, Resource>>;

export type ResourceName = keyof typeof RESOURCES;

/** What is in the body of an answer. */
export type Answer =
  | { readonly kind: 'one' | 'list'; readonly of: ResourceName }
  /** One list of them, or a list for each of several things: the specification does not say. */
  | { readonly kind: 'list or lists'; readonly of: ResourceName }
  | { readonly kind: 'value'; readonly value: Omit<Field, 'clause'> }
  | { readonly kind: 'open' };

const one = (of: ResourceName): Answer => ({ kind: 'one', of });
const listOf = (of: ResourceName): Answer => ({ kind: 'list', of });
const value = (field: Omit<Field, 'clause'>): Answer => ({ kind: 'value', value: field });

export const ANSWERS: Readonly<Record<Returned, Answer>> = {
  account: one('Account'),
  computers: listOf('Computer'),
  printers: listOf('Printer'),
  'print jobs': listOf('PrintJob'),
  states: { kind: 'list or lists', of: 'PrintJobState' },
  readings: listOf('ScaleReading'),
  reading: one('ScaleReading'),
  webhooks: listOf('Webhook'),
  downloads: listOf('ClientDownload'),
  download: one('ClientDownload'),
  'client key': value({
    type: 'string',
    minLength: LIMITS.clientKeyCharacters.value,
    maxLength: LIMITS.clientKeyCharacters.value,
  }),
  ids: value({ type: 'array of integers' }),
  id: value({ type: 'integer', minimum: 1 }),
  'account state': value({ type: 'string', values: Object.keys(ACCOUNT_STATES) }),
  'Request-Id': value({ type: 'string' }),
  'not shown': { kind: 'open' },
};

/** Gaps about what is answered where the rest of the specification would have it be something certain. */
export const OPEN_ANSWERS: ReadonlySet<string> = new Set<GapId>(['gap/client-download-update-response']);
