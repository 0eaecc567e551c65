/** Clauses about computers: the Computer object, listing and deleting. */

import { given } from './clause.ts';

export const COMPUTER_CLAUSES = [
  given().must({
    'computers/list': 'GET /computers answers 200 with an array of the computers of the account.',
    'computers/delete-unknown-not-affected': 'An id that does not exist is not among the affected ids.',
  }),
  given({ needs: ['computer'] }).must({
    'computers/list-set': 'GET /computers/{computer_set} answers 200 with an array of the computers in the set.',
    'computers/paginated': 'Lists of computers take limit, after and dir.',
    'computers/known-after-report': 'A computer is listed once its client has connected and reported it.',
    'computers/field-id': 'id of a Computer object is an integer.',
    'computers/id-unique': 'No two computers have the same id.',
    'computers/field-name': 'name of a Computer object is a string.',
    'computers/field-inet': 'inet of a Computer object is a string or null.',
    'computers/inet-ipv4': 'inet of a Computer object, where it is a string, is an IPv4 address.',
    'computers/field-inet6': 'inet6 of a Computer object is a string or null.',
    'computers/field-hostname': 'hostname of a Computer object is a string or null.',
    'computers/field-version': 'version of a Computer object is a string or null.',
    'computers/version-as-reported': 'version of a Computer object is the version of the client on the computer.',
    'computers/field-create-timestamp': 'createTimestamp of a Computer object is a string with an ISO 8601 timestamp.',
    'computers/create-timestamp-utc': 'createTimestamp of a Computer object is in UTC.',
    'computers/create-timestamp-milliseconds': 'createTimestamp of a Computer object has milliseconds.',
    'computers/field-state': 'state of a Computer object is a string.',
    'computers/delete-set':
      'DELETE /computers/{computer_set} answers 200 with an array of the ids of the affected computers.',
    'computers/delete-all':
      'DELETE /computers without a set affects all computers of the account, and answers 200 with an array of their ids.',
    'computers/delete-leaves-others': 'DELETE with a set leaves computers outside the set.',
    'computers/delete-removes': 'A deleted computer is no longer listed.',
  }),
  given({ needs: ['computer'] }).should({
    'computers/same-id-after-reconnect': 'A computer that reconnects keeps its id.',
    'computers/create-timestamp-constant':
      'createTimestamp of a Computer object does not change when the computer reconnects.',
    'computers/fields-always-present': 'A Computer object has all nine keys, even those whose value is null.',
    'computers/name-as-reported':
      'name of a Computer object is the name the client reported, whatever characters it has.',
    'computers/as-last-reported':
      'A Computer object shows what the client of the computer reported last, and nothing that it no longer reports.',
  }),
  given({ needs: ['computer'] }).observed({
    'computers/field-jre': 'jre of a Computer object is null.',
  }),
];
