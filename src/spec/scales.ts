/** Clauses about weighing scales: reading them, the scale data object, the simulated scale. */

import type { ClauseRows } from './clause.ts';

export const SCALE_CLAUSES = {
  // Reading
  'scales/list': {
    statement:
      'GET /computer/{computer_id}/scales answers 200 with an array of the most recent scale data objects.',
    needs: ['scale'],
  },
  'scales/list-empty': { statement: 'That array is empty where the computer has no recent data.' },
  'scales/list-any-computer': {
    statement: 'That path answers 200 for any positive integer, also where there is no such computer.',
  },
  'scales/list-foreign-computer': {
    statement: 'That path answers 200 for a computer of another account.',
    needs: ['second-account', 'computer'],
  },
  'scales/list-foreign-data': {
    level: 'should',
    statement: 'It shows no data of a computer of another account.',
    needs: ['second-account', 'scale'],
  },
  'scales/list-most-recent': {
    statement: 'A scale stands in the list once, with its most recent data.',
    needs: ['scale'],
  },
  'scales/list-own-computer-only': {
    level: 'should',
    statement: 'The list has no data of the scales of another computer.',
    needs: ['scale'],
  },
  'scales/list-by-name': {
    statement:
      'GET /computer/{computer_id}/scales/{device_name} answers 200 with an array of data of the scales of that name.',
    needs: ['scale'],
  },
  'scales/list-by-name-only': {
    statement: 'That array has no data of a scale of another name.',
    needs: ['scale'],
  },
  'scales/list-by-name-empty': {
    statement: 'That array is empty, with status 200, where no scale has that name.',
  },
  'scales/list-by-name-all-numbers': {
    level: 'should',
    statement: 'That array has data of every scale of that name.',
    needs: ['scale'],
  },
  'scales/read-one': {
    statement:
      'GET /computer/{computer_id}/scale/{device_name}/{device_number} answers 200 with one scale data object, not an array.',
    needs: ['scale'],
  },
  'scales/read-one-most-recent': { statement: 'That object is the most recent one.', needs: ['scale'] },
  'scales/read-one-missing-404': {
    statement:
      'That path answers 404 where no scale of that name and number has produced data in the last 45 seconds.',
  },
  'scales/read-one-other-number-404': {
    level: 'should',
    statement: 'It answers 404 for a device number that no scale of that name has.',
    needs: ['scale'],
  },
  'scales/singular-and-plural': {
    statement: 'The two list paths say scales and the path of one reading says scale.',
    needs: ['scale'],
  },
  'scales/device-name-encoded': {
    level: 'should',
    statement: 'A device name is taken percent-encoded from the path, blanks and slashes included.',
    needs: ['scale'],
  },
  'scales/retention-single': {
    statement: 'A reading is gone from the path of one reading 45 seconds after its creation.',
    needs: ['scale'],
    span: 'seconds',
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
  'scales/field-mass': { statement: 'mass is an array of two.', needs: ['scale'] },
  'scales/mass-micrograms': { statement: 'mass[0] is the mass in micrograms, or null.', needs: ['scale'] },
  'scales/mass-null-unweighable': {
    statement: 'mass[0] is null where the scale could not compute a weight, as with a negative reading.',
    needs: ['scale'],
  },
  'scales/mass-resolution': {
    statement: 'mass[1] is the resolution in micrograms, or null where it is unknown.',
    needs: ['scale'],
  },
  'scales/mass-beyond-32-bits': {
    level: 'should',
    statement: 'A mass beyond 2^31 micrograms (2.147 kg) is shown exactly.',
    needs: ['scale'],
  },
  'scales/field-computer-id': { statement: 'computerId is the id of the computer.', needs: ['scale'] },
  'scales/field-vendor': { statement: 'vendor is a string.', needs: ['scale'] },
  'scales/field-vendor-id': { statement: 'vendorId is an integer, the USB vendor id.', needs: ['scale'] },
  'scales/field-product-id': { statement: 'productId is an integer, the USB product id.', needs: ['scale'] },
  'scales/field-port': { statement: 'port is a string, the label of the connection port.', needs: ['scale'] },
  'scales/field-device-name': { statement: 'deviceName is a string.', needs: ['scale'] },
  'scales/device-name-default': {
    party: 'client',
    statement: 'deviceName is by default made of manufacturer and model.',
    needs: ['scale'],
  },
  'scales/device-name-renamed': {
    party: 'client',
    statement: 'deviceName can be changed in the client.',
    needs: ['scale'],
  },
  'scales/field-device-num': { statement: 'deviceNum is an integer.', needs: ['scale'] },
  'scales/device-num-first-zero': {
    statement: 'The first connected scale of a name gets deviceNum 0.',
    needs: ['scale'],
  },
  'scales/device-num-smallest-unused': {
    statement: 'A newly connected scale gets the smallest deviceNum not in use for its name.',
    needs: ['scale'],
  },
  'scales/device-num-distinct': {
    statement: 'Scales of one name have different deviceNums.',
    needs: ['scale'],
  },
  'scales/device-num-per-name': {
    level: 'should',
    statement: 'deviceNum counts for each name by itself.',
    needs: ['scale'],
  },
  'scales/device-num-freed': {
    level: 'should',
    statement:
      'The number of a scale that was unplugged goes to the next one connected, and the others keep theirs.',
    needs: ['scale'],
  },
  'scales/field-count': { statement: 'count is null.', needs: ['scale'] },
  'scales/field-measurement': { statement: 'measurement is an object.', needs: ['scale'] },
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
    statement: 'clientReportedCreateTimestamp is a timestamp.',
    needs: ['scale'],
  },
  'scales/timestamp-of-the-computer': {
    statement: 'clientReportedCreateTimestamp is the time that the computer reported.',
    needs: ['scale'],
  },
  'scales/field-ntp-offset': { statement: 'ntpOffset is null.', needs: ['scale'] },
  'scales/field-age-of-data': {
    statement: 'ageOfData is an integer, in milliseconds, not negative.',
    needs: ['scale'],
  },
  'scales/age-grows': {
    level: 'should',
    statement: 'ageOfData grows with the time that passes between two requests.',
    needs: ['scale'],
  },
  'scales/age-low-on-websocket': {
    level: 'observed',
    statement: 'ageOfData is about 3 to 10 ms on the websocket.',
    needs: ['scale', 'websocket'],
  },
  'scales/age-larger-on-http': {
    level: 'observed',
    statement: 'ageOfData is usually much larger over HTTP than on the websocket.',
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
