/**
 * Gaps: what the specification leaves open. Checks record what a target does here and never fail it.
 */

import type { Chapter, Gap } from './clause.ts';
import { SOURCES } from './outline.ts';

type Questions = Readonly<Partial<Record<Chapter, Readonly<Record<string, string>>>>>;

/** What the specification calls "not shown" itself: its seventeen lines, split into what each of them lists. */
const NOT_SHOWN = {
  service: {
    'gap/x-pretty-effect': 'What does X-Pretty do?',
    'gap/x-dont-log-effect': 'What does X-Dont-Log do?',
  },
  accounts: {
    'gap/child-accounts-shape': 'What is an element of childAccounts?',
    'gap/versions-shape': 'What is an element of versions?',
    'gap/connected-shape': 'What is an element of connected?',
    'gap/tags-shape': 'What does Tags of the account object look like when there are tags?',
    'gap/api-key-record': 'Which fields has an API key?',
    'gap/create-account-response': 'What does POST /account answer?',
    'gap/delete-account-response': 'What does DELETE /account answer?',
    'gap/account-state-response': 'What does PUT /account/state answer?',
    'gap/tag-request': 'What is the body of POST /account/tag/{name}?',
    'gap/tag-response': 'What do the tag endpoints answer?',
    'gap/api-key-request': 'What is the body of POST /account/apikey/{description}?',
    'gap/api-key-response': 'What do the API key endpoints answer?',
    'gap/controllable-shape': 'What does GET /account/controllable answer?',
  },
  printers: {
    'gap/printers-refresh': 'What does GET /printers/refresh take, do and answer?',
  },
  'print-jobs': {
    'gap/print-job-record': 'Which fields has a print job in the lists?',
  },
  scales: {
    'gap/websocket-protocol': 'Which messages does the scale websocket speak?',
    'gap/simulate-scale-request': 'What is the body of PUT /scale?',
    'gap/simulate-scale-response': 'What does PUT /scale answer?',
  },
  webhooks: {
    'gap/webhook-statistics-nesting': 'How are the five measures nested in the four statistics?',
  },
  'client-downloads': {
    'gap/client-download-record': 'Which fields has a client download?',
    'gap/client-key-response': 'In what shape does GET /client/key/{uuid} answer the client key?',
  },
  states: {
    'gap/computer-states': 'Which values can the state of a computer take?',
    'gap/printer-states': 'Which values can the state of a printer take?',
    'gap/cancelled-state': 'Which state does a cancelled job take?',
    'gap/print-job-transitions': 'From which state to which may a print job go, but for its creation?',
    'gap/computer-transitions': 'When does a computer change its state?',
    'gap/printer-transitions': 'When does a printer change its state?',
  },
  authentication: {
    'gap/permissions-meaning': 'What do the values of permissions mean?',
  },
  events: {
    'gap/message-identifiers': 'How are the message types spelt in messages?',
    'gap/message-types-all': 'Which message types are there?',
    'gap/computer-event-data': 'What is data of a computer state event?',
    'gap/print-job-event-data': 'What is data of a print job state event?',
    'gap/secret-transmission': 'How does a request carry the secret?',
  },
  errors: {
    'gap/error-codes': 'Which error codes are there, and which condition yields which?',
  },
  limits: {
    'gap/limit-upper-bound': 'What is the greatest limit a list takes?',
  },
  versioning: {
    'gap/version-selection': 'How does a caller choose an API version?',
  },
} as const satisfies Questions;

