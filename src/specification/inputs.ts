/**
 * Fields of everything a caller sends: request bodies, print options, query parameters. Required or not,
 * the values and defaults the specification prints, and the clause that says so.
 */

import type { Bounds, InputField } from './clause.ts';
import { LIMITS } from './limits.ts';

type Inputs = Readonly<Record<string, InputField>>;

export const PRINT_OPTIONS = {
  bin: { type: 'string', clause: 'print-jobs/option-bin' },
  collate: { type: 'boolean', clause: 'print-jobs/option-collate' },
  color: { type: 'boolean', clause: 'print-jobs/option-color' },
  copies: { type: 'integer', minimum: 1, default: 1, clause: 'print-jobs/option-copies' },
  dpi: { type: 'string', clause: 'print-jobs/option-dpi' },
  duplex: {
    type: 'string',
    values: ['long-edge', 'short-edge', 'one-sided'],
    clause: 'print-jobs/option-duplex',
  },
  fit_to_page: { type: 'boolean', clause: 'print-jobs/option-fit-to-page' },
  media: { type: 'string', clause: 'print-jobs/option-media' },
  nup: { type: 'integer', default: 1, clause: 'print-jobs/option-nup' },
  pages: { type: 'string', clause: 'print-jobs/option-pages' },
  paper: { type: 'string', clause: 'print-jobs/option-paper' },
  rotate: { type: 'integer', values: [0, 90, 180, 270], clause: 'print-jobs/option-rotate' },
} as const satisfies Inputs;

/** `credentials` in `authentication` of a print job. */
export const DOCUMENT_CREDENTIALS_INPUT = {
  user: { type: 'string', required: true, clause: 'print-jobs/document-authentication-credentials' },
  pass: { type: 'string', required: true, clause: 'print-jobs/document-authentication-credentials' },
} as const satisfies Inputs;

/** `authentication` of a print job. */
export const DOCUMENT_AUTHENTICATION_INPUT = {
  type: {
    type: 'string',
    required: true,
    values: ['BasicAuth', 'DigestAuth'],
    clause: 'print-jobs/document-authentication-type',
  },
  credentials: {
    type: 'object',
    required: true,
    fields: DOCUMENT_CREDENTIALS_INPUT,
    clause: 'print-jobs/document-authentication-credentials',
  },
} as const satisfies Inputs;

/** Body of POST /printjobs. */
export const PRINT_JOB_INPUT = {
  printerId: { type: 'integer', minimum: 1, required: true, clause: 'print-jobs/body-printer-id' },
  contentType: {
    type: 'string',
    required: true,
    values: ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'],
    clause: 'print-jobs/body-content-type',
  },
  content: { type: 'string', required: true, clause: 'print-jobs/body-content' },
  title: { type: 'string', clause: 'print-jobs/body-title' },
  source: { type: 'string', clause: 'print-jobs/body-source' },
  options: { type: 'object', nullable: true, fields: PRINT_OPTIONS, clause: 'print-jobs/body-options' },
  expireAfter: {
    type: 'integer',
    default: LIMITS.expireAfterDefaultSeconds.value,
    clause: 'print-jobs/body-expire-after',
  },
  qty: {
    type: 'integer',
    minimum: 1,
    default: LIMITS.qtyDefault.value,
    limit: LIMITS.qtyMaximum,
    clause: 'print-jobs/body-qty',
  },
  authentication: {
    type: 'object',
    fields: DOCUMENT_AUTHENTICATION_INPUT,
    clause: 'print-jobs/body-authentication',
  },
} as const satisfies Inputs;

export type ContentType = (typeof PRINT_JOB_INPUT.contentType.values)[number];

/** Query parameters of the collection endpoints. */
export const LIST_PARAMETERS = {
  limit: { type: 'integer', default: LIMITS.pageSize.value, clause: 'service/page-limit' },
  dir: { type: 'string', values: ['asc', 'desc'], default: 'desc', clause: 'service/page-dir' },
  after: { type: 'integer', clause: 'service/page-after' },
} as const satisfies Inputs;

/** Name of a tag, in a path or as a key of Tags. */
export const TAG_NAME = {
  pattern: '^[A-Za-z0-9._-]+$',
  maxLength: LIMITS.tagNameCharacters.value,
} as const satisfies Bounds;

/** Body of POST /account, as JSON or form. */
export const ACCOUNT_CREATION_INPUT = {
  'Account[firstname]': { type: 'string', minLength: 1, required: true, clause: 'accounts/create-firstname' },
  'Account[lastname]': { type: 'string', minLength: 1, required: true, clause: 'accounts/create-lastname' },
  'Account[email]': { type: 'string', required: true, clause: 'accounts/create-email' },
  'Account[password]': {
    type: 'string',
    required: true,
    limit: LIMITS.passwordBytes,
    clause: 'accounts/create-password',
  },
  'Account[creatorRef]': { type: 'string', clause: 'accounts/create-creator-ref' },
  'ApiKeys[]': {
    type: 'array of strings',
    maxItems: LIMITS.apiKeyNames.value,
    each: { maxLength: LIMITS.apiKeyNameBytes.value },
    limit: LIMITS.apiKeyNameBytes,
    clause: 'accounts/create-api-keys',
  },
  'Tags[]': {
    type: 'object',
    each: { maxLength: LIMITS.creationTagValueBytes.value },
    names: TAG_NAME,
    limit: LIMITS.creationTagValueBytes,
    clause: 'accounts/create-tags',
  },
} as const satisfies Inputs;

/** Body of PATCH /account. */
export const ACCOUNT_UPDATE_INPUT = {
  firstname: { type: 'string', clause: 'accounts/update-firstname' },
  lastname: { type: 'string', clause: 'accounts/update-lastname' },
  email: { type: 'string', clause: 'accounts/update-email' },
  password: { type: 'string', limit: LIMITS.passwordBytes, clause: 'accounts/update-password' },
  creatorRef: { type: 'string', clause: 'accounts/update-creator-ref' },
} as const satisfies Inputs;

/** Body of POST /webhook; in PATCH /webhook/{webhook_id} each of them is optional. */
export const WEBHOOK_INPUT = {
  url: { type: 'string', required: true, clause: 'webhooks/create-url' },
  secret: { type: 'string', required: true, clause: 'webhooks/create-secret' },
  messages: { type: 'array of strings', required: true, clause: 'webhooks/create-messages' },
} as const satisfies Inputs;

/** Body of PATCH /download/clients/{download_id_set}. */
export const DOWNLOAD_INPUT = {
  enabled: { type: 'boolean', required: true, clause: 'client-downloads/update-enabled' },
} as const satisfies Inputs;

/** Query parameters of GET /client/key/{uuid}. */
export const CLIENT_KEY_PARAMETERS = {
  edition: { type: 'string', required: true, clause: 'client-downloads/client-key-edition' },
  version: { type: 'string', required: true, clause: 'client-downloads/client-key-version' },
} as const satisfies Inputs;

/** Message type that subscribes a webhook to all of them. It must be the only one. */
export const EVERY_MESSAGE = { value: '*', clause: 'webhooks/messages-star-means-every' } as const;

/** Values of `{os}`. */
export const OPERATING_SYSTEMS = {
  osx: { clause: 'client-downloads/latest-osx' },
  windows: { clause: 'client-downloads/latest-windows' },
} as const;
