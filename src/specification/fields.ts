/**
 * Fields of every resource a service sends: name, type as printed, whether it may be null, whether
 * the specification states it or only shows what was observed, and the clause that says so.
 */

import type { Field } from './clause.ts';
import {
  ACCOUNT_STATES,
  OBSERVED_COMPUTER_STATES,
  OBSERVED_PRINTER_STATES,
  STABLE_PRINT_JOB_STATES,
} from './states.ts';

type Fields = Readonly<Record<string, Field>>;

/** GET /whoami and PATCH /account. */
export const ACCOUNT_FIELDS = {
  id: { type: 'integer', clause: 'accounts/field-id' },
  firstname: { type: 'string', clause: 'accounts/field-firstname' },
  lastname: { type: 'string', clause: 'accounts/field-lastname' },
  email: { type: 'string', clause: 'accounts/field-email' },
  canCreateSubAccounts: { type: 'boolean', clause: 'accounts/field-can-create-sub-accounts' },
  creatorEmail: { type: 'string', nullable: true, clause: 'accounts/field-creator-email' },
  creatorRef: { type: 'string', nullable: true, clause: 'accounts/field-creator-ref' },
  childAccounts: { type: 'array', gap: 'gap/child-accounts-shape', clause: 'accounts/field-child-accounts' },
  credits: { type: 'integer', clause: 'accounts/field-credits', notNull: 'accounts/credits-not-null' },
  numComputers: { type: 'integer', clause: 'accounts/field-num-computers' },
  totalPrints: { type: 'integer', clause: 'accounts/field-total-prints' },
  versions: { type: 'array', gap: 'gap/versions-shape', clause: 'accounts/field-versions' },
  connected: { type: 'array', gap: 'gap/connected-shape', clause: 'accounts/field-connected' },
  Tags: { type: 'array', also: 'object', gap: 'gap/tags-shape', clause: 'accounts/field-tags' },
  state: { type: 'string', values: Object.keys(ACCOUNT_STATES), clause: 'accounts/field-state' },
  permissions: { type: 'array of strings', gap: 'gap/permissions-meaning', clause: 'accounts/field-permissions' },
} as const satisfies Fields;

/** A Computer object. `jre` was null in every observed response. */
export const COMPUTER_FIELDS = {
  id: { type: 'integer', clause: 'computers/field-id' },
  name: { type: 'string', clause: 'computers/field-name' },
  inet: { type: 'string', nullable: true, clause: 'computers/field-inet' },
  inet6: { type: 'string', nullable: true, clause: 'computers/field-inet6' },
  hostname: { type: 'string', nullable: true, clause: 'computers/field-hostname' },
  version: { type: 'string', nullable: true, clause: 'computers/field-version' },
  jre: { type: 'null', nullable: true, basis: 'observed', clause: 'computers/field-jre' },
  createTimestamp: { type: 'timestamp', clause: 'computers/field-create-timestamp' },
  state: {
    type: 'string',
    seen: Object.keys(OBSERVED_COMPUTER_STATES),
    gap: 'gap/computer-states',
    clause: 'computers/field-state',
  },
} as const satisfies Fields;

export const PRINTER_FIELDS = {
  id: { type: 'integer', clause: 'printers/field-id' },
  computer: { type: 'Computer object', clause: 'printers/field-computer' },
  name: { type: 'string', clause: 'printers/field-name' },
  description: { type: 'string', clause: 'printers/field-description' },
  capabilities: { type: 'capabilities object', nullable: true, clause: 'printers/field-capabilities' },
  default: { type: 'boolean', nullable: true, clause: 'printers/field-default' },
  createTimestamp: { type: 'timestamp', clause: 'printers/field-create-timestamp' },
  state: {
    type: 'string',
    seen: Object.keys(OBSERVED_PRINTER_STATES),
    gap: 'gap/printer-states',
    clause: 'printers/field-state',
    notNull: 'printers/state-not-null',
  },
} as const satisfies Fields;

/** `printrate` of the capabilities, where it is not null. `rate` is a float. */
export const PRINT_RATE_FIELDS = {
  unit: { type: 'string', values: ['ppm', 'ipm', 'lmp', 'cpm'], clause: 'printers/printrate-unit' },
  rate: { type: 'number', clause: 'printers/printrate-rate' },
} as const satisfies Fields;

/** The capabilities of a printer, where they are not null. */
export const CAPABILITY_FIELDS = {
  bins: { type: 'array of strings', clause: 'printers/capability-bins' },
  collate: { type: 'boolean', clause: 'printers/capability-collate' },
  copies: { type: 'integer', clause: 'printers/capability-copies' },
  color: { type: 'boolean', clause: 'printers/capability-color' },
  dpis: { type: 'array of strings', clause: 'printers/capability-dpis' },
  duplex: { type: 'boolean', clause: 'printers/capability-duplex' },
  extent: { type: 'array of arrays of integers', clause: 'printers/capability-extent' },
  medias: { type: 'array of strings', clause: 'printers/capability-medias' },
  nup: { type: 'array of integers', clause: 'printers/capability-nup' },
  papers: { type: 'object', each: { type: 'array of 2' }, clause: 'printers/capability-papers' },
  printrate: { type: 'object', nullable: true, fields: PRINT_RATE_FIELDS, clause: 'printers/capability-printrate' },
  supports_custom_paper_size: { type: 'boolean', clause: 'printers/capability-supports-custom-paper-size' },
} as const satisfies Fields;

