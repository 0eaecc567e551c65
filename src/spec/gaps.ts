/**
 * Gaps: what the specification leaves open. First what it calls "not shown" itself, each of its seventeen
 * lines split into the things it lists; then where it is silent and a service must decide nevertheless.
 * Checks record what a target does here and never fail it.
 */

import type { Gap } from './clause.ts';

export const GAPS = [
  // Where the specification says so itself
  {
    id: 'gap/print-job-record',
    chapter: 'print-jobs',
    kind: 'not-shown',
    question: 'Which fields has a print job in the lists?',
  },
  {
    id: 'gap/child-accounts-shape',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What is an element of childAccounts?',
  },
  {
    id: 'gap/versions-shape',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What is an element of versions?',
  },
  {
    id: 'gap/connected-shape',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What is an element of connected?',
  },
  {
    id: 'gap/tags-shape',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What does Tags of the account object look like when there are tags?',
  },
  {
    id: 'gap/computer-states',
    chapter: 'states',
    kind: 'not-shown',
    question: 'Which values can the state of a computer take?',
  },
  {
    id: 'gap/printer-states',
    chapter: 'states',
    kind: 'not-shown',
    question: 'Which values can the state of a printer take?',
  },
  {
    id: 'gap/client-download-record',
    chapter: 'client-downloads',
    kind: 'not-shown',
    question: 'Which fields has a client download?',
  },
  {
    id: 'gap/api-key-record',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'Which fields has an API key?',
  },
  {
    id: 'gap/webhook-statistics-nesting',
    chapter: 'webhooks',
    kind: 'not-shown',
    question: 'How are the five measures nested in the four statistics?',
  },
  {
    id: 'gap/cancelled-state',
    chapter: 'states',
    kind: 'not-shown',
    question: 'Which state does a cancelled job take?',
  },
  {
    id: 'gap/print-job-transitions',
    chapter: 'states',
    kind: 'not-shown',
    question: 'From which state to which may a print job go, but for its creation?',
  },
  {
    id: 'gap/computer-transitions',
    chapter: 'states',
    kind: 'not-shown',
    question: 'When does a computer change its state?',
  },
  {
    id: 'gap/printer-transitions',
    chapter: 'states',
    kind: 'not-shown',
    question: 'When does a printer change its state?',
  },
  {
    id: 'gap/websocket-protocol',
    chapter: 'scales',
    kind: 'not-shown',
    question: 'Which messages does the scale websocket speak?',
  },
  {
    id: 'gap/create-account-response',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What does POST /account answer?',
  },
  {
    id: 'gap/delete-account-response',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What does DELETE /account answer?',
  },
  {
    id: 'gap/account-state-response',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What does PUT /account/state answer?',
  },
  {
    id: 'gap/tag-request',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What is the body of POST /account/tag/{name}?',
  },
  {
    id: 'gap/tag-response',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What do the tag endpoints answer?',
  },
  {
    id: 'gap/api-key-request',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What is the body of POST /account/apikey/{description}?',
  },
  {
    id: 'gap/api-key-response',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What do the API key endpoints answer?',
  },
  {
    id: 'gap/controllable-shape',
    chapter: 'accounts',
    kind: 'not-shown',
    question: 'What does GET /account/controllable answer?',
  },
  {
    id: 'gap/simulate-scale-request',
    chapter: 'scales',
    kind: 'not-shown',
    question: 'What is the body of PUT /scale?',
  },
  {
    id: 'gap/simulate-scale-response',
    chapter: 'scales',
    kind: 'not-shown',
    question: 'What does PUT /scale answer?',
  },
  {
    id: 'gap/client-key-response',
    chapter: 'client-downloads',
    kind: 'not-shown',
    question: 'In what shape does GET /client/key/{uuid} answer the client key?',
  },
  {
    id: 'gap/printers-refresh',
    chapter: 'printers',
    kind: 'not-shown',
    question: 'What does GET /printers/refresh take, do and answer?',
  },
  { id: 'gap/x-pretty-effect', chapter: 'service', kind: 'not-shown', question: 'What does X-Pretty do?' },
  {
    id: 'gap/x-dont-log-effect',
    chapter: 'service',
    kind: 'not-shown',
    question: 'What does X-Dont-Log do?',
  },
  {
    id: 'gap/permissions-meaning',
    chapter: 'authentication',
    kind: 'not-shown',
    question: 'What do the values of permissions mean?',
  },
  {
    id: 'gap/message-identifiers',
    chapter: 'events',
    kind: 'not-shown',
    question: 'How are the message types spelt in messages?',
  },
  {
    id: 'gap/message-types-all',
    chapter: 'events',
    kind: 'not-shown',
    question: 'Which message types are there?',
  },
  {
    id: 'gap/computer-event-data',
    chapter: 'events',
    kind: 'not-shown',
    question: 'What is data of a computer state event?',
  },
  {
    id: 'gap/print-job-event-data',
    chapter: 'events',
    kind: 'not-shown',
    question: 'What is data of a print job state event?',
  },
  {
    id: 'gap/secret-transmission',
    chapter: 'events',
    kind: 'not-shown',
    question: 'How does a request carry the secret?',
  },
  {
    id: 'gap/error-codes-all',
    chapter: 'errors',
    kind: 'not-shown',
    question: 'Which error codes are there, and which condition yields which?',
  },
  {
    id: 'gap/limit-upper-bound',
    chapter: 'limits',
    kind: 'not-shown',
    question: 'What is the greatest limit a list takes?',
  },
  {
    id: 'gap/version-selection',
    chapter: 'versioning',
    kind: 'not-shown',
    question: 'How does a caller choose an API version?',
  },
  // Where it is silent
  {
    id: 'gap/unknown-id-in-set',
    chapter: 'service',
    kind: 'silent',
    question: 'What is answered for an id in a set that does not exist?',
  },
  {
    id: 'gap/set-ranges',
    chapter: 'service',
    kind: 'silent',
    question: 'Are ranges like 5-9 allowed in sets?',
  },
  {
    id: 'gap/unknown-query-parameters',
    chapter: 'service',
    kind: 'silent',
    question: 'What happens with query parameters nobody named?',
  },
  {
    id: 'gap/unknown-path-code',
    chapter: 'errors',
    kind: 'silent',
    question: 'Which status and code does a path that does not exist get?',
  },
  {
    id: 'gap/several-child-headers',
    chapter: 'authentication',
    kind: 'silent',
    question: 'What happens when two Child headers name two Children?',
  },
  {
    id: 'gap/suspension-effect',
    chapter: 'accounts',
    kind: 'silent',
    question: 'What can a suspended account no longer do, and what becomes of its waiting jobs?',
  },
  {
    id: 'gap/account-calls-without-child-header',
    chapter: 'accounts',
    kind: 'silent',
    question: 'What do PATCH and DELETE /account and the state endpoints do without a Child header?',
  },
  {
    id: 'gap/api-key-repeated-name',
    chapter: 'accounts',
    kind: 'silent',
    question: 'What does creating an API key do when there is one of that name?',
  },
  {
    id: 'gap/deleted-computer-effect',
    chapter: 'computers',
    kind: 'silent',
    question:
      'What becomes of the printers and jobs of a deleted computer, and of the computer when it connects again?',
  },
  {
    id: 'gap/print-job-states-shape',
    chapter: 'print-jobs',
    kind: 'silent',
    question: 'Are the states of several jobs one array, or an array for each job, and in what order?',
  },
  {
    id: 'gap/print-job-states-paging',
    chapter: 'print-jobs',
    kind: 'silent',
    question: 'Do the states endpoints take limit, after and dir?',
  },
  {
    id: 'gap/other-print-job-states',
    chapter: 'states',
    kind: 'silent',
    question: 'Which states does a job take between sent_to_client and its end?',
  },
  {
    id: 'gap/expire-after-bounds',
    chapter: 'print-jobs',
    kind: 'silent',
    question: 'What is the smallest and the greatest expireAfter?',
  },
  {
    id: 'gap/qty-above-maximum',
    chapter: 'print-jobs',
    kind: 'silent',
    question: 'What happens with a qty above 999?',
  },
  {
    id: 'gap/options-outside-capabilities',
    chapter: 'print-jobs',
    kind: 'silent',
    question: 'What happens with an option whose value the capabilities of the printer do not list?',
  },
  {
    id: 'gap/scale-extra-fields',
    chapter: 'scales',
    kind: 'silent',
    question: 'Does a scale data object have fields beyond the printed ones, such as product?',
  },
  {
    id: 'gap/webhooks-order',
    chapter: 'webhooks',
    kind: 'silent',
    question: 'In what order does GET /webhooks list?',
  },
  {
    id: 'gap/webhook-sixth-code',
    chapter: 'webhooks',
    kind: 'silent',
    question: 'Which status and code does a sixth webhook get?',
  },
  {
    id: 'gap/webhook-request-timeout',
    chapter: 'events',
    kind: 'silent',
    question: 'How long does the service wait for the answer of a target?',
  },
  {
    id: 'gap/webhook-target-identity',
    chapter: 'events',
    kind: 'silent',
    question: 'Do two webhooks with one URL share a target, or has each its own queue?',
  },
  {
    id: 'gap/webhook-of-integrator',
    chapter: 'events',
    kind: 'silent',
    question: 'Does a webhook of an Integrator get the events of its Children?',
  },
  {
    id: 'gap/client-download-short-path',
    chapter: 'client-downloads',
    kind: 'silent',
    question: 'Does GET /download/client/{os} answer with a record, or redirect to the file?',
  },
  {
    id: 'gap/client-download-update-response',
    chapter: 'client-downloads',
    kind: 'silent',
    question: 'Does PATCH /download/clients/{download_id_set} answer with whole records?',
  },
  { id: 'gap/ping-body', chapter: 'misc', kind: 'silent', question: 'What is the body of GET /ping?' },
  {
    id: 'gap/rate-limit-scope',
    chapter: 'limits',
    kind: 'silent',
    question: 'The rate is counted per address and per account: does either alone refuse a request?',
  },
  {
    id: 'gap/megabyte',
    chapter: 'limits',
    kind: 'silent',
    question: 'Is a megabyte 1000000 or 1048576 bytes?',
  },
] as const satisfies readonly Gap[];

export type GapId = (typeof GAPS)[number]['id'];
