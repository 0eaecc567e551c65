import {
  ask,
  BEGAN_MS,
  connects,
  hasScales,
  later,
  restarted,
  scale,
  tell,
  weighed,
  weighs,
  type Told,
} from '../../../support/told-history.ts';

const OTHER = { key: 'other', account: '8' };
const room = [ask('GET /noop'), connects(), hasScales(1, scale())];
const reading = weighs(250);
/** A reading is sent, and acknowledged a hundred milliseconds later. */
/** Seen of a scale that does not tell its make. */
const bare = [
  ask('GET /noop'),
  connects(),
  hasScales(1, scale('s', { vendor: null, port: null })),
  later(0, reading),
  later(100, weighed(reading)),
];
const begun = [room, later(0, reading), later(100, weighed(reading))];

/** Scale data of the reading, a second after it was acknowledged. */
function data(given: object = {}, weighedAs: typeof reading = reading): object {
  const { mass, measurement, clientReportedCreateTimestamp } = weighedAs.reading;
  const { deviceName, vendor, vendorId, productId, port } = scale();
  const fixed = {
    computerId: 1,
    deviceName,
    deviceNum: 0,
    vendor,
    vendorId,
    productId,
    port,
    count: null,
    ntpOffset: null,
  };
  return { ...fixed, mass, measurement, clientReportedCreateTimestamp, ageOfData: 1_000, ...given };
}

const reads = (ms: number, path: string, value: unknown, asked: object = {}): Told =>
  later(ms, ask(`GET ${path}`, { value, ...asked }));
const lists = (ms: number, ...shown: readonly object[]): Told => reads(ms, '/computer/1/scales', shown);
const real = { isVirtual: false };
const KEPT_MS = 45_000;
const aged = (ms: number): object => data({ ageOfData: ms });

const GONE_EARLY = ['limits/scale-retention-not-early | GET /computer/1/scales | a reading of Scale number 0 | []'];