/** Where the specification says nothing, yet a service must decide. */
const SILENT = {
  service: {
    'gap/unknown-id-in-set': 'What is answered for an id in a set that does not exist?',
    'gap/after-without-record': 'May after be an id that is not in the list?',
    'gap/set-ranges': 'Are ranges like 5-9 allowed in sets?',
    'gap/unknown-query-parameters': 'What happens with query parameters that the specification does not name?',
    'gap/other-media-types': 'What happens to a body with another Content-Type, such as text/plain?',
    'gap/body-structure':
      'How deep and how rich may the structure of a body be, and how long a text for which no limit is printed?',
    'gap/preflight': 'What does OPTIONS without credentials get?',
    'gap/repeated-names': 'What does a name mean that occurs twice in one object of a body?',
  },
  accounts: {
    'gap/suspension-effect': 'What can a suspended account no longer do, and what happens to its waiting jobs?',
    'gap/account-calls-without-child-header':
      'What do PATCH and DELETE /account and the state endpoints do without a Child header?',
    'gap/api-key-repeated-name': 'What does creating an API key do when there is one of that name?',
  },
  computers: {
    'gap/deleted-computer-effect':
      'What happens to the printers and jobs of a deleted computer, and to the computer when it connects again?',
  },
  'print-jobs': {
    'gap/print-job-states-shape':
      'Are the states of several jobs one array, or an array for each job, and in what order?',
    'gap/print-job-states-paging': 'Do the states endpoints take limit, after and dir?',
    'gap/expire-after-bounds': 'What is the smallest and the greatest expireAfter?',
    'gap/idempotency-scope': 'Is an idempotency key counted in its account, or in the whole service?',
    'gap/idempotency-refused': 'Does a submission that is refused use up its idempotency key?',
    'gap/idempotency-empty': 'What does an empty idempotency key mean?',
    'gap/idempotency-length': 'How long may an idempotency key be?',
    'gap/expired-cancelled': 'Can a job be cancelled that has expired, and so was never delivered?',
    'gap/unreadable-document': 'What becomes of a job whose document the service can no longer read?',
    'gap/qty-above-maximum': 'What happens with a qty above 999?',
    'gap/options-outside-capabilities':
      'What happens with an option whose value the capabilities of the printer do not list?',
  },
  scales: {
    'gap/scale-name-case': 'Does the case of a device name in a path matter?',
    'gap/scale-extra-fields': 'Does a scale data object have fields beyond the printed ones, such as product?',
  },
  webhooks: {
    'gap/webhooks-order': 'In what order does GET /webhooks list?',
    'gap/unknown-webhook': 'What do PATCH and DELETE of a webhook get that does not exist?',
    'gap/webhook-sixth-code': 'Which status and code does a sixth webhook get?',
  },
  'client-downloads': {
    'gap/client-download-short-path': 'Does GET /download/client/{os} answer with a record, or redirect to the file?',
    'gap/client-download-update-response': 'Does PATCH /download/clients/{download_id_set} answer with whole records?',
  },
  misc: {
    'gap/ping-body': 'What is the body of GET /ping?',
  },
  states: {
    'gap/other-print-job-states': 'Which states does a job take between sent_to_client and its end?',
  },
  authentication: {
    'gap/several-child-headers': 'What happens when two Child headers name two Children?',
    'gap/basic-password': 'What happens when a password is sent beside an API key?',
  },
  events: {
    'gap/event-order': 'In what order do the events of a request stand?',
    'gap/webhook-request-timeout': 'How long does the service wait for the answer of a target?',
    'gap/webhook-target-identity': 'Do two webhooks with one URL share a target, or has each its own queue?',
    'gap/webhook-of-integrator': 'Does a webhook of an Integrator get the events of its Children?',
  },
  errors: {
    'gap/unknown-path-code': 'Which status and code does a path that does not exist get?',
  },
  limits: {
    'gap/rate-limit-scope': 'The rate is counted per address and per account: does either alone refuse a request?',
    'gap/rate-limit-refused-cost': 'Does a request refused with 429 count towards the rate?',
    'gap/megabyte': 'Is a megabyte 1000000 or 1048576 bytes?',
  },
} as const satisfies Questions;

type IdIn<Table> = { [C in keyof Table]: keyof Table[C] }[keyof Table];

export type GapId = IdIn<typeof NOT_SHOWN> | IdIn<typeof SILENT>;

export const GAPS: readonly (Gap & { readonly id: GapId })[] = [
  ...gapsOf('not-shown', NOT_SHOWN),
  ...gapsOf('silent', SILENT),
];

function gapsOf(kind: Gap['kind'], table: Questions): (Gap & { readonly id: GapId })[] {
  return Object.entries(table).flatMap(([chapter, questions]) =>
    Object.entries(questions).map(([id, question]) => ({
      id: id as GapId,
      chapter: chapter as Chapter,
      kind,
      question,
      source: SOURCES.get(id) ?? '',
    })),
  );
}