export const PRINT_JOB_STATE_FIELDS = {
  printJobId: { type: 'integer', clause: 'states/field-print-job-id' },
  state: { type: 'string', seen: Object.keys(STABLE_PRINT_JOB_STATES), clause: 'states/field-state' },
  message: { type: 'string', clause: 'states/field-message', notNull: 'states/message-not-null' },
  data: { type: 'object', clause: 'states/field-data', notNull: 'states/data-not-null' },
  clientVersion: { type: 'string', nullable: true, clause: 'states/field-client-version' },
  createTimestamp: { type: 'timestamp', clause: 'states/field-create-timestamp' },
  age: { type: 'integer', clause: 'states/field-age' },
} as const satisfies Fields;

/** Units that may be keys of `measurement`; each value is in billionths of its unit. */
export const MEASUREMENT_UNITS = {
  g: { type: 'integer', clause: 'scales/measurement-units' },
  kg: { type: 'integer', clause: 'scales/measurement-units' },
  lb: { type: 'integer', clause: 'scales/measurement-units' },
  oz: { type: 'integer', clause: 'scales/measurement-units' },
} as const satisfies Fields;

/** A scale data object. */
export const SCALE_FIELDS = {
  mass: { type: 'array of 2', clause: 'scales/field-mass' },
  computerId: { type: 'integer', clause: 'scales/field-computer-id' },
  vendor: { type: 'string', clause: 'scales/field-vendor' },
  vendorId: { type: 'integer', clause: 'scales/field-vendor-id' },
  productId: { type: 'integer', clause: 'scales/field-product-id' },
  port: { type: 'string', clause: 'scales/field-port' },
  deviceName: { type: 'string', clause: 'scales/field-device-name' },
  deviceNum: { type: 'integer', clause: 'scales/field-device-num' },
  count: { type: 'null', nullable: true, clause: 'scales/field-count' },
  measurement: { type: 'object', fields: MEASUREMENT_UNITS, anyOfFields: true, clause: 'scales/field-measurement' },
  clientReportedCreateTimestamp: {
    type: 'timestamp',
    clause: 'scales/field-client-reported-create-timestamp',
  },
  ntpOffset: { type: 'null', nullable: true, clause: 'scales/field-ntp-offset' },
  ageOfData: { type: 'integer', clause: 'scales/field-age-of-data' },
} as const satisfies Fields;

/** The virtual scale of PUT /scale. */
export const VIRTUAL_SCALE = {
  deviceName: { value: 'Service Test Scale', clause: 'scales/simulate-device-name' },
  deviceNum: { value: 0, clause: 'scales/simulate-device-num' },
  computerId: { value: 0, clause: 'scales/simulate-computer-zero' },
} as const;

export const WEBHOOK_FIELDS = {
  webhookId: { type: 'integer', clause: 'webhooks/field-webhook-id' },
  url: { type: 'string', clause: 'webhooks/field-url' },
  secret: { type: 'string', clause: 'webhooks/field-secret' },
  messages: { type: 'array of strings', clause: 'webhooks/field-messages' },
  receivedEvents: {
    type: 'statistic',
    gap: 'gap/webhook-statistics-nesting',
    clause: 'webhooks/field-received-events',
  },
  droppedEvents: { type: 'statistic', gap: 'gap/webhook-statistics-nesting', clause: 'webhooks/field-dropped-events' },
  successfulRequests: {
    type: 'statistic',
    gap: 'gap/webhook-statistics-nesting',
    clause: 'webhooks/field-successful-requests',
  },
  failedRequests: {
    type: 'statistic',
    gap: 'gap/webhook-statistics-nesting',
    clause: 'webhooks/field-failed-requests',
  },
} as const satisfies Fields;

/** The fields of a Webhook object that count. */
export const STATISTICS = [
  'receivedEvents',
  'droppedEvents',
  'successfulRequests',
  'failedRequests',
] as const satisfies readonly (keyof typeof WEBHOOK_FIELDS)[];
export type Statistic = (typeof STATISTICS)[number];

/** The five measures of each webhook statistic, with the scale of those that decay. */
export const STATISTIC_MEASURES = {
  counts: { scale: null, clause: 'webhooks/measure-counts' },
  exp7d: { scale: { value: 7, unit: 'days' }, clause: 'webhooks/measure-exp7d' },
  exp1d: { scale: { value: 1, unit: 'day' }, clause: 'webhooks/measure-exp1d' },
  exp1h: { scale: { value: 1, unit: 'hour' }, clause: 'webhooks/measure-exp1h' },
  exp5m: { scale: { value: 5, unit: 'minutes' }, clause: 'webhooks/measure-exp5m' },
} as const;

/** Types of events; more may be added. */
export const EVENT_TYPES = ['computer state', 'print job state'] as const;

/** An event object in the body of a webhook request. */
export const EVENT_FIELDS = {
  type: { type: 'string', seen: EVENT_TYPES, clause: 'events/field-type' },
  accountId: { type: 'integer', clause: 'events/field-account-id' },
  controllingAccountId: { type: 'integer', clause: 'events/field-controlling-account-id' },
  createdAt: { type: 'timestamp', clause: 'events/field-created-at' },
  data: { type: 'object', gap: 'gap/computer-event-data', clause: 'events/field-data' },
} as const satisfies Fields;
