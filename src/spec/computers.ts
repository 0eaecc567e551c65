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
  'computers/known-while-away': {
    level: 'should',
    statement: 'A computer stays listed while it is disconnected.',
    needs: ['computer'],
  },
  'computers/same-id-after-reconnect': {
    level: 'should',
    statement: 'A computer that reconnects keeps its id.',
    needs: ['computer'],
  },
  'computers/field-id': { statement: 'id is an integer.', needs: ['computer'] },
  'computers/id-unique': { statement: 'No two computers have the same id.', needs: ['computer'] },
  'computers/field-name': { statement: 'name is a string.', needs: ['computer'] },
  'computers/field-inet': { statement: 'inet is a string or null.', needs: ['computer'] },
  'computers/inet-ipv4': {
    statement: 'inet, where it is a string, is an IPv4 address.',
    needs: ['computer'],
  },
  'computers/field-inet6': { statement: 'inet6 is a string or null.', needs: ['computer'] },
  'computers/field-hostname': { statement: 'hostname is a string or null.', needs: ['computer'] },
  'computers/field-version': { statement: 'version is a string or null.', needs: ['computer'] },
  'computers/version-as-reported': {
    statement: 'version is the version of the client on the computer.',
    needs: ['computer'],
  },
  'computers/field-jre': { level: 'observed', statement: 'jre is null.', needs: ['computer'] },
  'computers/field-create-timestamp': {
    statement: 'createTimestamp is a string with an ISO 8601 timestamp.',
    needs: ['computer'],
  },
  'computers/create-timestamp-utc': { statement: 'createTimestamp is in UTC.', needs: ['computer'] },
  'computers/create-timestamp-milliseconds': {
    statement: 'createTimestamp has milliseconds.',
    needs: ['computer'],
  },
  'computers/create-timestamp-constant': {
    level: 'should',
    statement: 'createTimestamp does not change when the computer reconnects.',
    needs: ['computer'],
  },
  'computers/field-state': { statement: 'state is a string.', needs: ['computer'] },
  'computers/fields-always-present': {
    level: 'should',
    statement: 'All nine keys of a Computer object are present, also where the value is null.',
    needs: ['computer'],
  },
  'computers/name-as-reported': {
    level: 'should',
    statement: 'name is the name the client reported, whatever characters it has.',
    needs: ['computer'],
  },
  'computers/delete-set': {
    statement:
      'DELETE /computers/{computer_set} answers 200 with an array of the ids of the affected computers.',
    needs: ['computer'],
  },
  'computers/delete-all': {
    statement: 'DELETE /computers without a set affects all computers of the account.',
    needs: ['computer'],
  },
  'computers/delete-all-ids': {
    statement: 'DELETE /computers answers 200 with an array of the ids of all affected computers.',
    needs: ['computer'],
  },
  'computers/delete-all-beyond-a-page': {
    level: 'should',
    statement: 'DELETE /computers is not restricted to a page of 100.',
    needs: ['computer', 'many-jobs'],
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
  'computers/delete-twice': {
    level: 'should',
    statement: 'Deleting the same set again affects nothing.',
    needs: ['computer'],
  },
} as const satisfies ClauseRows;
