// What a computer may say, as docs/device-link.md prints it.
const VALUES_MOST = 50_000;
const DEPTH_MOST = 32;

export class BadMessage extends Error {}

const demand = (isMet, where, what) => {
  if (!isMet) throw new BadMessage(`${where} has to be ${what}`);
};
const string = (least, most) => (value, where) =>
  demand(
    typeof value === 'string' && value.length >= least && value.length <= most,
    where,
    `${least} to ${most} characters`,
  );
const integer = (least) => (value, where) =>
  demand(Number.isSafeInteger(value) && value >= least, where, `an integer from ${least}`);
const orNull = (check) => (value, where) => value === null || check(value, where);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const free = (most) => (value, where) =>
  demand(isObject(value) && JSON.stringify(value).length <= most, where, `an object of at most ${most} characters`);
const flag = (value, where) => demand(typeof value === 'boolean', where, 'true or false');
const listOf = (check, most) => (value, where) => {
  demand(Array.isArray(value) && value.length <= most, where, `a list of at most ${most}`);
  value.forEach((one, index) => check(one, `${where}[${index}]`));
};
const record = (fields) => (value, where) => {
  demand(isObject(value), where, 'an object');
  for (const [name, check] of Object.entries(fields)) {
    demand(Object.hasOwn(value, name), `${where}.${name}`, 'there');
    check(value[name], `${where}.${name}`);
  }
};
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(:(\d\d)([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$/i;
const timestamp = (value, where) =>
  demand(typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value)), where, 'a time');
const numbers = (value, where) => {
  free(10_000)(value, where);
  for (const one of Object.values(value)) demand(typeof one === 'number', where, 'an object of numbers');
};
const mass = (value, where) => {
  demand(Array.isArray(value) && value.length === 2, where, 'two integers or nulls');
  for (const one of value) demand(one === null || Number.isSafeInteger(one), where, 'two integers or nulls');
};
const id = string(1, 100);

const MESSAGES = {
  hello: record({
    client: record({
      installationId: id,
      computerName: string(1, 1_000),
      hostname: orNull(string(0, 1_000)),
      inet: orNull(string(0, 100)),
      inet6: orNull(string(0, 100)),
      version: orNull(string(0, 100)),
      edition: orNull(string(0, 100)),
    }),
    holding: listOf(integer(1), 25_000),
  }),
  printers: record({
    id,
    printers: listOf(
      record({
        key: string(1, 200),
        name: string(0, 1_000),
        description: string(0, 1_000),
        default: orNull(flag),
        state: orNull(string(0, 100)),
        capabilities: orNull(free(65_536)),
      }),
      1_000,
    ),
  }),
  scales: record({
    id,
    scales: listOf(
      record({
        key: string(1, 400),
        deviceName: string(0, 1_000),
        vendor: orNull(string(0, 1_000)),
        product: orNull(string(0, 1_000)),
        vendorId: integer(0),
        productId: integer(0),
        port: orNull(string(0, 1_000)),
      }),
      1_000,
    ),
  }),
  'job-state': record({
    id,
    jobId: integer(1),
    state: id,
    message: orNull(string(0, 10_000)),
    data: orNull(free(65_536)),
    createTimestamp: timestamp,
  }),
  reading: record({
    id,
    scaleKey: string(0, 400),
    mass,
    measurement: numbers,
    clientReportedCreateTimestamp: timestamp,
  }),
  ack: record({ id }),
};

/** @throws BadMessage */
export function readMessage(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch (error) {
    throw new BadMessage(`no JSON: ${error.message}`);
  }
  let [level, values] = [[message], 0];
  for (let depth = 0; level.length > 0; depth++) {
    const objects = level.filter((one) => typeof one === 'object' && one !== null);
    demand(objects.length === 0 || depth < DEPTH_MOST, 'the message', 'at most 32 levels deep');
    level = objects.flatMap((one) => Object.values(one));
    values += level.length;
    demand(values <= VALUES_MOST, 'the message', `at most ${VALUES_MOST} values`);
  }
  demand(isObject(message) && Object.hasOwn(MESSAGES, message.type), 'type', 'one of this link');
  MESSAGES[message.type](message, message.type);
  return message;
}
