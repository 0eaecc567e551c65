/**
 * Clauses about the service as a whole: bodies, headers, sets, paging, and the isolation of accounts.
 */

import { given } from './clause.ts';

export const SERVICE_CLAUSES = [
  // Transport and bodies
  given().must({
    'service/https': 'The API is served over HTTPS.',
    'service/json-bodies': 'A request body sent as application/json is read as JSON.',
    'service/json-assumed': 'A request body without Content-Type is read as JSON.',
    'service/form-bodies': 'A request body sent as application/x-www-form-urlencoded is read as a form.',
    'service/form-same-meaning': 'A form body with the same keys does what the JSON body does.',
    'service/json-content-type': 'Every successful response has Content-Type application/json.',
    'service/json-content-type-errors': 'Every error response has Content-Type application/json.',
    'service/body-is-json': 'Every response body that is not empty parses as JSON.',
  }),
  given().observed({
    'service/json-content-type-exact':
      'The Content-Type is application/json and nothing more: no charset, no other parameter.',
  }),
  given({ needs: ['computer'] }).should({
    'service/text-unharmed': 'Text comes back as it was sent, with what is outside ASCII, and with blanks at its ends.',
  }),

  // Headers of every response
  given().must({
    'service/request-id-present': 'A successful response has a Request-Id header that is not empty.',
    'service/request-id-on-errors': 'An error response has a Request-Id header that is not empty.',
    'service/request-id-unique': 'No two requests get the same Request-Id.',
    'service/elapsed': 'A response has an Elapsed header.',
    'service/elapsed-seconds':
      'Elapsed is a decimal number of seconds, not negative and not more than the caller itself waited.',
    'service/response-time': 'A response has a Response-Time header.',
    'service/content-md5': 'A response has a Content-MD5 header.',
    'service/access-control-allow-origin': 'A response has an Access-Control-Allow-Origin header.',
    'service/access-control-allow-headers': 'A response has an Access-Control-Allow-Headers header.',
    'service/access-control-allow-methods': 'A response has an Access-Control-Allow-Methods header.',
    'service/access-control-expose-headers': 'A response has an Access-Control-Expose-Headers header.',
  }),
  given().should({
    'service/content-md5-of-body':
      'Content-MD5 is the MD5 digest of the body as it was sent, in base64 or hexadecimal digits.',
    'service/headers-on-errors': 'Error responses also carry Elapsed, Response-Time and Content-MD5.',
    'service/access-control-on-errors':
      'Error responses also carry the access-control headers, so that a browser can read the error.',
  }),

  // What a request may carry
  given().must({
    'service/x-pretty-accepted': 'A request with X-Pretty gets an answer like one without.',
    'service/x-dont-log-accepted': 'A request with X-Dont-Log gets an answer like one without.',
  }),
  given().should({
    'service/x-pretty-same-value':
      'X-Pretty changes at most the white space of the response: the JSON value stays the same.',
    'service/unknown-path-is-error': 'A path that does not exist is answered with a 4xx status and the error object.',
    'service/unknown-method-is-error':
      'A method that a path does not have is answered with a 4xx status and the error object.',
    'service/no-5xx-on-bad-input': 'No input of a caller, however malformed, is answered with a 5xx status.',
  }),

  // Identifiers and sets
  given({ needs: ['computer'] }).must({
    'service/id-positive-integer': 'The id of every computer, printer and print job is a positive integer.',
    'service/set-comma-separated': 'A set names one or several ids, separated by commas.',
    'service/set-restricts': 'A set returns only the records that it names.',
    'service/set-order-irrelevant': 'The order of the ids in a set does not change the answer.',
    'service/set-repeats-once': 'An id repeated in a set counts once: its record comes back once.',
    'service/id-unique-in-list': 'No id stands twice in a list.',
    'service/set-repeats-once-in-deletes': 'An id repeated in the set of a DELETE is affected once and listed once.',
  }),
  given({ needs: ['computer'] }).should({
    'service/id-never-reused': 'The id of something deleted is not given to something new.',
    'service/set-repeats-once-in-totals':
      'An id repeated in a set counts once in Records-Total and in Records-Returned.',
    'service/set-encoded-comma': 'A percent-encoded comma (%2C) separates ids like a plain one.',
  }),
  given().should({
    'service/set-zero-refused': 'A set that contains 0 is refused or matches nothing; it is never read as everything.',
    'service/set-text-refused':
      'A set with something in it that is not an integer is answered with a 4xx status and the error object.',
  }),
  given().should({
    'service/set-empty-never-all': 'A DELETE or PATCH whose set is empty never affects all there is: nothing happens.',
    'service/set-refused-does-nothing': 'A request that is refused for its set changes nothing.',
    'service/body-refused-does-nothing': 'A request that is refused for its body changes nothing.',
  }),
  given({ party: 'caller' }).should({
    'service/set-empty-not-sent':
      'A caller never sends a DELETE with an empty set: without a set the deletion is not restricted.',
    'service/caller-pages': 'A caller that looks for a record goes on to the next page while there are more.',
  }),

  // Paging
  given({ needs: ['computer'] }).must({
    'service/page-limit': 'A list has at most limit records.',
    'service/page-dir': 'The records of a list are ordered by id, in the direction that dir names.',
    'service/page-dir-asc': 'With dir=asc ids ascend.',
    'service/page-dir-desc': 'With dir=desc ids descend.',
    'service/page-dir-default': 'Without dir ids descend.',
    'service/page-after': 'after names the id after which the page starts; that record itself is not on it.',
    'service/page-after-desc': 'Descending, all records of a page after an id have smaller ids.',
    'service/page-after-asc': 'Ascending, all records of a page after an id have greater ids.',
    'service/page-after-empty-desc': 'Descending, an empty after starts at the highest id.',
    'service/page-after-empty-asc': 'Ascending, an empty after starts at the lowest id.',
    'service/pages-complete':
      'Walking page by page, each after the last id of the one before, visits every record exactly once.',
    'service/page-after-last': 'The page after the last record is an empty array.',
    'service/page-in-sets': 'limit, after and dir work on a path with a set as they do without.',
  }),
  given({ needs: ['computer'] }).should({
    'service/page-limit-one': 'A limit of 1 returns one record where there are several.',
    'service/page-after-missing-record': 'If after may name an id that is not in the list, it still marks a position.',
    'service/pages-stable-under-inserts':
      'Records created while someone walks the pages downwards neither repeat nor hide older ones.',
    'service/records-returned-is-length': 'Records-Returned is the length of the array.',
    'service/records-total-is-matching': 'Records-Total counts everything that matches, on whichever page.',
    'service/records-total-of-set': 'On a path with a set Records-Total counts only what the set matches.',
  }),
  given().must({
    'service/records-returned': 'A list response has a Records-Returned header.',
    'service/records-returned-offset': 'A list response has a Records-Returned-Offset header.',
    'service/records-returned-limit': 'A list response has a Records-Returned-Limit header.',
    'service/records-total': 'A list response has a Records-Total header.',
  }),
  given().should({
    'service/records-returned-offset-integer': 'Records-Returned-Offset is an integer that is not negative.',
    'service/records-returned-limit-is-limit': 'Records-Returned-Limit is the limit that was asked for.',
    'service/records-returned-limit-default': 'Records-Returned-Limit is 100 where no limit was asked for.',
  }),

  // Isolation of accounts
  given({ needs: ['second-account', 'computer'] }).must({
    'service/isolation-lists': 'No answer shows anything of another account, whatever the request asks for.',
    'service/isolation-deletes': 'A DELETE never touches anything of another account, with a set or without.',
  }),
  given({ needs: ['second-account', 'computer'] }).should({
    'service/isolation-sets': 'An id of another account behaves like an id that does not exist.',
  }),
];
