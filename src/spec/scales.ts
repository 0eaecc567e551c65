/** Clauses about weighing scales: reading them, the scale data object, the simulated scale. */

import type { ClauseRows } from './clause.ts';

export const SCALE_CLAUSES = {
  // Reading
  'scales/list': {
    statement:
      'GET /computer/{computer_id}/scales answers 200 with an array of the most recent scale data objects.',
    needs: ['scale'],
  },
  'scales/list-empty': {
    statement: 'The list of scale data is empty where the computer has no recent data.',
  },
  'scales/list-any-computer': {
    statement:
      'GET /computer/{computer_id}/scales answers 200 for any positive integer, also where there is no such computer.',
  },
  'scales/list-foreign-computer': {
    statement: 'GET /computer/{computer_id}/scales answers 200 for a computer of another account.',
    needs: ['second-account', 'computer'],
  },
  'scales/list-foreign-data': {
    level: 'should',
    statement: 'GET /computer/{computer_id}/scales shows no data of a computer of another account.',
    needs: ['second-account', 'scale'],
  },
  'scales/list-most-recent': {
    statement: 'A scale stands in the list once, with its most recent data.',
    needs: ['scale'],
  },
  'scales/list-by-name': {
    statement:
      'GET /computer/{computer_id}/scales/{device_name} answers 200 with an array of data of the scales of that name.',
    needs: ['scale'],
  },
  'scales/list-by-name-only': {
    statement: 'GET /computer/{computer_id}/scales/{device_name} shows no data of a scale of another name.',
    needs: ['scale'],
  },
  'scales/list-by-name-empty': {
    statement:
      'GET /computer/{computer_id}/scales/{device_name} answers 200 with an empty array where no scale has that name.',
  },
  'scales/read-one': {
    statement:
      'GET /computer/{computer_id}/scale/{device_name}/{device_number} answers 200 with one scale data object, not an array.',
    needs: ['scale'],
  },
  'scales/read-one-most-recent': {
    statement: 'The path of one scale answers with the most recent data of that scale.',
    needs: ['scale'],
  },
  'scales/read-one-missing-404': {
    statement:
      'The path of one scale answers 404 where no scale of that name and number has produced data in the last 45 seconds.',
  },
  'scales/device-name-encoded': {
    level: 'should',
    statement: 'A device name is taken percent-encoded from the path, blanks and slashes included.',
    needs: ['scale'],
  },
  'scales/retention-lists': {
    level: 'should',
    statement: 'A reading is gone from the lists 45 seconds after its creation.',
    needs: ['scale'],
    span: 'seconds',
  },
  'scales/retention-renewed': {
    level: 'should',
    statement: 'A new reading is kept 45 seconds of its own, whenever the one before was created.',
    needs: ['scale'],
    span: 'seconds',
  },

  // The scale data object
  'scales/field-mass': { statement: 'mass of scale data is an array of two.', needs: ['scale'] },
  'scales/mass-micrograms': {
    statement: 'mass[0] of scale data is the mass in micrograms, or null.',
    needs: ['scale'],
  },
  'scales/mass-null-unweighable': {
    statement:
      'mass[0] of scale data is null where the scale could not compute a weight, as with a negative reading.',
    needs: ['scale'],
  },
  'scales/mass-resolution': {
    statement: 'mass[1] of scale data is the resolution in micrograms, or null where it is unknown.',
    needs: ['scale'],
  },
  'scales/mass-beyond-32-bits': {
    level: 'should',
    statement: 'A mass beyond 2^31 micrograms (2.147 kg) is shown exactly.',
    needs: ['scale'],
  },
  'scales/field-computer-id': {
    statement: 'computerId of scale data is the id of the computer.',
    needs: ['scale'],
  },
  'scales/field-vendor': { statement: 'vendor of scale data is a string.', needs: ['scale'] },
  'scales/field-vendor-id': {
    statement: 'vendorId of scale data is an integer, the USB vendor id.',
    needs: ['scale'],
  },
  'scales/field-product-id': {
    statement: 'productId of scale data is an integer, the USB product id.',
    needs: ['scale'],
  },
  'scales/field-port': {
    statement: 'port of scale data is a string, the label of the connection port.',
    needs: ['scale'],
  },
  'scales/field-device-name': { statement: 'deviceName of scale data is a string.', needs: ['scale'] },
  'scales/device-name-default': {
    party: 'client',
    statement: 'deviceName of scale data is by default made of manufacturer and model.',
    needs: ['scale'],
  },
  'scales/device-name-renamed': {
    party: 'client',
    statement: 'deviceName of scale data can be changed in the client.',
    needs: ['scale'],
  },
  'scales/field-device-num': { statement: 'deviceNum of scale data is an integer.', needs: ['scale'] },
  'scales/device-num-first-zero': {
    statement: 'The first connected scale of a name gets deviceNum 0.',
    needs: ['scale'],
  },
  'scales/device-num-smallest-unused': {
    statement: 'A newly connected scale gets the smallest deviceNum not in use for its name.',
    needs: ['scale'],
  },
  'scales/device-num-freed': {
    level: 'should',
    statement:
      'The number of a scale that was unplugged goes to the next one connected, and the others keep theirs.',
    needs: ['scale'],
  },
  'scales/field-count': { statement: 'count of scale data is null.', needs: ['scale'] },
  'scales/field-measurement': { statement: 'measurement of scale data is an object.', needs: ['scale'] },
  'scales/measurement-units': { statement: 'The keys of measurement are g, kg, lb or oz.', needs: ['scale'] },
  'scales/measurement-billionths': {
    statement: 'Each value of measurement is the reading in billionths of its unit.',
    needs: ['scale'],
  },
  'scales/measurement-two-parts': { statement: 'A reading in two parts has two keys.', needs: ['scale'] },
  'scales/measurement-equals-mass': {
    statement: 'measurement and mass tell the same weight.',
    needs: ['scale'],
  },
  'scales/field-client-reported-create-timestamp': {
    statement: 'clientReportedCreateTimestamp of scale data is a timestamp.',
    needs: ['scale'],
  },
  'scales/field-ntp-offset': { statement: 'ntpOffset of scale data is null.', needs: ['scale'] },
  'scales/field-age-of-data': {
    statement: 'ageOfData of scale data is an integer, in milliseconds, not negative.',
    needs: ['scale'],
  },
  'scales/age-low-on-websocket': {
    level: 'observed',
    statement: 'ageOfData of scale data is about 3 to 10 ms on the websocket.',
    needs: ['scale', 'websocket'],
  },
  'scales/age-larger-on-http': {
    level: 'observed',
    statement: 'ageOfData of scale data is usually much larger over HTTP than on the websocket.',
    needs: ['scale', 'websocket'],
  },
  'scales/fields-always-present': {
    level: 'should',
    statement: 'All thirteen keys of a scale data object are present, also where the value is null.',
    needs: ['scale'],
  },

  // The simulated scale
  'scales/simulate': { statement: 'PUT /scale succeeds and makes one measurement of a virtual scale.' },
  'scales/simulate-device-name': { statement: 'The virtual scale is called Service Test Scale.' },
  'scales/simulate-device-num': { statement: 'The virtual scale has device number 0.' },
  'scales/simulate-computer-zero': { statement: 'The virtual scale is at computer 0.' },
  'scales/simulate-queryable': { statement: 'The simulated measurement can be read at once.' },
  'scales/simulate-retention': {
    statement: 'The simulated measurement can be read for 45 seconds and no longer.',
    span: 'seconds',
  },
  'scales/simulate-per-account': {
    level: 'should',
    statement: 'The simulated measurement of one account is not seen by another.',
    needs: ['second-account'],
  },
  'scales/simulate-published': {
    statement: 'The simulated measurement is published to subscribed websockets.',
    needs: ['websocket'],
  },
  'scales/websocket': { statement: 'There is an RFC 6455 websocket for scale data.', needs: ['websocket'] },
} as const satisfies ClauseRows;
