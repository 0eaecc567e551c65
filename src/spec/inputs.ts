/**
 * Fields of everything a caller sends: request bodies, print options, query parameters. Required or not,
 * the values and defaults the specification prints, and the clause that says so.
 */

import type { InputField } from './clause.ts';

/** Body of POST /printjobs. */
export const PRINT_JOB_INPUT = {
  printerId: { type: 'integer', nullable: false, required: true, clause: 'print-jobs/body-printer-id' },
  contentType: {
    type: 'string',
    nullable: false,
    required: true,
    values: ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'],
    clause: 'print-jobs/body-content-type',
  },
  content: { type: 'string', nullable: false, required: true, clause: 'print-jobs/body-content' },
  title: { type: 'string', nullable: false, required: false, clause: 'print-jobs/body-title' },
  source: { type: 'string', nullable: false, required: false, clause: 'print-jobs/body-source' },
  options: { type: 'object', nullable: true, required: false, clause: 'print-jobs/body-options' },
  expireAfter: {
    type: 'integer',
    nullable: false,
    required: false,
    default: 1209600,
    clause: 'print-jobs/body-expire-after',
  },
  qty: { type: 'integer', nullable: false, required: false, default: 1, clause: 'print-jobs/body-qty' },
  authentication: {
    type: 'object',
    nullable: false,
    required: false,
    clause: 'print-jobs/body-authentication',
  },
} as const satisfies Readonly<Record<string, InputField>>;

/** `authentication` of a print job. */
export const DOCUMENT_AUTHENTICATION_INPUT = {
  type: {
    type: 'string',
    nullable: false,
    required: true,
    values: ['BasicAuth', 'DigestAuth'],
    clause: 'print-jobs/document-authentication-type',
  },
  credentials: {
    type: 'object',
    nullable: false,
    required: true,
    clause: 'print-jobs/document-authentication-credentials',
  },
} as const satisfies Readonly<Record<string, InputField>>;

/** `credentials` in `authentication` of a print job. */
export const DOCUMENT_CREDENTIALS_INPUT = {
  user: {
    type: 'string',
    nullable: false,
    required: true,
    clause: 'print-jobs/document-authentication-credentials',
  },
  pass: {
    type: 'string',
    nullable: false,
    required: true,
    clause: 'print-jobs/document-authentication-credentials',
  },
} as const satisfies Readonly<Record<string, InputField>>;

/** `options` of a print job. */
export const PRINT_OPTIONS = {
  bin: { type: 'string', nullable: false, required: false, clause: 'print-jobs/option-bin' },
  collate: { type: 'boolean', nullable: false, required: false, clause: 'print-jobs/option-collate' },
  color: { type: 'boolean', nullable: false, required: false, clause: 'print-jobs/option-color' },
  copies: {
    type: 'integer',
    nullable: false,
    required: false,
    default: 1,
    clause: 'print-jobs/option-copies',
  },
  dpi: { type: 'string', nullable: false, required: false, clause: 'print-jobs/option-dpi' },
  duplex: {
    type: 'string',
    nullable: false,
    required: false,
    values: ['long-edge', 'short-edge', 'one-sided'],
    clause: 'print-jobs/option-duplex',
  },
  fit_to_page: { type: 'boolean', nullable: false, required: false, clause: 'print-jobs/option-fit-to-page' },
  media: { type: 'string', nullable: false, required: false, clause: 'print-jobs/option-media' },
  nup: { type: 'integer', nullable: false, required: false, default: 1, clause: 'print-jobs/option-nup' },
  pages: { type: 'string', nullable: false, required: false, clause: 'print-jobs/option-pages' },
  paper: { type: 'string', nullable: false, required: false, clause: 'print-jobs/option-paper' },
  rotate: {
    type: 'integer',
    nullable: false,
    required: false,
    values: [0, 90, 180, 270],
    clause: 'print-jobs/option-rotate',
  },
} as const satisfies Readonly<Record<string, InputField>>;

/** Query parameters of the collection endpoints. */
export const LIST_PARAMETERS = {
  limit: { type: 'integer', nullable: false, required: false, default: 100, clause: 'service/page-limit' },
  dir: {
    type: 'string',
    nullable: false,
    required: false,
    values: ['asc', 'desc'],
    default: 'desc',
    clause: 'service/page-dir',
  },
  after: { type: 'integer', nullable: false, required: false, clause: 'service/page-after' },
} as const satisfies Readonly<Record<string, InputField>>;

/** Body of POST /account, as JSON or form. */
export const ACCOUNT_CREATION_INPUT = {
  'Account[firstname]': {
    type: 'string',
    nullable: false,
    required: true,
    clause: 'accounts/create-firstname',
  },
  'Account[lastname]': {
    type: 'string',
    nullable: false,
    required: true,
    clause: 'accounts/create-lastname',
  },
  'Account[email]': { type: 'string', nullable: false, required: true, clause: 'accounts/create-email' },
  'Account[password]': {
    type: 'string',
    nullable: false,
    required: true,
    clause: 'accounts/create-password',
  },
  'Account[creatorRef]': {
    type: 'string',
    nullable: false,
    required: false,
    clause: 'accounts/create-creator-ref',
  },
  'ApiKeys[]': {
    type: 'array of strings',
    nullable: false,
    required: false,
    clause: 'accounts/create-api-keys',
  },
  'Tags[]': { type: 'object', nullable: false, required: false, clause: 'accounts/create-tags' },
} as const satisfies Readonly<Record<string, InputField>>;

/** Body of PATCH /account. */
export const ACCOUNT_UPDATE_INPUT = {
  firstname: { type: 'string', nullable: false, required: false, clause: 'accounts/update-firstname' },
  lastname: { type: 'string', nullable: false, required: false, clause: 'accounts/update-lastname' },
  email: { type: 'string', nullable: false, required: false, clause: 'accounts/update-email' },
  password: { type: 'string', nullable: false, required: false, clause: 'accounts/update-password' },
  creatorRef: { type: 'string', nullable: false, required: false, clause: 'accounts/update-creator-ref' },
} as const satisfies Readonly<Record<string, InputField>>;

/** Body of POST /webhook; in PATCH /webhook/{webhook_id} each of them is optional. */
export const WEBHOOK_INPUT = {
  url: { type: 'string', nullable: false, required: true, clause: 'webhooks/create-url' },
  secret: { type: 'string', nullable: false, required: true, clause: 'webhooks/create-secret' },
  messages: { type: 'array of strings', nullable: false, required: true, clause: 'webhooks/create-messages' },
} as const satisfies Readonly<Record<string, InputField>>;

/** Body of PATCH /download/clients/{download_id_set}. */
export const DOWNLOAD_INPUT = {
  enabled: { type: 'boolean', nullable: false, required: true, clause: 'client-downloads/update-enabled' },
} as const satisfies Readonly<Record<string, InputField>>;

/** Query parameters of GET /client/key/{uuid}. */
export const CLIENT_KEY_PARAMETERS = {
  edition: { type: 'string', nullable: false, required: true, clause: 'client-downloads/client-key-edition' },
  version: { type: 'string', nullable: false, required: true, clause: 'client-downloads/client-key-version' },
} as const satisfies Readonly<Record<string, InputField>>;

/** Message type that subscribes a webhook to all of them. It stands alone. */
export const EVERY_MESSAGE = { value: '*', clause: 'webhooks/messages-star-means-every' } as const;

/** Values of `{os}`. */
export const OPERATING_SYSTEMS = {
  osx: { clause: 'client-downloads/latest-osx' },
  windows: { clause: 'client-downloads/latest-windows' },
} as const;
