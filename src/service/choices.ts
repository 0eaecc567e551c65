/**
 * Choices: what this service does where the specification is silent, keyed by gap id.
 *
 * Checks record such answers and never fail on them. Where a real service might well differ, the choice is a
 * switch (ServiceChoices): a service with a switch turned conforms as well.
 */

import type { GapId } from '../specification/gaps.ts';

/** Choices that can be switched. */
export interface ServiceChoices {
  /** gap/cancelled-state: the state that a cancelled job takes. */
  readonly cancelledState: string;
  /** gap/limit-upper-bound: a larger `limit` is cut to this. */
  readonly limitMaximum: number;
  /** gap/rate-limit-scope: what requests are counted by. An address counts every request, also to /ping. */
  readonly rateLimitScope: 'account' | 'address' | 'both';
  /** gap/webhook-statistics-nesting: `receivedEvents: {counts, …}`, or `counts: {receivedEvents, …}`. */
  readonly statisticsNesting: 'by-statistic' | 'by-measure';
  /** gap/webhooks-order: the order of GET /webhooks. */
  readonly webhooksNewestFirst: boolean;
  /** gap/webhook-of-integrator: whether an Integrator Account's webhooks hear of its Child Accounts. */
  readonly integratorHearsChildren: boolean;
  /** gap/client-download-record: the {app_url} that the addresses of downloads begin with. */
  readonly appUrl: string;
}

export const DEFAULT_CHOICES: ServiceChoices = {
  cancelledState: 'deleted',
  limitMaximum: 1_000,
  rateLimitScope: 'account',
  statisticsNesting: 'by-statistic',
  webhooksNewestFirst: true,
  integratorHearsChildren: true,
  appUrl: 'https://app.platen.example',
};

