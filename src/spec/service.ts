/**
 * Clauses about the service as a whole: bodies, headers, sets, paging, and that accounts never meet.
 */

import type { ClauseRows } from './clause.ts';

export const SERVICE_CLAUSES = {
  'service/https': { statement: 'The API is served over HTTPS.' },

  // Bodies
  'service/json-bodies': { statement: 'A request body sent as application/json is read as JSON.' },
  'service/json-assumed': { statement: 'A request body without Content-Type is read as JSON.' },
  'service/form-bodies': {
    statement: 'A request body sent as application/x-www-form-urlencoded is read as a form.',
  },
  'service/form-same-meaning': { statement: 'A form body with the same keys does what the JSON body does.' },
  'service/json-content-type': { statement: 'Every successful response has Content-Type application/json.' },
  'service/json-content-type-errors': {
    statement: 'Every error response has Content-Type application/json.',
  },
  'service/json-content-type-exact': {
    level: 'should',
    statement: 'The Content-Type is application/json and nothing more: no charset, no other parameter.',
  },
  'service/body-is-json': {
    level: 'should',
    statement: 'Every response body that is not empty parses as JSON.',
  },
  'service/text-unharmed': {
    level: 'should',
    statement: 'Text outside ASCII comes back as it was sent.',
    needs: ['computer'],
  },

  // Headers of every response
  'service/request-id-present': {
    statement: 'A successful response has a Request-Id header that is not empty.',
  },
  'service/request-id-on-errors': {
    statement: 'An error response has a Request-Id header that is not empty.',
  },
  'service/request-id-unique': { statement: 'No two requests get the same Request-Id.' },
  'service/elapsed': { statement: 'A response has an Elapsed header.' },
  'service/elapsed-seconds': {
    statement:
      'Elapsed is a decimal number of seconds, not negative and not more than the caller itself waited.',
  },
  'service/response-time': { statement: 'A response has a Response-Time header.' },
  'service/content-md5': { statement: 'A response has a Content-MD5 header.' },
  'service/content-md5-of-body': {
    level: 'should',
    statement: 'Content-MD5 is the base64 MD5 digest of the body as it was sent.',
  },
  'service/headers-on-errors': {
    level: 'should',
    statement: 'Error responses carry Elapsed, Response-Time and Content-MD5 too.',
  },
  'service/access-control-allow-origin': {
    statement: 'A response has an Access-Control-Allow-Origin header.',
  },
  'service/access-control-allow-headers': {
    statement: 'A response has an Access-Control-Allow-Headers header.',
  },
  'service/access-control-allow-methods': {
    statement: 'A response has an Access-Control-Allow-Methods header.',
  },
  'service/access-control-expose-headers': {
    statement: 'A response has an Access-Control-Expose-Headers header.',
  },
  'service/access-control-on-errors': {
    level: 'should',
    statement: 'Error responses carry the access-control headers too, so that a browser can read the error.',
  },
  'service/preflight': {
    level: 'should',
    statement:
      'A browser preflight (OPTIONS without credentials) succeeds and carries the access-control headers.',
  },

  // Request headers
  'service/x-pretty-accepted': { statement: 'A request with X-Pretty is answered as well as one without.' },
  'service/x-pretty-same-value': {
    level: 'should',
    statement: 'X-Pretty changes at most the white space of the response: the JSON value stays the same.',
  },
  'service/x-dont-log-accepted': {
    statement: 'A request with X-Dont-Log is answered as well as one without.',
  },

  // What nobody asked for
  'service/unknown-path-is-error': {
    level: 'should',
    statement: 'A path that does not exist is answered with a 4xx status and the error object.',
  },
  'service/unknown-method-is-error': {
    level: 'should',
    statement: 'A method that a path does not have is answered with a 4xx status and the error object.',
  },
  'service/no-5xx-on-bad-input': {
    level: 'should',
    statement: 'No input of a caller, however malformed, is answered with a 5xx status.',
  },

  // Identifiers and sets
  'service/id-positive-integer': {
    statement: 'The id of every computer, printer and print job is a positive integer.',
    needs: ['computer'],
  },
  'service/id-unique-in-list': {
    level: 'should',
    statement: 'No id stands twice in a list.',
    needs: ['computer'],
  },
  'service/id-never-reused': {
    level: 'should',
    statement: 'The id of something deleted is not given to something new.',
    needs: ['computer'],
  },
  'service/set-comma-separated': {
    statement: 'A set names one or several ids, separated by commas.',
    needs: ['computer'],
  },
  'service/set-restricts': {
    statement: 'A set answers with nothing but what it names.',
    needs: ['computer'],
  },
  'service/set-order-irrelevant': {
    statement: 'The order of the ids in a set does not change the answer.',
    needs: ['computer'],
  },
  'service/set-repeats-once': {
    statement: 'An id repeated in a set counts once: its record comes back once.',
    needs: ['computer'],
  },
  'service/set-repeats-once-in-deletes': {
    level: 'should',
    statement: 'An id repeated in the set of a DELETE is affected once and listed once.',
    needs: ['computer'],
  },
  'service/set-repeats-once-in-totals': {
    level: 'should',
    statement: 'An id repeated in a set counts once in Records-Total and Records-Returned too.',
    needs: ['computer'],
  },
  'service/set-encoded-comma': {
    level: 'should',
    statement: 'A percent-encoded comma (%2C) separates ids like a plain one.',
    needs: ['computer'],
  },
  'service/set-zero-refused': {
    level: 'should',
    statement: 'A set that contains 0 is refused or matches nothing; it is never read as everything.',
  },
  'service/set-text-refused': {
    level: 'should',
    statement:
      'A set with something in it that is no integer is answered with a 4xx status and the error object.',
  },
  'service/set-empty-not-sent': {
    level: 'should',
    party: 'caller',
    statement:
      'A caller never sends a DELETE with an empty set: without a set the deletion is not restricted.',
  },

  // Paging
  'service/page-limit': { statement: 'A list has at most limit records.', needs: ['computer'] },
  'service/page-limit-one': {
    level: 'should',
    statement: 'A limit of 1 returns one record where there are several.',
    needs: ['computer'],
  },
  'service/page-dir': {
    statement: 'The records of a list are ordered by id, in the direction that dir names.',
    needs: ['computer'],
  },
  'service/page-dir-asc': { statement: 'With dir=asc ids ascend.', needs: ['computer'] },
  'service/page-dir-desc': { statement: 'With dir=desc ids descend.', needs: ['computer'] },
  'service/page-dir-default': { statement: 'Without dir ids descend.', needs: ['computer'] },
  'service/page-after': {
    statement: 'after names the id after which the page starts; that record itself is not on it.',
    needs: ['computer'],
  },
  'service/page-after-desc': {
    statement: 'Descending, all records of a page after an id have smaller ids.',
    needs: ['computer'],
  },
  'service/page-after-asc': {
    statement: 'Ascending, all records of a page after an id have greater ids.',
    needs: ['computer'],
  },
  'service/page-after-empty-desc': {
    statement: 'Descending, an empty after starts at the highest id.',
    needs: ['computer'],
  },
  'service/page-after-empty-asc': {
    statement: 'Ascending, an empty after starts at the lowest id.',
    needs: ['computer'],
  },
  'service/page-after-last': {
    level: 'should',
    statement: 'The page after the last record is an empty array.',
    needs: ['computer'],
  },
  'service/page-after-missing-record': {
    level: 'should',
    statement: 'after marks a position even if no record has that id.',
    needs: ['computer'],
  },
  'service/pages-complete': {
    statement:
      'Walking page by page, each after the last id of the one before, visits every record exactly once.',
    needs: ['computer'],
  },
  'service/pages-stable-under-inserts': {
    level: 'should',
    statement: 'Records created while someone walks the pages downwards neither repeat nor hide older ones.',
    needs: ['computer'],
  },
  'service/page-in-sets': {
    level: 'should',
    statement: 'limit, after and dir work on a path with a set as they do without.',
    needs: ['computer'],
  },
  'service/records-returned': { statement: 'A list response has a Records-Returned header.' },
  'service/records-returned-is-length': {
    level: 'should',
    statement: 'Records-Returned is the length of the array.',
    needs: ['computer'],
  },
  'service/records-returned-offset': { statement: 'A list response has a Records-Returned-Offset header.' },
  'service/records-returned-offset-integer': {
    level: 'should',
    statement: 'Records-Returned-Offset is an integer that is not negative.',
  },
  'service/records-returned-limit': { statement: 'A list response has a Records-Returned-Limit header.' },
  'service/records-returned-limit-is-limit': {
    level: 'should',
    statement: 'Records-Returned-Limit is the limit that was asked for.',
  },
  'service/records-returned-limit-default': {
    level: 'should',
    statement: 'Records-Returned-Limit is 100 where no limit was asked for.',
  },
  'service/records-total': { statement: 'A list response has a Records-Total header.' },
  'service/records-total-is-matching': {
    level: 'should',
    statement: 'Records-Total counts everything that matches, on whichever page.',
    needs: ['computer'],
  },
  'service/records-total-of-set': {
    level: 'should',
    statement: 'On a path with a set Records-Total counts only what the set matches.',
    needs: ['computer'],
  },

  // Accounts never meet
  'service/isolation-lists': {
    level: 'should',
    statement: 'No list shows anything of another account.',
    needs: ['second-account', 'computer'],
  },
  'service/isolation-sets': {
    level: 'should',
    statement: 'An id of another account behaves like an id that does not exist.',
    needs: ['second-account', 'computer'],
  },
  'service/isolation-deletes': {
    level: 'should',
    statement: 'A DELETE never touches anything of another account, with a set or without.',
    needs: ['second-account', 'computer'],
  },
} as const satisfies ClauseRows;
