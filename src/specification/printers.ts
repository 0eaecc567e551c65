/** Clauses about printers: the Printer object, its capabilities, listing. */

import { given } from './clause.ts';

export const PRINTER_CLAUSES = [
  // Listing
  given().must({
    'printers/list': 'GET /printers answers 200 with an array of the printers of the account.',
  }),
  given({ needs: ['computer'] }).must({
    'printers/list-set': 'GET /printers/{printer_set} answers 200 with an array of the printers in the set.',
    'printers/list-of-computers':
      'GET /computers/{computer_set}/printers answers 200 with an array of the printers of those computers.',
    'printers/list-of-computers-only': 'GET /computers/{computer_set}/printers lists no printer of another computer.',
    'printers/list-set-of-computers':
      'GET /computers/{computer_set}/printers/{printer_set} answers 200 with an array of the printers that are in the one set and of a computer in the other.',
    'printers/paginated': 'Lists of printers take limit, after and dir.',
    'printers/known-after-report': 'A printer is listed once the client of its computer has reported it.',
  }),
  given({ needs: ['computer'] }).should({
    'printers/same-id-after-reconnect': 'A printer keeps its id when its computer reconnects.',
  }),

  // The Printer object
  given({ needs: ['computer'] }).must({
    'printers/field-id': 'id of a Printer object is an integer.',
    'printers/field-computer': 'computer of a Printer object is a Computer object.',
    'printers/field-name': 'name of a Printer object is a string.',
    'printers/field-description': 'description of a Printer object is a string.',
    'printers/field-capabilities': 'capabilities of a Printer object is an object or null.',
    'printers/field-default': 'default of a Printer object is a boolean or null.',
    'printers/field-create-timestamp': 'createTimestamp of a Printer object is a string with an ISO 8601 timestamp.',
    'printers/field-state': 'state of a Printer object is a string.',
    'printers/computer-whole': 'computer of a Printer object has all nine keys that the computer lists show.',
    'printers/computer-is-its-own': 'computer of a Printer object is the one that reported the printer.',
    'printers/computer-as-listed': 'computer of a Printer object is what the computer lists show of that computer.',
  }),
  given({ needs: ['computer'] }).should({
    'printers/state-not-null': 'state of a Printer object is not null, since the table prints a string.',
    'printers/as-last-reported': 'A Printer object shows what the client of its computer reported of it last.',
    'printers/create-timestamp-constant':
      'createTimestamp of a Printer object does not change when its computer reconnects and reports the printer again.',
    'printers/name-as-reported':
      'name of a Printer object is the name the client reported, whatever characters it has.',
    'printers/capabilities-null': 'A printer whose driver tells nothing is listed with capabilities null.',
    'printers/fields-always-present': 'A Printer object has all eight keys, even those whose value is null.',
  }),

  // Capabilities
  given({ needs: ['computer'] }).must({
    'printers/capability-bins': 'bins of printer capabilities is an array of strings, which may be empty.',
    'printers/capability-collate': 'collate of printer capabilities is a boolean.',
    'printers/capability-copies': 'copies of printer capabilities is an integer.',
    'printers/capability-copies-one':
      'copies of printer capabilities is 1 where multiple copies are unsupported, and never less.',
    'printers/capability-color': 'color of printer capabilities is a boolean.',
    'printers/capability-dpis': 'dpis of printer capabilities is an array of strings, which may be empty.',
    'printers/capability-duplex': 'duplex of printer capabilities is present and a boolean.',
    'printers/capability-extent': 'extent of printer capabilities is an array of arrays of integers.',
    'printers/capability-extent-form':
      'An extent that is not empty is the least and the greatest size, each as width and height in tenths of a millimetre.',
    'printers/capability-extent-empty':
      'extent of printer capabilities is an empty array where the driver does not report it.',
    'printers/capability-medias': 'medias of printer capabilities is an array of strings, which may be empty.',
    'printers/capability-nup': 'nup of printer capabilities is an array of integers.',
    'printers/capability-nup-empty': 'nup of printer capabilities is empty where N-up is unsupported.',
    'printers/capability-papers': 'papers of printer capabilities is an object from paper name to an array of two.',
    'printers/capability-papers-size': 'The size of a paper is width and height in tenths of a millimetre.',
    'printers/capability-papers-unknown': 'The size of a paper is two nulls where the driver does not report it.',
    'printers/capability-printrate': 'printrate of printer capabilities is an object or null.',
    'printers/capability-printrate-null': 'printrate of printer capabilities is null where the driver gives none.',
    'printers/printrate-unit': 'unit of printrate is ppm, ipm, lmp or cpm.',
    'printers/printrate-rate': 'rate of printrate is a number, whole or not.',
    'printers/capability-supports-custom-paper-size':
      'supports_custom_paper_size of printer capabilities is a boolean.',
  }),
  given({ needs: ['computer'] }).should({
    'printers/capabilities-as-reported':
      'The service shows the capabilities that the client reported, nothing added and nothing lost.',
  }),
  given({ needs: ['computer'] }).observed({
    'printers/capability-dpis-form': 'A dpi has a form like <x>x<y>.',
  }),
];
