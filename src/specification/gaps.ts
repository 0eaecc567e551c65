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
    'gap/child-accounts-shape': 'What does an element of childAccounts look like?',
    'gap/versions-shape': 'What does an element of versions look like?',
    'gap/connected-shape': 'What does an element of connected look like?',
    'gap/tags-shape': 'What does Tags look like in the account object of an account with tags?',
    'gap/api-key-record': 'Which fields does an API key have?',
    'gap/create-account-response': 'What does POST /account return?',
    'gap/delete-account-response': 'What does DELETE /account return?',
    'gap/account-state-response': 'What does PUT /account/state return?',
    'gap/tag-request': 'What is the body of POST /account/tag/{name}?',
    'gap/tag-response': 'What do the tag endpoints return?',
    'gap/api-key-request': 'What is the body of POST /account/apikey/{description}?',
    'gap/api-key-response': 'What do the API key endpoints return?',
    'gap/controllable-shape': 'What does GET /account/controllable return?',
  },
  printers: {
    'gap/printers-refresh': 'What does GET /printers/refresh take, do and return?',
  },
  'print-jobs': {
    'gap/print-job-record': 'Which fields does a print job have in lists?',
  },
  scales: {
    'gap/websocket-protocol': 'Which messages does the scale websocket use?',
    'gap/simulate-scale-request': 'What is the body of PUT /scale?',
    'gap/simulate-scale-response': 'What does PUT /scale return?',
  },
  webhooks: {
    'gap/webhook-statistics-nesting': 'How are the five measures nested in the four statistics?',
  },
  'client-downloads': {
    'gap/client-download-record': 'Which fields does a client download have?',
    'gap/client-key-response': 'In what form does GET /client/key/{uuid} return the client key?',
  },
  states: {
    'gap/computer-states': 'Which values can the state of a computer take?',
    'gap/printer-states': 'Which values can the state of a printer take?',
    'gap/cancelled-state': 'Which state does a cancelled job get?',
    'gap/print-job-transitions': 'Which transitions may a print job make after its creation?',
    'gap/computer-transitions': 'When does a computer change its state?',
    'gap/printer-transitions': 'When does a printer change its state?',
  },
  authentication: {
    'gap/permissions-meaning': 'What do the values of permissions mean?',
  },
  events: {
    'gap/message-identifiers': 'How are the message types spelt in messages?',
    'gap/message-types-all': 'Which message types exist?',
    'gap/computer-event-data': 'What does data of a computer state event contain?',
    'gap/print-job-event-data': 'What does data of a print job state event contain?',
    'gap/secret-transmission': 'How does a request carry the secret?',
  },
  errors: {
    'gap/error-codes': 'Which error codes exist, and which condition causes each?',
  },
  limits: {
    'gap/limit-upper-bound': 'What is the largest limit that a list accepts?',
  },
  versioning: {
    'gap/version-selection': 'How does a caller choose an API version?',
  },
} as const satisfies Questions;

/** Where the specification says nothing, yet a service must decide. */
const SILENT = {
  service: {
    'gap/unknown-id-in-set': 'What does a request get for an id in its set that does not exist?',
    'gap/after-without-record': 'May after name an id that is not in the list?',
    'gap/set-ranges': 'Are ranges like 5-9 allowed in sets?',
    'gap/unknown-query-parameters': 'What happens to query parameters that the specification does not name?',
    'gap/other-media-types': 'What happens to a body with another Content-Type, such as text/plain?',
    'gap/body-structure':
      'How deep may a body nest, how many values may it have, and how long may a text without a printed limit be?',
    'gap/preflight': 'What does OPTIONS without credentials get?',
    'gap/repeated-names': 'What does a name that occurs twice in one object of a body mean?',
  },
  accounts: {
    'gap/suspension-effect': 'What can a suspended account no longer do, and what happens to its waiting jobs?',
    'gap/account-calls-without-child-header':
      'What do PATCH and DELETE /account and the state endpoints do without a Child header?',
    'gap/api-key-repeated-name': 'What happens when an API key is created under a name that is taken?',
  },
  computers: {
    'gap/deleted-computer-effect':
      'What happens to the printers and jobs of a deleted computer, and to the computer when it connects again?',
  },
  'print-jobs': {
    'gap/print-job-states-shape':
      'Are the states of several jobs one array, or an array for each job, and in what order?',
    'gap/print-job-states-paging': 'Do the states endpoints take limit, after and dir?',
    'gap/expire-after-bounds': 'What are the smallest and the largest expireAfter?',
    'gap/idempotency-scope': 'Is an idempotency key unique within its account, or within the whole service?',
    'gap/idempotency-refused': 'Does a refused submission use up its idempotency key?',
    'gap/idempotency-empty': 'What does an empty idempotency key mean?',
    'gap/idempotency-length': 'How long may an idempotency key be?',
    'gap/expired-cancelled': 'Can a job that expired, and so was never delivered, be cancelled?',
    'gap/unreadable-document': 'What happens to a job whose document the service can no longer read?',
    'gap/qty-above-maximum': 'What happens to a qty above 999?',
    'gap/options-outside-capabilities': 'What happens to an option whose value the printer’s capabilities do not list?',
  },
  scales: {
    'gap/scale-name-case': 'Does the case of a device name in a path matter?',
    'gap/scale-extra-fields': 'Does a scale data object have fields beyond the printed ones, such as product?',
  },
  webhooks: {
    'gap/webhooks-order': 'In what order does GET /webhooks list webhooks?',
    'gap/unknown-webhook': 'What do PATCH and DELETE of a webhook that does not exist get?',
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
    'gap/other-print-job-states': 'Which states can a job pass through between sent_to_client and its end?',
  },
  authentication: {
    'gap/several-child-headers': 'What happens when two Child headers name two Children?',
    'gap/basic-password': 'What happens when a caller sends a password with an API key?',
  },
  events: {
    'gap/event-order': 'In what order does a request list its events?',
    'gap/webhook-request-timeout': 'How long does the service wait for the answer of a target?',
    'gap/webhook-target-identity': 'Do two webhooks with one URL share a target, or does each have a queue of its own?',
    'gap/webhook-of-integrator': 'Does a webhook of an Integrator get the events of its Children?',
  },
  errors: {
    'gap/unknown-path-code': 'Which status and code does a path that does not exist get?',
  },
  limits: {
    'gap/rate-limit-scope': 'The rate counts per address and per account: does either alone refuse a request?',
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