/** Every choice, and why: `what the service does, because …`. */
export const CHOICES = {
  'gap/cancelled-state':
    'a cancelled job takes the state `deleted` (switch: cancelledState), ' +
    'because it is what services of this kind are seen to answer',
  'gap/expired-cancelled': 'no: it has ended, and is not among the ids',
  'gap/limit-upper-bound':
    'a `limit` above 1000 is cut to 1000 (switch: limitMaximum), ' +
    'because no caller loses records by it, since pages continue after the last id',
  'gap/ping-body': 'the JSON text "OK", because every response is JSON',
  'gap/megabyte':
    'the 50 MB of a request body are 50 · 1024 · 1024 bytes, ' +
    'because the more generous reading refuses nothing that the other one allows',
  'gap/rate-limit-scope':
    'requests are counted by the account they act for (switch: rateLimitScope), ' +
    'because one office behind one address may have many accounts',
  'gap/rate-limit-refused-cost':
    'a refused request is not counted, ' +
    'because a caller in excess still gets its ten a second through, and recovers at once',
  'gap/x-pretty-effect': 'the JSON is indented by two spaces; `0` and `false` mean off, because the name says so',
  'gap/x-dont-log-effect':
    'the request is left out of what the workbench shows of the traffic; `0` and `false` mean off, ' +
    'because that is the only log of requests there is',
  'gap/version-selection':
    'Accept-Version is taken and changes nothing: there is one version, which Api-Version names, ' +
    'because some clients always send a range of another service, and could not make one call',
  'gap/other-media-types':
    'a text/plain body is a string; another type, or a Content-Encoding, is refused with 415; an empty ' +
    'body counts as none, because the value of a tag is plain text to some clients; nothing else can be ' +
    'read safely',
  'gap/body-structure':
    'more than 32 levels or 100,000 values, and a form key of more than 10,000 characters, are refused with 400 ' +
    '`InvalidContent`; a text of more than 1,000 characters, an address or options (as JSON) of more than 10,000, with ' +
    '400 `BadRequest`; a document may be as long as its body; more than ten of the largest bodies at once get 503, ' +
    'because within 50 MB, brackets alone would grow into gigabytes, and a list shows the titles of a thousand jobs',
  'gap/repeated-names':
    'a name that occurs twice in an object is refused with 400 `InvalidContent`, ' +
    'because whichever value is taken, some caller meant the other',
  'gap/expire-after-bounds':
    'from 0 seconds to a hundred years, because a longer time has no timestamp with a year of four digits',
  'gap/preflight': '200 with the access-control headers, because browsers send it without credentials',
  'gap/idempotency-scope': 'in its account, because accounts know nothing of each other',
  'gap/idempotency-refused': 'no, because a caller that repairs its request sends it again with the same key',
  'gap/idempotency-empty': 'it counts as none, because some clients always send the header',
  'gap/idempotency-length': 'as long as the headers of a request, because what callers count by is theirs to choose',
  'gap/unknown-webhook': '404 with the code `NotFound`, because nothing was changed',
  'gap/event-order': 'the oldest first, because receivers handle them in the order of the array',
  'gap/scale-name-case': 'it does, because two scales may differ in it alone',
  'gap/unknown-id-in-set':
    'unknown ids in a set are left out of the answer, ' +
    'because ids of other accounts must behave as if they did not exist',
  'gap/after-without-record':
    'it may, and the page begins where that id would stand, because a record can be deleted while a caller pages',
  'gap/set-ranges': 'ranges in sets are refused with 400, because a set is a list of integers',
  'gap/unknown-query-parameters': 'they are ignored, because callers of newer versions may send more',
  'gap/unknown-path-code': '404 with the code `NotFound`, because strict clients want an error object',
  'gap/deleted-computer-effect':
    'its printers are deleted with it, its queued jobs are cancelled, its connection is ended, ' +
    'because there is no computer left to deliver to; the history of its jobs stays readable',
  'gap/webhook-statistics-nesting':
    'each statistic is an object of its five measures (switch: statisticsNesting), ' +
    'because the specification lists the measures under the statistic',
  'gap/webhooks-order':
    'newest first (switch: webhooksNewestFirst), ' +
    'because callers take the first element of the answer to POST /webhook for the new one',
  'gap/webhook-of-integrator':
    'events of a Child Account also go to the webhooks of its Integrator Account (switch: ' +
    'integratorHearsChildren), because an event names its controlling account, which is of use to that ' +
    'account alone',
  'gap/message-identifiers':
    '`computer state`, `print job state` and `*`; another string is refused with 400, ' +
    'because a misspelt type would never trigger anything, and nothing would say so',
  'gap/webhook-sixth-code': 'a sixth webhook is refused with 400 `BadRequest`, because no code is printed',
  'gap/webhook-request-timeout':
    'a receiver that has not answered after 10 seconds has failed, ' +
    'because a slow receiver must not hold back the events that follow for long',
  'gap/webhook-target-identity':
    'a target is a webhook with the url and secret it had when the event was queued, ' +
    'because queued events must not be touched by a change, and a new url has not failed yet',
  'gap/simulate-scale-request':
    'no body is needed; mass, measurement, vendor, product, port, vendorId and productId may be set, the ' +
    'default is 779 g, because a caller that tests its own arithmetic wants odd readings; of mass and ' +
    'measurement one follows from the other',
  'gap/simulate-scale-response': '200 with the stored scale data object, because it saves the caller a request',
  'gap/scale-extra-fields':
    'the printed fields and `product`; vendor, product and port are empty strings where a scale has none, ' +
    'because clients of such services know the field, and the printed ones are strings',
  'gap/websocket-protocol':
    'the messages of docs/scale-websocket.md, because browser clients of such services are seen to speak them',
  'gap/secret-transmission':
    'the plain secret in the header `X-Service-Webhook-Secret`, ' +
    'because it is what services of this kind are seen to send',
  'gap/tags-shape':
    'Tags is an object, name to value; an empty array without tags, ' +
    'because the specification prints an array, and only an empty one says nothing about names',
  'gap/child-accounts-shape': 'an array of ids, because ids are what the Child header takes',
  'gap/versions-shape':
    'an array of client version strings, each once, because it is what services of this kind are seen to answer',
  'gap/connected-shape': 'an array of the ids of connected computers, because ids are what the other endpoints take',
  'gap/create-account-response':
    '201 with {Account: {id, firstname, lastname, email, creatorRef}, ApiKeys: {name: key}, Tags: {name: ' +
    'value}}, because the caller needs the id and the keys, and the request has the same three parts',
  'gap/delete-account-response': '200 with true, because every response is JSON',
  'gap/account-state-response':
    '200 with the new state as a JSON string, because it is what GET /account/state answers',
  'gap/account-calls-without-child-header':
    'PATCH and GET /account/state are about the account of the key; DELETE and PUT /account/state get ' +
    '403, because an account may know and change itself, and must not delete or suspend itself by mistake',
  'gap/suspension-effect':
    'the keys of a suspended account get 401 and its clients are disconnected with 4401; its jobs stay ' +
    'queued and may expire; its Integrator can still do everything for it but submit print jobs (403), ' +
    'because the customer is cut off, nothing is lost, and the Integrator can look into it and end it',
  'gap/several-child-headers':
    'all of them must name the same Child Account, else 401, ' +
    'because a header that is ignored might have named another account',
  'gap/tag-request': 'the value as a JSON string, or as text/plain, because it is the whole of what is sent',
  'gap/tag-response':
    'POST answers 201 "created" or 200 "updated"; GET the value as a JSON string; DELETE true; GET and ' +
    'DELETE 404 without a tag, because the caller learns what happened',
  'gap/api-key-request': 'the body is ignored, because the path has all that is needed',
  'gap/api-key-record':
    'the key alone, as a JSON string of 40 lowercase hexadecimal digits, because its name is in the path',
  'gap/api-key-response':
    'POST answers 201 with the key, GET 200 with it, DELETE true; 404 without a key; the last key of a ' +
    'Single or Integrator Account is not deleted (403), because without a key such an account could never ' +
    'be used again; a Child has its Integrator',
  'gap/api-key-repeated-name':
    'POST answers 200 with the same key again, because a repeated request must not invalidate a key',
  'gap/controllable-shape':
    'an array of {id, firstname, lastname, email, creatorRef, state}, one for each Child Account, by id, ' +
    'because it is what is needed to choose one',
  'gap/client-key-response':
    'a JSON string, ck- and 44 alphanumerics; the same one for the same UUID of an account; a UUID that ' +
    'is not of version 4, and a missing edition or version, get 400, because a client that lost its key ' +
    'asks again, and must not become another one',
  'gap/client-download-record':
    '{id, enabled, edition, version, os, filename, filesize, sha1, releaseTimestamp, url}; lists come ' +
    'newest first; the url lies under {app_url} (switch: appUrl), which serves no files here, because the ' +
    'path that the specification prints for downloads begins there',
  'gap/client-download-short-path': 'the same record as /download/clients/{os}, because every response is JSON',
  'gap/client-download-update-response':
    'an array of the ids of the updated downloads, because it is what client programs of such services decode',
  'gap/permissions-meaning': 'always ["Unrestricted"], because nothing is restricted here',
  'gap/print-job-record':
    'exactly id, printer (whole, with its computer), title, contentType, source, expireAt, ' +
    'createTimestamp, state, because extra keys break strict consumers; content and options are not ' +
    'echoed',
  'gap/unreadable-document':
    'the job takes the state `error`, with a message that says so, and the document stays as it is, ' +
    'because what is damaged must not be printed, and the caller can submit it again',
  'gap/computer-states':
    '`connected` while any connection of the computer lives, else `disconnected`, ' +
    'because a computer is known only after it has connected once, so there is no state before that',
  'gap/printer-states':
    'what the client last reported, `unknown` where it reported none; `deleted` in jobs whose printer is gone, ' +
    'because only the client sees the printer, and the specification prints a string',
  'gap/print-job-transitions':
    'new, sent_to_client at each delivery, then what the client reports; `done` and `error` end a job, ' +
    'because a redelivery is worth seeing in the history',
  'gap/computer-transitions':
    'the state follows the connections at once, also when a connection is found dead by its heartbeat, ' +
    'because the service knows nothing else about a computer',
  'gap/printer-transitions':
    'a printer keeps its last state while its computer is disconnected, ' +
    'because its computer cannot report another one',
  'gap/printers-refresh':
    '200 `true` at once; every connected computer of the account is asked to report again, ' +
    'because the answer cannot wait for computers that may be slow',
  'gap/message-types-all': 'the two types of events there are, because the specification names no others',
  'gap/computer-event-data':
    '`{computerId, state, connections, event}`: all live connections, and the one that began or ended, ' +
    'because it is what services of this kind are seen to send',
  'gap/print-job-event-data':
    '`{uid, printJobId, state, message}`, because it is what services of this kind are seen to send',
  'gap/error-codes':
    'BadRequest, NotFound, MethodNotAllowed, Forbidden and so on where no code is printed, ' +
    'because the names of the statuses need no explanation',
  'gap/basic-password':
    'a password that is not empty is refused with 401, ' +
    'because the specification says that it is empty: a key typed into the wrong field is noticed',
  'gap/print-job-states-shape':
    'an array of arrays: one inner array a job, oldest state first, ' +
    'because it is what services of this kind are seen to answer',
  'gap/print-job-states-paging':
    'limit, after and dir choose the jobs, as in the list of jobs; a page ends early at 16 million characters, ' +
    'because a million jobs do not fit into one answer',
  'gap/other-print-job-states':
    'every state a client reports is recorded; only stable ones go to webhooks, ' +
    'because the specification says that other values may exist',
  'gap/qty-above-maximum':
    'accepted and passed on; the client refuses more than 999, ' +
    'because the maximum is printed as one of the client',
  'gap/options-outside-capabilities':
    'accepted and passed on; whether the printer can do it is for the client to say, ' +
    'because capabilities may have changed by the time the job is delivered',
} as const satisfies Readonly<Record<GapId, string>>;
