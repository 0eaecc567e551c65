/**
 * The messages of a computer, told apart and checked field by field.
 */

import type { Json, JsonObject } from './store.ts';

/** The computer did not keep to the protocol; the message says how. */
export class ProtocolError extends Error {}

export interface Hello {
  readonly type: 'hello';
  readonly client: {
    readonly installationId: string;
    readonly computerName: string;
    readonly hostname: string | null;
    readonly inet: string | null;
    readonly inet6: string | null;
    readonly version: string | null;
    readonly edition: string | null;
  };
  readonly holding: readonly number[];
}

export interface PrintersReport {
  readonly type: 'printers';
  readonly id: string;
  readonly printers: readonly {
    readonly key: string;
    readonly name: string;
    readonly description: string;
    readonly default: boolean | null;
    readonly state: string | null;
    readonly capabilities: JsonObject | null;
  }[];
}

export interface ScalesReport {
  readonly type: 'scales';
  readonly id: string;
  readonly scales: readonly {
    readonly key: string;
    readonly deviceName: string;
    readonly vendor: string | null;
    readonly product: string | null;
    readonly vendorId: number;
    readonly productId: number;
    readonly port: string | null;
  }[];
}

export interface JobStateReport {
  readonly type: 'job-state';
  readonly id: string;
  readonly jobId: number;
  readonly state: string;
  readonly message: string | null;
  readonly data: JsonObject | null;
  readonly createTimestamp: string;
}

export interface ReadingReport {
  readonly type: 'reading';
  readonly id: string;
  readonly scaleKey: string;
  readonly mass: readonly (number | null)[];
  readonly measurement: JsonObject;
  readonly clientReportedCreateTimestamp: string;
}

export type ComputerMessage =
  | Hello
  | PrintersReport
  | ScalesReport
  | JobStateReport
  | ReadingReport
  | { readonly type: 'ack'; readonly id: string };

type Test = (value: Json | undefined) => boolean;

const text =
  (least = 0, most = Infinity): Test =>
  (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most;
const whole =
  (least: number): Test =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const object: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const numbers: Test = (value) =>
  object(value) && Object.values(value as JsonObject).every((one) => typeof one === 'number');
const time: Test = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const mass: Test = (value) =>
  Array.isArray(value) && value.length === 2 && value.every(orNull(whole(Number.MIN_SAFE_INTEGER)));
const fields =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    object(value) && Object.entries(tests).every(([name, test]) => test((value as JsonObject)[name]));

const id = text(1, 100);

const MESSAGES: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  hello: {
    client: fields({
      installationId: id,
      computerName: text(1),
      hostname: orNull(text()),
      inet: orNull(text()),
      inet6: orNull(text()),
      version: orNull(text()),
      edition: orNull(text()),
    }),
    holding: listOf(whole(1)),
  },
  printers: {
    id,
    printers: listOf(
      fields({
        key: text(1, 200),
        name: text(),
        description: text(),
        default: orNull((value) => typeof value === 'boolean'),
        state: orNull(text()),
        capabilities: orNull(object),
      }),
    ),
  },
  scales: {
    id,
    scales: listOf(
      fields({
        key: text(1, 400),
        deviceName: text(),
        vendor: orNull(text()),
        product: orNull(text()),
        vendorId: whole(0),
        productId: whole(0),
        port: orNull(text()),
      }),
    ),
  },
  'job-state': {
    id,
    jobId: whole(1),
    state: id,
    message: orNull(text()),
    data: orNull(object),
    createTimestamp: time,
  },
  reading: { id, scaleKey: text(), mass, measurement: numbers, clientReportedCreateTimestamp: time },
  ack: { id },
};

const DEEPEST = 32;

/** @throws ProtocolError when the frame is no message of a computer */
export function checkMessage(frame: string): ComputerMessage {
  const message = parse(frame);
  const type = message['type'];
  const tests = typeof type === 'string' && Object.hasOwn(MESSAGES, type) ? MESSAGES[type] : undefined;
  if (!tests) throw new ProtocolError(`no message is called ${JSON.stringify(type)}`);
  const wrong = Object.keys(tests).find((name) => !tests[name]?.(message[name]));
  if (wrong !== undefined) throw new ProtocolError(`${JSON.stringify(type)}: ${wrong} is missing or wrong`);
  const checked: unknown = message;
  return checked as ComputerMessage;
}

function parse(frame: string): JsonObject {
  let message: Json;
  try {
    message = JSON.parse(frame) as Json;
  } catch {
    throw new ProtocolError('the frame is no JSON');
  }
  if (!object(message)) throw new ProtocolError('the frame is no JSON object');
  if (isDeeperThan(message, DEEPEST)) throw new ProtocolError(`nested deeper than ${DEEPEST} levels`);
  return message as JsonObject;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((below) => isDeeperThan(below, levels - 1));
}
