/**
 * Fields of every resource a service sends: name, type as printed, whether null may stand there, whether
 * the specification states it or only shows what was observed, and the clause that says so.
 */

import type { Field } from './clause.ts';

/** GET /whoami and PATCH /account. */
export const ACCOUNT_FIELDS = {
  id: { type: 'integer', nullable: false, basis: 'stated', clause: 'accounts/field-id' },
  firstname: { type: 'string', nullable: false, basis: 'stated', clause: 'accounts/field-firstname' },
  lastname: { type: 'string', nullable: false, basis: 'stated', clause: 'accounts/field-lastname' },
  email: { type: 'string', nullable: false, basis: 'stated', clause: 'accounts/field-email' },
  canCreateSubAccounts: {
    type: 'boolean',
    nullable: false,
    basis: 'stated',
    clause: 'accounts/field-can-create-sub-accounts',
  },
  creatorEmail: { type: 'string', nullable: true, basis: 'stated', clause: 'accounts/field-creator-email' },
  creatorRef: { type: 'string', nullable: true, basis: 'stated', clause: 'accounts/field-creator-ref' },
  childAccounts: { type: 'array', nullable: false, basis: 'stated', clause: 'accounts/field-child-accounts' },
  credits: { type: 'integer', nullable: false, basis: 'stated', clause: 'accounts/field-credits' },
  numComputers: { type: 'integer', nullable: false, basis: 'stated', clause: 'accounts/field-num-computers' },
  totalPrints: { type: 'integer', nullable: false, basis: 'stated', clause: 'accounts/field-total-prints' },
  versions: { type: 'array', nullable: false, basis: 'stated', clause: 'accounts/field-versions' },
  connected: { type: 'array', nullable: false, basis: 'stated', clause: 'accounts/field-connected' },
  Tags: { type: 'array', nullable: false, basis: 'stated', clause: 'accounts/field-tags' },
  state: {
    type: 'string',
    nullable: false,
    values: ['active', 'suspended'],
    basis: 'stated',
    clause: 'accounts/field-state',
  },
  permissions: {
    type: 'array of strings',
    nullable: false,
    basis: 'stated',
    clause: 'accounts/field-permissions',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** A Computer object. `jre` was null in every observed response. */
export const COMPUTER_FIELDS = {
  id: { type: 'integer', nullable: false, basis: 'stated', clause: 'computers/field-id' },
  name: { type: 'string', nullable: false, basis: 'stated', clause: 'computers/field-name' },
  inet: { type: 'string', nullable: true, basis: 'stated', clause: 'computers/field-inet' },
  inet6: { type: 'string', nullable: true, basis: 'stated', clause: 'computers/field-inet6' },
  hostname: { type: 'string', nullable: true, basis: 'stated', clause: 'computers/field-hostname' },
  version: { type: 'string', nullable: true, basis: 'stated', clause: 'computers/field-version' },
  jre: { type: 'null', nullable: true, basis: 'observed', clause: 'computers/field-jre' },
  createTimestamp: {
    type: 'timestamp',
    nullable: false,
    basis: 'stated',
    clause: 'computers/field-create-timestamp',
  },
  state: { type: 'string', nullable: false, basis: 'stated', clause: 'computers/field-state' },
} as const satisfies Readonly<Record<string, Field>>;

/** A Printer object. */
export const PRINTER_FIELDS = {
  id: { type: 'integer', nullable: false, basis: 'stated', clause: 'printers/field-id' },
  computer: { type: 'Computer object', nullable: false, basis: 'stated', clause: 'printers/field-computer' },
  name: { type: 'string', nullable: false, basis: 'stated', clause: 'printers/field-name' },
  description: { type: 'string', nullable: false, basis: 'stated', clause: 'printers/field-description' },
  capabilities: {
    type: 'capabilities object',
    nullable: true,
    basis: 'stated',
    clause: 'printers/field-capabilities',
  },
  default: { type: 'boolean', nullable: true, basis: 'stated', clause: 'printers/field-default' },
  createTimestamp: {
    type: 'timestamp',
    nullable: false,
    basis: 'stated',
    clause: 'printers/field-create-timestamp',
  },
  state: { type: 'string', nullable: false, basis: 'stated', clause: 'printers/field-state' },
} as const satisfies Readonly<Record<string, Field>>;

/** The capabilities of a printer, where they are not null. */
export const CAPABILITY_FIELDS = {
  bins: { type: 'array of strings', nullable: false, basis: 'stated', clause: 'printers/capability-bins' },
  collate: { type: 'boolean', nullable: false, basis: 'stated', clause: 'printers/capability-collate' },
  copies: { type: 'integer', nullable: false, basis: 'stated', clause: 'printers/capability-copies' },
  color: { type: 'boolean', nullable: false, basis: 'stated', clause: 'printers/capability-color' },
  dpis: { type: 'array of strings', nullable: false, basis: 'stated', clause: 'printers/capability-dpis' },
  duplex: { type: 'boolean', nullable: false, basis: 'stated', clause: 'printers/capability-duplex' },
  extent: {
    type: 'array of arrays of integers',
    nullable: false,
    basis: 'stated',
    clause: 'printers/capability-extent',
  },
  medias: {
    type: 'array of strings',
    nullable: false,
    basis: 'stated',
    clause: 'printers/capability-medias',
  },
  nup: { type: 'array of integers', nullable: false, basis: 'stated', clause: 'printers/capability-nup' },
  papers: { type: 'object', nullable: false, basis: 'stated', clause: 'printers/capability-papers' },
  printrate: { type: 'object', nullable: true, basis: 'stated', clause: 'printers/capability-printrate' },
  supports_custom_paper_size: {
    type: 'boolean',
    nullable: false,
    basis: 'stated',
    clause: 'printers/capability-supports-custom-paper-size',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** `printrate` of the capabilities, where it is not null. `rate` is a float. */
export const PRINT_RATE_FIELDS = {
  unit: {
    type: 'string',
    nullable: false,
    values: ['ppm', 'ipm', 'lmp', 'cpm'],
    basis: 'stated',
    clause: 'printers/printrate-unit',
  },
  rate: { type: 'number', nullable: false, basis: 'stated', clause: 'printers/printrate-rate' },
} as const satisfies Readonly<Record<string, Field>>;

/** A print job state object. */
export const PRINT_JOB_STATE_FIELDS = {
  printJobId: { type: 'integer', nullable: false, basis: 'stated', clause: 'states/field-print-job-id' },
  state: { type: 'string', nullable: false, basis: 'stated', clause: 'states/field-state' },
  message: { type: 'string', nullable: false, basis: 'stated', clause: 'states/field-message' },
  data: { type: 'object', nullable: false, basis: 'stated', clause: 'states/field-data' },
  clientVersion: { type: 'string', nullable: true, basis: 'stated', clause: 'states/field-client-version' },
  createTimestamp: {
    type: 'timestamp',
    nullable: false,
    basis: 'stated',
    clause: 'states/field-create-timestamp',
  },
  age: { type: 'integer', nullable: false, basis: 'stated', clause: 'states/field-age' },
} as const satisfies Readonly<Record<string, Field>>;

/** A scale data object. */
export const SCALE_FIELDS = {
  mass: { type: 'array of 2', nullable: false, basis: 'stated', clause: 'scales/field-mass' },
  computerId: { type: 'integer', nullable: false, basis: 'stated', clause: 'scales/field-computer-id' },
  vendor: { type: 'string', nullable: false, basis: 'stated', clause: 'scales/field-vendor' },
  vendorId: { type: 'integer', nullable: false, basis: 'stated', clause: 'scales/field-vendor-id' },
  productId: { type: 'integer', nullable: false, basis: 'stated', clause: 'scales/field-product-id' },
  port: { type: 'string', nullable: false, basis: 'stated', clause: 'scales/field-port' },
  deviceName: { type: 'string', nullable: false, basis: 'stated', clause: 'scales/field-device-name' },
  deviceNum: { type: 'integer', nullable: false, basis: 'stated', clause: 'scales/field-device-num' },
  count: { type: 'null', nullable: true, basis: 'stated', clause: 'scales/field-count' },
  measurement: { type: 'object', nullable: false, basis: 'stated', clause: 'scales/field-measurement' },
  clientReportedCreateTimestamp: {
    type: 'timestamp',
    nullable: false,
    basis: 'stated',
    clause: 'scales/field-client-reported-create-timestamp',
  },
  ntpOffset: { type: 'null', nullable: true, basis: 'stated', clause: 'scales/field-ntp-offset' },
  ageOfData: { type: 'integer', nullable: false, basis: 'stated', clause: 'scales/field-age-of-data' },
} as const satisfies Readonly<Record<string, Field>>;

/** Units that may be keys of `measurement`; each value is in billionths of its unit. */
export const MEASUREMENT_UNITS = {
  g: { clause: 'scales/measurement-units' },
  kg: { clause: 'scales/measurement-units' },
  lb: { clause: 'scales/measurement-units' },
  oz: { clause: 'scales/measurement-units' },
} as const;

/** The virtual scale of PUT /scale. */
export const VIRTUAL_SCALE = {
  deviceName: { value: 'Service Test Scale', clause: 'scales/simulate-device-name' },
  deviceNum: { value: 0, clause: 'scales/simulate-device-num' },
  computerId: { value: 0, clause: 'scales/simulate-computer-zero' },
} as const;

/** A Webhook object. */
export const WEBHOOK_FIELDS = {
  webhookId: { type: 'integer', nullable: false, basis: 'stated', clause: 'webhooks/field-webhook-id' },
  url: { type: 'string', nullable: false, basis: 'stated', clause: 'webhooks/field-url' },
  secret: { type: 'string', nullable: false, basis: 'stated', clause: 'webhooks/field-secret' },
  messages: { type: 'array of strings', nullable: false, basis: 'stated', clause: 'webhooks/field-messages' },
  receivedEvents: {
    type: 'statistic',
    nullable: false,
    basis: 'stated',
    clause: 'webhooks/field-received-events',
  },
  droppedEvents: {
    type: 'statistic',
    nullable: false,
    basis: 'stated',
    clause: 'webhooks/field-dropped-events',
  },
  successfulRequests: {
    type: 'statistic',
    nullable: false,
    basis: 'stated',
    clause: 'webhooks/field-successful-requests',
  },
  failedRequests: {
    type: 'statistic',
    nullable: false,
    basis: 'stated',
    clause: 'webhooks/field-failed-requests',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** The five measures of each webhook statistic, with the scale of those that decay. */
export const STATISTIC_MEASURES = {
  counts: { scale: null, clause: 'webhooks/measure-counts' },
  exp7d: { scale: { value: 7, unit: 'days' }, clause: 'webhooks/measure-exp7d' },
  exp1d: { scale: { value: 1, unit: 'day' }, clause: 'webhooks/measure-exp1d' },
  exp1h: { scale: { value: 1, unit: 'hour' }, clause: 'webhooks/measure-exp1h' },
  exp5m: { scale: { value: 5, unit: 'minutes' }, clause: 'webhooks/measure-exp5m' },
} as const;

/** An event object in the body of a webhook request. */
export const EVENT_FIELDS = {
  type: {
    type: 'string',
    nullable: false,
    values: ['computer state', 'print job state'],
    basis: 'stated',
    clause: 'events/field-type',
  },
  accountId: { type: 'integer', nullable: false, basis: 'stated', clause: 'events/field-account-id' },
  controllingAccountId: {
    type: 'integer',
    nullable: false,
    basis: 'stated',
    clause: 'events/field-controlling-account-id',
  },
  createdAt: { type: 'timestamp', nullable: false, basis: 'stated', clause: 'events/field-created-at' },
  data: { type: 'object', nullable: false, basis: 'stated', clause: 'events/field-data' },
} as const satisfies Readonly<Record<string, Field>>;
