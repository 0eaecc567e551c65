/** Clauses about computers: the Computer object, listing and deleting. */

import type { ClauseRows } from './clause.ts';

export const COMPUTER_CLAUSES = {
  'computers/list': {
    statement: 'GET /computers answers 200 with an array of the computers of the account.',
  },
  'computers/list-set': {
    statement: 'GET /computers/{computer_set} answers 200 with an array of the computers in the set.',
    needs: ['computer'],
  },
  'computers/paginated': { statement: 'Lists of computers take limit, after and dir.', needs: ['computer'] },
  'computers/known-after-report': {
    statement: 'A computer is listed once its client has connected and reported it.',
    needs: ['computer'],
  },
  'computers/same-id-after-reconnect': {
    level: 'should',
    statement: 'A computer that reconnects keeps its id.',
    needs: ['computer'],
  },
  'computers/field-id': { statement: 'id of a Computer object is an integer.', needs: ['computer'] },
  'computers/id-unique': { statement: 'No two computers have the same id.', needs: ['computer'] },
  'computers/field-name': { statement: 'name of a Computer object is a string.', needs: ['computer'] },
  'computers/field-inet': {
    statement: 'inet of a Computer object is a string or null.',
    needs: ['computer'],
  },
  'computers/inet-ipv4': {
    statement: 'inet of a Computer object, where it is a string, is an IPv4 address.',
    needs: ['computer'],
  },
  'computers/field-inet6': {
    statement: 'inet6 of a Computer object is a string or null.',
    needs: ['computer'],
  },
  'computers/field-hostname': {
    statement: 'hostname of a Computer object is a string or null.',
    needs: ['computer'],
  },
  'computers/field-version': {
    statement: 'version of a Computer object is a string or null.',
    needs: ['computer'],
  },
  'computers/version-as-reported': {
    statement: 'version of a Computer object is the version of the client on the computer.',
    needs: ['computer'],
  },
  'computers/field-jre': {
    level: 'observed',
    statement: 'jre of a Computer object is null.',
    needs: ['computer'],
  },
  'computers/field-create-timestamp': {
    statement: 'createTimestamp of a Computer object is a string with an ISO 8601 timestamp.',
    needs: ['computer'],
  },
  'computers/create-timestamp-utc': {
    statement: 'createTimestamp of a Computer object is in UTC.',
    needs: ['computer'],
  },
  'computers/create-timestamp-milliseconds': {
    statement: 'createTimestamp of a Computer object has milliseconds.',
    needs: ['computer'],
  },
  'computers/create-timestamp-constant': {
    level: 'should',
    statement: 'createTimestamp of a Computer object does not change when the computer reconnects.',
    needs: ['computer'],
  },
  'computers/field-state': { statement: 'state of a Computer object is a string.', needs: ['computer'] },
  'computers/fields-always-present': {
    level: 'should',
    statement: 'All nine keys of a Computer object are present, also where the value is null.',
    needs: ['computer'],
  },
  'computers/name-as-reported': {
    level: 'should',
    statement: 'name of a Computer object is the name the client reported, whatever characters it has.',
    needs: ['computer'],
  },
  'computers/delete-set': {
    statement:
      'DELETE /computers/{computer_set} answers 200 with an array of the ids of the affected computers.',
    needs: ['computer'],
  },
  'computers/delete-all': {
    statement:
      'DELETE /computers without a set affects all computers of the account, and answers 200 with an array of their ids.',
    needs: ['computer'],
  },
  'computers/delete-removes': {
    level: 'should',
    statement: 'A deleted computer is no longer listed.',
    needs: ['computer'],
  },
  'computers/delete-leaves-others': {
    statement: 'DELETE with a set leaves computers outside the set.',
    needs: ['computer'],
  },
  'computers/delete-unknown-not-affected': {
    level: 'should',
    statement: 'An id that does not exist is not among the affected ids.',
  },
} as const satisfies ClauseRows;