tell('a list of scale data shows', [
  ['none of a scale that was unplugged and came back', [begun, hasScales(1), hasScales(1, scale()), lists(1_100)], []],
  [
    'none of a scale while another was unplugged',
    [
      ask('GET /noop'),
      connects(),
      hasScales(1, scale(), scale('two')),
      later(0, reading),
      later(100, weighed(reading)),
      hasScales(1, scale()),
      lists(1_100),
    ],
    GONE_EARLY,
  ],
  [
    'none of a scale while one like it was unplugged from another computer',
    [begun, connects(2), hasScales(2, scale()), hasScales(2), lists(1_100)],
    GONE_EARLY,
  ],
  [
    'a refusal of a key that nobody knows',
    [begun, reads(1_100, '/computer/1/scales', {}, { status: 401, key: 'x', account: '' })],
    [],
  ],
  [
    'no list of a computer of a number with two digits',
    [
      ask('GET /noop'),
      connects(12),
      hasScales(12, scale()),
      later(0, weighs(250, 's', 12)),
      reads(1_100, '/computer/12/scales', {}),
    ],
    ['scales/list | GET /computer/12/scales | 200 and an array | 200 {}'],
  ],
  [
    'a reading that was the same before and is on its way again',
    [begun, later(40_000, weighs(250)), lists(60_000, data({ ageOfData: 20_000 }))],
    [],
  ],
  ['a reading', [begun, lists(1_100, data())], []],
  ['none', [begun, lists(1_100)], GONE_EARLY],
  ['none of a reading that is on its way', [room, later(0, reading), lists(1_100)], []],
  [
    'none of a reading that was acknowledged after the request',
    [
      room,
      later(0, reading),
      later(500, weighed(reading)),
      reads(1_100, '/computer/1/scales', [], { sentMs: BEGAN_MS + 499 }),
    ],
    [],
  ],
  [
    'none of a reading that was acknowledged before the request',
    [
      room,
      later(0, reading),
      later(500, weighed(reading)),
      later(1_100, ask('GET /computer/1/scales', { value: [], sentMs: BEGAN_MS + 500 })),
    ],
    GONE_EARLY,
  ],
  ['a reading that is on its way', [room, later(0, reading), lists(1_100, data({ ageOfData: 0 }))], []],
  ['none where frames get lost', [begun, lists(1_100)], [], { isLinkDisturbed: true }],
  ['none of a scale that was unplugged', [begun, hasScales(1), lists(1_100)], []],
  [
    'none of a scale that was unplugged while another stays',
    [
      room,
      hasScales(1, scale(), scale('two')),
      later(0, reading),
      later(100, weighed(reading)),
      hasScales(1, scale('two')),
      lists(1_100),
    ],
    [],
  ],
  [
    'none of a scale that is still there beside another',
    [
      room,
      hasScales(1, scale('two', { deviceName: 'Two' }), scale()),
      later(0, reading),
      later(100, weighed(reading)),
      lists(1_100),
    ],
    GONE_EARLY,
  ],
  ['none right before 45 seconds', [begun, lists(KEPT_MS - 1)], GONE_EARLY],
  ['none when 45 seconds are over', [begun, lists(KEPT_MS)], []],
  ['none shortly before 45 seconds on a real clock', [begun, lists(KEPT_MS - 2_000)], [], real],
  ['none before 45 seconds on a real clock', [begun, lists(KEPT_MS - 2_001)], GONE_EARLY, real],
  ['a reading of 45 seconds', [begun, lists(KEPT_MS + 100, aged(KEPT_MS))], []],
  [
    'a reading of more than 45 seconds',
    [begun, lists(KEPT_MS + 101, aged(KEPT_MS + 1))],
    [
      'limits/scale-retention | scale data in GET /computer/1/scales | nothing after 45 seconds | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":45001}',
    ],
  ],
  [
    'a reading as old as a clock that is known badly may be off',
    [begun, lists(KEPT_MS + 2_500, aged(KEPT_MS + 2_000))],
    [],
    { ...real, clockErrorMs: 1_000 },
  ],
  ['a reading as old as a clock may be off', [begun, lists(KEPT_MS + 2_100, aged(KEPT_MS + 2_000))], [], real],
  [
    'a reading older than a clock may be off',
    [begun, lists(KEPT_MS + 2_101, aged(KEPT_MS + 2_001))],
    [
      'limits/scale-retention | scale data in GET /computer/1/scales | nothing after 45 seconds | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":47001}',
    ],
    real,
  ],
  [
    'another mass',
    [begun, lists(1_100, data({ mass: [1, 2] }))],
    [
      'scales/mass-micrograms | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[1,2],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'another measurement',
    [begun, lists(1_100, data({ measurement: { g: 1 } }))],
    [
      'scales/measurement-billionths | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":1},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'another time',
    [begun, lists(1_100, data({ clientReportedCreateTimestamp: '2026-01-02T00:00:00.000Z' }))],
    [
      'scales/field-client-reported-create-timestamp | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"2026-01-02T00:00:00.000Z","ageOfData":1000}',
    ],
  ],
  [
    'the same time in other letters',
    [begun, lists(1_100, data({ clientReportedCreateTimestamp: '1970-01-01T00:04:10Z' }))],
    [],
  ],
  [
    'another mass and another measurement',
    [begun, lists(1_100, data({ mass: [1, 2], measurement: { g: 1 } }))],
    [
      'scales/mass-micrograms | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[1,2],"measurement":{"g":1},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'another mass and another time',
    [begun, lists(1_100, data({ mass: [1, 2], clientReportedCreateTimestamp: '2026-01-02T00:00:00.000Z' }))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[1,2],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"2026-01-02T00:00:00.000Z","ageOfData":1000}',
    ],
  ],
  [
    'another measurement and another time',
    [begun, lists(1_100, data({ measurement: { g: 1 }, clientReportedCreateTimestamp: '2026-01-02T00:00:00.000Z' }))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":1},"clientReportedCreateTimestamp":"2026-01-02T00:00:00.000Z","ageOfData":1000}',
    ],
  ],
  [
    'all another',
    [begun, lists(1_100, data({}, weighs(99)))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[99000000,1000000],"measurement":{"g":99000000000},"clientReportedCreateTimestamp":"1970-01-01T00:01:39.000Z","ageOfData":1000}',
    ],
  ],
  [
    'a number that is too high',
    [begun, lists(1_100, data({ deviceNum: 1 }))],
    [
      'scales/device-num-smallest-unused | scale data in GET /computer/1/scales | a scale it has | {"computerId":1,"deviceName":"Scale","deviceNum":1,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
      'limits/scale-retention-not-early | GET /computer/1/scales | a reading of Scale number 0 | [{"computerId":1,"deviceName":"Scale","deviceNum":1,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}]',
    ],
  ],
  [
    'a scale that it has not',
    [begun, lists(1_100, data({ deviceName: 'X' }), data())],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scales | a scale it has | {"computerId":1,"deviceName":"X","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'another computer',
    [begun, lists(1_100, data({ computerId: 2 }))],
    ['scales/field-computer-id | scale data in GET /computer/1/scales | computerId 1 | 2'],
  ],
  [
    'another vendor',
    [begun, lists(1_100, data({ vendor: 'X' }))],
    ['scales/field-vendor | scale data in GET /computer/1/scales | vendor "DYMO" | X'],
  ],
  [
    'another vendor id',
    [begun, lists(1_100, data({ vendorId: 9 }))],
    ['scales/field-vendor-id | scale data in GET /computer/1/scales | vendorId 1 | 9'],
  ],
  [
    'another product id',
    [begun, lists(1_100, data({ productId: 9 }))],
    ['scales/field-product-id | scale data in GET /computer/1/scales | productId 2 | 9'],
  ],
  [
    'another port',
    [begun, lists(1_100, data({ port: 'X' }))],
    ['scales/field-port | scale data in GET /computer/1/scales | port "usb" | X'],
  ],
  [
    'a count',
    [begun, lists(1_100, data({ count: 0 }))],
    ['scales/field-count | scale data in GET /computer/1/scales | count null | 0'],
  ],
  [
    'an offset',
    [begun, lists(1_100, data({ ntpOffset: 0 }))],
    ['scales/field-ntp-offset | scale data in GET /computer/1/scales | ntpOffset null | 0'],
  ],
  ['a vendor and a port that are unknown', [bare, lists(1_100, data({ vendor: null, port: null }))], []],
  ['a vendor and a port of no letters', [bare, lists(1_100, data({ vendor: '', port: '' }))], []],
  [
    'a vendor and a port that were never told',
    [bare, lists(1_100, data({ vendor: 'X', port: 'Y' }))],
    [
      'scales/field-vendor | scale data in GET /computer/1/scales | vendor "" | X',
      'scales/field-port | scale data in GET /computer/1/scales | port "" | Y',
    ],
  ],
  [
    'the last of two readings',
    [begun, later(200, weighs(300)), later(300, weighed(weighs(300))), lists(1_300, data({}, weighs(300)))],
    [],
  ],
  [
    'an object',
    [begun, reads(1_100, '/computer/1/scales', {})],
    ['scales/list | GET /computer/1/scales | 200 and an array | 200 {}'],
  ],
  [
    'a refusal',
    [begun, reads(1_100, '/computer/1/scales', [], { status: 404 })],
    ['scales/list | GET /computer/1/scales | 200 and an array | 404 []'],
  ],
  ['too many requests', [begun, reads(1_100, '/computer/1/scales', {}, { status: 429 })], []],
  ['a suspended account', [begun, reads(1_100, '/computer/1/scales', {}, { status: 403 })], []],
  ['nothing of a computer that nobody has', [begun, reads(1_100, '/computer/9/scales', [])], []],
  ['nothing of a deleted computer', [begun, later(200, ask('DELETE /computers/1', { value: [1] })), lists(1_100)], []],
  ['nothing for another account', [begun, reads(1_100, '/computer/1/scales', [], OTHER)], []],
  [
    'the reading for another account',
    [begun, reads(1_100, '/computer/1/scales', [data()], OTHER)],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scales | a scale it has | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  ['nothing to another method', [begun, later(1_100, ask('HEAD /computer/1/scales', { status: 405 }))], []],
  [
    'nothing at another path',
    [
      begun,
      reads(1_100, '/computer/1/scalesx', []),
      reads(1_100, '/x/computer/1/scales', []),
      reads(1_100, '/computer/1/scale/Scale', []),
    ],
    [],
  ],
]);

/** A second reading of the same scale; `sent` is on its way. */
const second = weighs(300);
tell('of two readings a list shows', [
  ['the newer one', [begun, later(200, second), later(300, weighed(second)), lists(1_300, data({}, second))], []],
  [
    'the older one where frames overtake each other',
    [begun, later(200, second), later(300, weighed(second)), lists(1_100, aged(1_000))],
    [],
    { isLinkDisturbed: true },
  ],
  [
    'the older one',
    [begun, later(200, second), later(300, weighed(second)), lists(1_100, aged(1_000))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[300000000,1000000],"measurement":{"g":300000000000},"clientReportedCreateTimestamp":"1970-01-01T00:05:00.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'the older one in the millisecond in which the newer one was acknowledged',
    [begun, later(150, second), later(200, weighed(second)), lists(200, data({ ageOfData: 100 }))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[300000000,1000000],"measurement":{"g":300000000000},"clientReportedCreateTimestamp":"1970-01-01T00:05:00.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":100}',
    ],
  ],
  ['the older one while the newer one is on its way', [begun, later(200, second), lists(1_100, data())], []],
  [
    'the newer one while it is on its way',
    [begun, later(200, second), lists(1_100, data({ ageOfData: 900 }, second))],
    [],
  ],
  [
    'one from before the last that is known',
    [begun, later(200, second), later(300, weighed(second)), later(400, weighs(350)), lists(1_100, aged(1_000))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[350000000,1000000],"measurement":{"g":350000000000},"clientReportedCreateTimestamp":"1970-01-01T00:05:50.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
]);

const twin = scale('two');
const [first, other] = [weighs(250), weighs(10, 'two')];
const twins = [
  ask('GET /noop'),
  connects(),
  hasScales(1, scale(), twin),
  later(0, first),
  later(0, weighed(first)),
  later(0, other),
  later(0, weighed(other)),
];
const ofTwin = (deviceNum: number): object => data({ deviceNum }, other);

const third = weighs(20, 'three');
const fourth = weighs(30);

tell('the number of a scale is', [
  ['that of neither', [twins, lists(1_000)], GONE_EARLY],
  [
    '2 of one that comes back after another took 0',
    [
      twins,
      hasScales(1, twin),
      hasScales(1, twin, scale('three')),
      hasScales(1, twin, scale('three'), scale()),
      later(500, fourth),
      later(500, weighed(fourth)),
      later(500, third),
      lists(1_000, ofTwin(1), data({ deviceNum: 2 }, fourth)),
    ],
    [],
  ],
  ['0 and 1', [twins, lists(1_000, data(), ofTwin(1))], []],
  [
    '1 and 0',
    [twins, lists(1_000, data({ deviceNum: 1 }), ofTwin(0))],
    [
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"two","mass":[10000000,1000000],"measurement":{"g":10000000000},"clientReportedCreateTimestamp":"1970-01-01T00:00:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":1,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
      'scales/list-most-recent | scale data in GET /computer/1/scales | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[10000000,1000000],"measurement":{"g":10000000000},"clientReportedCreateTimestamp":"1970-01-01T00:00:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    '0 and 2',
    [twins, lists(1_000, data(), ofTwin(2))],
    [
      'scales/device-num-smallest-unused | scale data in GET /computer/1/scales | a scale it has | {"computerId":1,"deviceName":"Scale","deviceNum":2,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[10000000,1000000],"measurement":{"g":10000000000},"clientReportedCreateTimestamp":"1970-01-01T00:00:10.000Z","ageOfData":1000}',
      'limits/scale-retention-not-early | GET /computer/1/scales | a reading of Scale number 1 | [{"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000},{"computerId":1,"deviceNa…',
    ],
  ],
  [
    '0 and 0 of other names',
    [
      ask('GET /noop'),
      connects(),
      hasScales(1, scale(), scale('two', { deviceName: 'Two' })),
      later(0, other),
      later(0, weighed(other)),
      lists(1_000, data({ deviceName: 'Two', deviceNum: 0 }, other)),
    ],
    [],
  ],
  ['1 after the first was unplugged', [twins, hasScales(1, twin), lists(1_000, ofTwin(1))], []],
  [
    '0 when the first is unplugged before the second comes',
    [room, hasScales(1), hasScales(1, twin), later(0, other), later(0, weighed(other)), lists(1_000, ofTwin(0))],
    [],
  ],
  [
    '0 of a new one when the first was unplugged',
    [
      twins,
      hasScales(1, twin),
      hasScales(1, twin, scale('three')),
      later(500, weighs(20, 'three')),
      lists(1_000, ofTwin(1), data({ deviceNum: 0, ageOfData: 0 }, weighs(20, 'three'))),
    ],
    [],
  ],
  [
    '2 of a third',
    [
      ask('GET /noop'),
      connects(),
      hasScales(1, scale(), twin, scale('three')),
      later(500, weighs(20, 'three')),
      lists(1_000, data({ deviceNum: 2, ageOfData: 0 }, weighs(20, 'three'))),
    ],
    [],
  ],
  [
    '0 again after it was plugged in again',
    [
      begun,
      hasScales(1),
      hasScales(1, scale()),
      later(500, second),
      later(500, weighed(second)),
      lists(1_500, data({}, second)),
    ],
    [],
  ],
  [
    '0 on each computer',
    [
      twins,
      connects(2),
      hasScales(2, scale()),
      later(500, weighs(250, 's', 2)),
      reads(1_000, '/computer/2/scales', [data({ computerId: 2, ageOfData: 0 })]),
    ],
    [],
  ],
  ['a reading of an unknown scale', [room, later(0, weighs(5, 'none')), lists(1_000)], []],
  ['a reading that nobody sent', [room, later(0, weighed(reading)), lists(1_000)], []],
  ['a reading acknowledged twice', [begun, later(500, weighed(reading)), lists(1_100, aged(500))], []],
]);

const named = (name: string, value: unknown, asked: object = {}): Told =>
  reads(1_100, `/computer/1/scales/${name}`, value, asked);
const mixed = [
  ask('GET /noop'),
  connects(),
  hasScales(1, scale(), scale('two', { deviceName: 'My scale' })),
  later(0, reading),
  later(100, weighed(reading)),
];

tell('a list by name shows', [
  [
    'another scale of the same number',
    [mixed, lists(1_100, data({ deviceName: 'My scale' }))],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scales | a scale it has | {"computerId":1,"deviceName":"My scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
      'limits/scale-retention-not-early | GET /computer/1/scales | a reading of Scale number 0 | [{"computerId":1,"deviceName":"My scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}]',
    ],
  ],
  ['its reading', [begun, named('Scale', [data()])], []],
  [
    'nothing',
    [begun, named('Scale', [])],
    ['limits/scale-retention-not-early | GET /computer/1/scales/Scale | a reading of Scale number 0 | []'],
  ],
  ['nothing of another name', [begun, named('Other', [])], []],
  [
    'another one',
    [mixed, named('My%20scale', [data()])],
    [
      'scales/list-by-name-only | GET /computer/1/scales/My%20scale | scales called My scale | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  ['nothing of a name that had none', [mixed, named('My%20scale', [])], []],
  [
    'an object',
    [begun, named('Scale', {})],
    ['scales/list-by-name | GET /computer/1/scales/Scale | 200 and an array | 200 {}'],
  ],
  [
    'a refusal',
    [begun, named('Scale', [], { status: 404 })],
    ['scales/list-by-name | GET /computer/1/scales/Scale | 200 and an array | 404 []'],
  ],
]);

const one = (value: unknown, asked: object = {}, path = 'Scale/0', ms = 1_100): Told =>
  reads(ms, `/computer/1/scale/${path}`, value, asked);
const missing = { status: 404 };

tell('one scale shows', [
  [
    'a failure of a scale of any number',
    [begun, one({}, { status: 500 }, 'Scale/10')],
    ['scales/read-one-missing-404 | status of GET /computer/1/scale/Scale/10 | 404 | 500'],
  ],
  ['its reading', [begun, one(data())], []],
  ['nothing', [begun, one({}, missing)], ['scales/read-one | status of GET /computer/1/scale/Scale/0 | 200 | 404']],
  ['nothing of a reading on its way', [room, later(0, reading), one({}, missing)], []],
  [
    'an error',
    [begun, one({}, { status: 500 })],
    ['scales/read-one | status of GET /computer/1/scale/Scale/0 | 200 | 500'],
  ],
  [
    'an error where there is none',
    [room, one({}, { status: 500 })],
    ['scales/read-one-missing-404 | status of GET /computer/1/scale/Scale/0 | 404 | 500'],
  ],
  [
    'another success where there is none',
    [room, one({}, { status: 204 })],
    ['scales/read-one-missing-404 | status of GET /computer/1/scale/Scale/0 | 404 | 204'],
  ],
  ['nothing where there is none', [room, one({}, missing)], []],
  ['nothing of another number', [begun, one({}, missing, 'Scale/1')], []],
  ['nothing of another name', [begun, one({}, missing, 'Other/0')], []],
  [
    'a reading of another number',
    [begun, one(data(), {}, 'Scale/1')],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scale/Scale/1 | a scale it has | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'a reading of another name',
    [begun, one(data(), {}, 'Other/0')],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scale/Other/0 | a scale it has | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'a list',
    [begun, one([data()])],
    [
      'scales/read-one | body of GET /computer/1/scale/Scale/0 | a scale data object | [{"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}]',
    ],
  ],
  [
    'another mass',
    [begun, one(data({ mass: [1, 2] }))],
    [
      'scales/mass-micrograms | scale data in GET /computer/1/scale/Scale/0 | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[1,2],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'another reading',
    [begun, one(data({}, weighs(99)))],
    [
      'scales/read-one-most-recent | scale data in GET /computer/1/scale/Scale/0 | {"scaleKey":"s","mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z"} | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[99000000,1000000],"measurement":{"g":99000000000},"clientReportedCreateTimestamp":"1970-01-01T00:01:39.000Z","ageOfData":1000}',
    ],
  ],
  ['nothing for another account', [begun, one({}, { ...OTHER, status: 404 })], []],
  [
    'a reading for another account',
    [begun, one(data(), OTHER)],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scale/Scale/0 | a scale it has | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  ['nothing of another computer', [begun, reads(1_100, '/computer/2/scale/Scale/0', {}, missing)], []],
  ['a reading of 45 seconds', [begun, one(aged(KEPT_MS), {}, 'Scale/0', KEPT_MS + 100)], []],
  [
    'a reading of more than 45 seconds',
    [begun, one(aged(KEPT_MS + 1), {}, 'Scale/0', KEPT_MS + 101)],
    [
      'limits/scale-retention | scale data in GET /computer/1/scale/Scale/0 | nothing after 45 seconds | {"computerId":1,"deviceName":"Scale","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":45001}',
    ],
  ],
  ['nothing of more than 45 seconds', [begun, one({}, missing, 'Scale/0', KEPT_MS + 101)], []],
  ['nothing by a path without a number', [begun, one({}, { status: 500 }, 'Scale')], []],
  ['nothing by a path with another end', [begun, one({}, { status: 500 }, 'Scale/0x')], []],
]);

const restartedWithIt = [begun, later(200, restarted), hasScales(1, scale())];

const NOT_SIMULATED = ['scales/simulate-queryable | GET /computer/0/scales | the simulated reading | []'];

tell('a service that was restarted shows', [
  ['nothing of a reading from before', [restartedWithIt, lists(1_100)], []],
  ['a reading from before', [restartedWithIt, lists(1_100, data())], []],
  [
    'nothing of a reading since then',
    [restartedWithIt, later(300, second), later(400, weighed(second)), lists(1_400)],
    GONE_EARLY,
  ],
  [
    'a reading since then',
    [restartedWithIt, later(300, second), later(400, weighed(second)), lists(1_400, data({}, second))],
    [],
  ],
  ['a reading with another number', [restartedWithIt, lists(1_100, data({ deviceNum: 3 }))], []],
  [
    'a scale that it has not',
    [restartedWithIt, lists(1_100, data({ deviceName: 'X' }))],
    [
      'scales/list-foreign-data | scale data in GET /computer/1/scales | a scale it has | {"computerId":1,"deviceName":"X","deviceNum":0,"vendor":"DYMO","vendorId":1,"productId":2,"port":"usb","count":null,"ntpOffset":null,"mass":[250000000,1000000],"measurement":{"g":250000000000},"clientReportedCreateTimestamp":"1970-01-01T00:04:10.000Z","ageOfData":1000}',
    ],
  ],
  [
    'new numbers',
    [
      twins,
      later(200, restarted),
      hasScales(1, twin),
      later(300, weighs(20, 'two')),
      lists(1_000, data({ deviceNum: 0, ageOfData: 0 }, weighs(20, 'two'))),
    ],
    [],
  ],
  [
    'nothing of a scale that did not come back',
    [begun, later(200, restarted), later(300, second), later(400, weighed(second)), lists(1_100)],
    [],
  ],
  [
    'nothing simulated before',
    [later(0, ask('PUT /scale', { sent: {} })), later(200, restarted), reads(1_100, '/computer/0/scales', [])],
    [],
  ],
  [
    'something simulated before',
    [
      later(0, ask('PUT /scale', { sent: {} })),
      later(200, restarted),
      reads(1_100, '/computer/0/scales', [{ deviceName: 'Service Test Scale', deviceNum: 0, computerId: 0 }]),
    ],
    [],
  ],
  [
    'something simulated for too long',
    [
      later(0, ask('PUT /scale', { sent: {} })),
      later(200, restarted),
      reads(45_001, '/computer/0/scales', [{ deviceName: 'Service Test Scale', deviceNum: 0, computerId: 0 }]),
    ],
    [
      'scales/simulate-retention | GET /computer/0/scales | nothing after 45 seconds | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
  ],
  [
    'something simulated since then',
    [later(0, restarted), later(200, ask('PUT /scale', { sent: {} })), reads(1_100, '/computer/0/scales', [])],
    NOT_SIMULATED,
  ],
]);

const simulates = (sent: unknown, asked: object = {}): Told =>
  later(0, ask('PUT /scale', { sent, sentMs: BEGAN_MS, atMs: BEGAN_MS + 100, ...asked }));
const simulated = (given: object = {}): object => ({
  deviceName: 'Service Test Scale',
  deviceNum: 0,
  computerId: 0,
  ...given,
});
const virtual = (ms: number, ...shown: readonly object[]): Told => reads(ms, '/computer/0/scales', shown);
const single = (ms: number, value: unknown, asked: object = {}, path = 'Service%20Test%20Scale/0'): Told =>
  reads(ms, `/computer/0/scale/${path}`, value, asked);
const made = [later(0, ask('PUT /scale', { sent: {} }))];
const slow = [{ ...ask('PUT /scale', { sent: {}, sentMs: BEGAN_MS, atMs: BEGAN_MS + 100 }) }];

tell('a simulated reading', [
  ['of the body that is known', [ask('PUT /scale')], []],
  ['is shown', [made, virtual(1_000, simulated())], []],
  ['is not shown', [made, virtual(1_000)], NOT_SIMULATED],
  [
    'is shown twice',
    [made, virtual(1_000, simulated(), simulated())],
    [
      'scales/simulate-queryable | GET /computer/0/scales | the simulated reading | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0},{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
  ],
  [
    'was never made',
    [virtual(1_000, simulated())],
    [
      'scales/simulate-per-account | GET /computer/0/scales | no simulated reading | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
  ],
  ['was never made, and is not shown', [virtual(1_000)], []],
  [
    'was made for another account',
    [made, reads(1_000, '/computer/0/scales', [simulated()], OTHER)],
    [
      'scales/simulate-per-account | GET /computer/0/scales | no simulated reading | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
  ],
  ['is refused', [simulates(undefined, { status: 400 })], ['scales/simulate | status of PUT /scale | a success | 400']],
  ['of another kind is refused', [simulates({ mass: 1 }, { status: 400 }), virtual(1_000)], []],
  ['is refused where nobody knows what it takes', [simulates(undefined, { status: 400 })], [], { dialect: {} }],
  [
    'of another kind is known and refused',
    [simulates({ mass: 1 }, { status: 400 })],
    ['scales/simulate | status of PUT /scale | a success | 400'],
    { dialect: { 'simulated-reading': { body: { mass: 1 } } } },
  ],
  ['by another method', [later(0, ask('POST /scale', { status: 405, sent: undefined }))], []],
  ['at another path', [later(0, ask('PUT /scales', { status: 404, sent: undefined }))], []],
  ['is gone right before 45 seconds', [slow, virtual(KEPT_MS - 1)], NOT_SIMULATED],
  ['is gone when 45 seconds are over', [slow, virtual(KEPT_MS)], []],
  ['is there when 45 seconds are over', [slow, virtual(KEPT_MS + 100, simulated())], []],
  [
    'is there after 45 seconds',
    [slow, virtual(KEPT_MS + 101, simulated())],
    [
      'scales/simulate-retention | GET /computer/0/scales | nothing after 45 seconds | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
  ],
  ['is there as long as a clock may be off', [slow, virtual(KEPT_MS + 2_100, simulated())], [], real],
  [
    'is there longer than a clock may be off',
    [slow, virtual(KEPT_MS + 2_101, simulated())],
    [
      'scales/simulate-retention | GET /computer/0/scales | nothing after 45 seconds | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
    real,
  ],
  ['is gone after 45 seconds', [slow, virtual(KEPT_MS + 101)], []],
  [
    'has another name',
    [made, virtual(1_000, simulated({ deviceName: 'X' }))],
    ['scales/simulate-device-name | GET /computer/0/scales | "Service Test Scale" | "X"'],
  ],
  [
    'has a number',
    [made, virtual(1_000, simulated({ deviceNum: 1 }))],
    ['scales/simulate-device-num | GET /computer/0/scales | 0 | 1'],
  ],
  [
    'has a computer',
    [made, virtual(1_000, simulated({ computerId: 1 }))],
    ['scales/simulate-computer-zero | GET /computer/0/scales | 0 | 1'],
  ],
  ['is shown by name', [made, reads(1_000, '/computer/0/scales/Service%20Test%20Scale', [simulated()])], []],
  [
    'is not shown by name',
    [made, reads(1_000, '/computer/0/scales/Service%20Test%20Scale', [])],
    ['scales/simulate-queryable | GET /computer/0/scales/Service%20Test%20Scale | the simulated reading | []'],
  ],
  ['is not shown by another name', [made, reads(1_000, '/computer/0/scales/Scale', [])], []],
  [
    'is shown by another name',
    [made, reads(1_000, '/computer/0/scales/Scale', [simulated()])],
    [
      'scales/simulate-per-account | GET /computer/0/scales/Scale | no simulated reading | [{"deviceName":"Service Test Scale","deviceNum":0,"computerId":0}]',
    ],
  ],
  ['is shown alone', [made, single(1_000, simulated())], []],
  [
    'is not shown alone',
    [made, single(1_000, {}, missing)],
    ['scales/simulate-queryable | status of GET /computer/0/scale/Service%20Test%20Scale/0 | 200 | 404'],
  ],
  [
    'is shown alone with another name',
    [made, single(1_000, simulated({ deviceName: 'X' }))],
    ['scales/simulate-device-name | GET /computer/0/scale/Service%20Test%20Scale/0 | "Service Test Scale" | "X"'],
  ],
  ['is shown alone as a list', [made, single(1_000, [simulated()])], []],
  [
    'is gone alone right before 45 seconds',
    [slow, single(KEPT_MS - 1, {}, missing)],
    ['scales/simulate-queryable | status of GET /computer/0/scale/Service%20Test%20Scale/0 | 200 | 404'],
  ],
  ['is gone alone when 45 seconds are over', [slow, single(KEPT_MS, {}, missing)], []],
  ['is there alone when 45 seconds are over', [slow, single(KEPT_MS + 100, simulated())], []],
  [
    'is there alone after 45 seconds',
    [slow, single(KEPT_MS + 101, simulated())],
    ['scales/simulate-retention | GET /computer/0/scale/Service%20Test%20Scale/0 | 404 | 200'],
  ],
  ['is there alone as long as a clock may be off', [slow, single(KEPT_MS + 2_100, simulated())], [], real],
  [
    'is there alone longer than a clock may be off',
    [slow, single(KEPT_MS + 2_101, simulated())],
    ['scales/simulate-retention | GET /computer/0/scale/Service%20Test%20Scale/0 | 404 | 200'],
    real,
  ],
  [
    'is there alone for another account',
    [made, single(1_000, simulated(), OTHER)],
    ['scales/simulate-per-account | GET /computer/0/scale/Service%20Test%20Scale/0 | 404 | 200'],
  ],
  [
    'is there alone by another name',
    [made, single(1_000, simulated(), {}, 'Scale/0')],
    ['scales/simulate-per-account | GET /computer/0/scale/Scale/0 | 404 | 200'],
  ],
  [
    'is there alone by another number',
    [made, single(1_000, simulated(), {}, 'Service%20Test%20Scale/1')],
    ['scales/simulate-per-account | GET /computer/0/scale/Service%20Test%20Scale/1 | 404 | 200'],
  ],
  ['is not there alone by another name', [made, single(1_000, {}, missing, 'Scale/0')], []],
]);
