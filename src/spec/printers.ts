/** Clauses about printers: the Printer object, its capabilities, listing. */

import type { ClauseRows } from './clause.ts';

export const PRINTER_CLAUSES = {
  'printers/list': { statement: 'GET /printers answers 200 with an array of the printers of the account.' },
  'printers/list-set': {
    statement: 'GET /printers/{printer_set} answers 200 with an array of the printers in the set.',
    needs: ['computer'],
  },
  'printers/list-of-computers': {
    statement:
      'GET /computers/{computer_set}/printers answers 200 with an array of the printers of those computers.',
    needs: ['computer'],
  },
  'printers/list-of-computers-only': {
    statement: 'GET /computers/{computer_set}/printers lists no printer of another computer.',
    needs: ['computer'],
  },
  'printers/list-set-of-computers': {
    statement:
      'GET /computers/{computer_set}/printers/{printer_set} answers 200 with an array of the printers that are in the one set and of a computer in the other.',
    needs: ['computer'],
  },
  'printers/paginated': { statement: 'Lists of printers take limit, after and dir.', needs: ['computer'] },
  'printers/known-after-report': {
    statement: 'A printer is listed once the client of its computer has reported it.',
    needs: ['computer'],
  },
  'printers/same-id-after-reconnect': {
    level: 'should',
    statement: 'A printer keeps its id when its computer reconnects.',
    needs: ['computer'],
  },

  // The Printer object
  'printers/field-id': { statement: 'id of a Printer object is an integer.', needs: ['computer'] },
  'printers/field-computer': {
    statement: 'computer of a Printer object is a Computer object.',
    needs: ['computer'],
  },
  'printers/computer-whole': {
    level: 'should',
    statement: 'computer of a Printer object has all nine keys that the computer lists show.',
    needs: ['computer'],
  },
  'printers/computer-is-its-own': {
    level: 'should',
    statement: 'computer of a Printer object is the one that reported the printer.',
    needs: ['computer'],
  },
  'printers/field-name': { statement: 'name of a Printer object is a string.', needs: ['computer'] },
  'printers/name-as-reported': {
    level: 'should',
    statement: 'name of a Printer object is the name the client reported, whatever characters it has.',
    needs: ['computer'],
  },
  'printers/field-description': {
    statement: 'description of a Printer object is a string.',
    needs: ['computer'],
  },
  'printers/field-capabilities': {
    statement: 'capabilities of a Printer object is an object or null.',
    needs: ['computer'],
  },
  'printers/capabilities-null': {
    level: 'should',
    statement: 'A printer whose driver tells nothing is listed with capabilities null.',
    needs: ['computer'],
  },
  'printers/field-default': {
    statement: 'default of a Printer object is a boolean or null.',
    needs: ['computer'],
  },
  'printers/field-create-timestamp': {
    statement: 'createTimestamp of a Printer object is a string with an ISO 8601 timestamp.',
    needs: ['computer'],
  },
  'printers/field-state': { statement: 'state of a Printer object is a string.', needs: ['computer'] },
  'printers/fields-always-present': {
    level: 'should',
    statement: 'All eight keys of a Printer object are present, also where the value is null.',
    needs: ['computer'],
  },

  // Capabilities
  'printers/capability-bins': {
    statement: 'bins of printer capabilities is an array of strings, which may be empty.',
    needs: ['computer'],
  },
  'printers/capability-collate': {
    statement: 'collate of printer capabilities is a boolean.',
    needs: ['computer'],
  },
  'printers/capability-copies': {
    statement: 'copies of printer capabilities is an integer.',
    needs: ['computer'],
  },
  'printers/capability-copies-one': {
    statement: 'copies of printer capabilities is 1 where multiple copies are unsupported, and never less.',
    needs: ['computer'],
  },
  'printers/capability-color': {
    statement: 'color of printer capabilities is a boolean.',
    needs: ['computer'],
  },
  'printers/capability-dpis': {
    statement: 'dpis of printer capabilities is an array of strings, which may be empty.',
    needs: ['computer'],
  },
  'printers/capability-dpis-form': {
    level: 'observed',
    statement: 'A dpi has a form like <x>x<y>.',
    needs: ['computer'],
  },
  'printers/capability-duplex': {
    statement: 'duplex of printer capabilities is present and a boolean.',
    needs: ['computer'],
  },
  'printers/capability-extent': {
    statement: 'extent of printer capabilities is an array of arrays of integers.',
    needs: ['computer'],
  },
  'printers/capability-extent-form': {
    statement:
      'An extent that is not empty is the least and the greatest size, each as width and height in tenths of a millimetre.',
    needs: ['computer'],
  },
  'printers/capability-extent-empty': {
    statement: 'extent of printer capabilities is an empty array where the driver does not report it.',
    needs: ['computer'],
  },
  'printers/capability-medias': {
    statement: 'medias of printer capabilities is an array of strings, which may be empty.',
    needs: ['computer'],
  },
  'printers/capability-nup': {
    statement: 'nup of printer capabilities is an array of integers.',
    needs: ['computer'],
  },
  'printers/capability-nup-empty': {
    statement: 'nup of printer capabilities is empty where N-up is unsupported.',
    needs: ['computer'],
  },
  'printers/capability-papers': {
    statement: 'papers of printer capabilities is an object from paper name to an array of two.',
    needs: ['computer'],
  },
  'printers/capability-papers-size': {
    statement: 'The size of a paper is width and height in tenths of a millimetre.',
    needs: ['computer'],
  },
  'printers/capability-papers-unknown': {
    statement: 'The size of a paper is two nulls where the driver does not report it.',
    needs: ['computer'],
  },
  'printers/capability-printrate': {
    statement: 'printrate of printer capabilities is an object or null.',
    needs: ['computer'],
  },
  'printers/capability-printrate-null': {
    statement: 'printrate of printer capabilities is null where the driver gives none.',
    needs: ['computer'],
  },
  'printers/printrate-unit': { statement: 'unit of printrate is ppm, ipm, lmp or cpm.', needs: ['computer'] },
  'printers/printrate-rate': {
    statement: 'rate of printrate is a number, whole or not.',
    needs: ['computer'],
  },
  'printers/capability-supports-custom-paper-size': {
    statement: 'supports_custom_paper_size of printer capabilities is a boolean.',
    needs: ['computer'],
  },
  'printers/capabilities-as-reported': {
    level: 'should',
    statement: 'The service shows the capabilities that the client reported, nothing added and nothing lost.',
    needs: ['computer'],
  },
} as const satisfies ClauseRows;
