/** Clauses about weighing scales: reading them, the scale data object, the simulated scale. */

import { given } from './clause.ts';

export const SCALE_CLAUSES = [
  // Reading
  given({ needs: ['scale'] }).must({
    'scales/list':
      'GET /computer/{computer_id}/scales answers 200 with an array of the most recent scale data objects.',
    'scales/list-most-recent': 'A scale stands in the list once, with its most recent data.',
    'scales/list-by-name':
      'GET /computer/{computer_id}/scales/{device_name} answers 200 with an array of data of the scales of that name.',
    'scales/list-by-name-only':
      'GET /computer/{computer_id}/scales/{device_name} shows no data of a scale of another name.',
    'scales/read-one':
      'GET /computer/{computer_id}/scale/{device_name}/{device_number} answers 200 with one scale data object, not an array.',
    'scales/read-one-most-recent': 'The path of one scale answers with the most recent data of that scale.',
  }),
  given({ needs: ['scale'] }).should({
    'scales/device-name-encoded':
      'The service takes a percent-encoded device name from the path, blanks and slashes included.',
  }),
  given().must({
    'scales/list-empty': 'The list of scale data is empty where the computer has no recent data.',
    'scales/list-any-computer':
      'GET /computer/{computer_id}/scales answers 200 for any positive integer, even if no such computer exists.',
    'scales/list-by-name-empty':
      'GET /computer/{computer_id}/scales/{device_name} answers 200 with an empty array where no scale has that name.',
    'scales/read-one-missing-404':
      'The path of one scale answers 404 where no scale of that name and number has produced data in the last 45 seconds.',
  }),
  given({ needs: ['second-account', 'computer'] }).must({
    'scales/list-foreign-computer': 'GET /computer/{computer_id}/scales answers 200 for a computer of another account.',
  }),
  given({ needs: ['second-account', 'scale'] }).should({
    'scales/list-foreign-data': 'GET /computer/{computer_id}/scales shows no data of a computer of another account.',
  }),
  given({ needs: ['scale'], span: 'seconds' }).must({
    'scales/retention-lists': 'A reading is gone from the lists 45 seconds after its creation.',
    'scales/retention-renewed': 'A new reading is kept for 45 seconds of its own, whenever the one before was created.',
  }),

  // The scale data object
  given({ needs: ['scale'] }).must({
    'scales/field-mass': 'mass of scale data is an array of two.',
    'scales/mass-micrograms': 'mass[0] of scale data is the mass in micrograms, or null.',
    'scales/mass-null-unweighable':
      'mass[0] of scale data is null where the scale could not compute a weight, as with a negative reading.',
    'scales/mass-resolution': 'mass[1] of scale data is the resolution in micrograms, or null where it is unknown.',
    'scales/field-computer-id': 'computerId of scale data is the id of the computer.',
    'scales/field-vendor': 'vendor of scale data is a string.',
    'scales/field-vendor-id': 'vendorId of scale data is an integer, the USB vendor id.',
    'scales/field-product-id': 'productId of scale data is an integer, the USB product id.',
    'scales/field-port': 'port of scale data is a string, the label of the connection port.',
    'scales/field-device-name': 'deviceName of scale data is a string.',
    'scales/field-device-num': 'deviceNum of scale data is an integer.',
    'scales/device-num-first-zero': 'The first connected scale of a name gets deviceNum 0.',
    'scales/device-num-smallest-unused': 'A newly connected scale gets the smallest deviceNum not in use for its name.',
    'scales/device-num-distinguishes': 'Two scales of a computer with one deviceName have different deviceNums.',
    'scales/field-count': 'count of scale data is null.',
    'scales/field-measurement': 'measurement of scale data is an object.',
    'scales/measurement-units': 'The keys of measurement are g, kg, lb or oz.',
    'scales/measurement-billionths': 'Each value of measurement is the reading in billionths of its unit.',
    'scales/measurement-two-parts': 'A reading in two parts has two keys.',
    'scales/measurement-equals-mass': 'measurement and mass tell the same weight.',
    'scales/field-client-reported-create-timestamp': 'clientReportedCreateTimestamp of scale data is a timestamp.',
    'scales/field-ntp-offset': 'ntpOffset of scale data is null.',
    'scales/field-age-of-data': 'ageOfData of scale data is an integer, in milliseconds, not negative.',
    'scales/mass-beyond-32-bits': 'A mass beyond 2^31 micrograms (2.147 kg) is shown exactly.',
    'scales/device-num-freed':
      'The number of a scale that was unplugged goes to the next one connected, and the others keep theirs.',
  }),
  given({ needs: ['scale'] }).should({
    'scales/fields-always-present': 'A scale data object has all thirteen keys, even those whose value is null.',
  }),
  given({ party: 'client', needs: ['scale'] }).must({
    'scales/device-name-default': 'deviceName of scale data is by default made of manufacturer and model.',
    'scales/device-name-renamed': 'deviceName of scale data can be changed in the client.',
  }),
  given({ needs: ['scale', 'websocket'] }).observed({
    'scales/age-low-on-websocket': 'ageOfData of scale data is about 3 to 10 ms on the websocket.',
    'scales/age-larger-on-http': 'ageOfData of scale data is usually much larger over HTTP than on the websocket.',
  }),

  // The simulated scale
  given().must({
    'scales/simulate': 'PUT /scale succeeds and makes one measurement of a virtual scale.',
    'scales/simulate-device-name': 'The virtual scale is called Service Test Scale.',
    'scales/simulate-device-num': 'The virtual scale has device number 0.',
    'scales/simulate-computer-zero': 'The virtual scale is at computer 0.',
    'scales/simulate-queryable': 'The simulated measurement can be read at once.',
  }),
  given({ span: 'seconds' }).must({
    'scales/simulate-retention': 'The simulated measurement can be read for 45 seconds and no longer.',
  }),
  given({ needs: ['second-account'] }).should({
    'scales/simulate-per-account': 'The simulated measurement of one account is not seen by another.',
  }),
  given({ needs: ['websocket'] }).must({
    'scales/simulate-published': 'The simulated measurement is published to subscribed websockets.',
    'scales/websocket': 'There is an RFC 6455 websocket for scale data.',
  }),
];
