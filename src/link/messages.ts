/**
 * The message table of the link: what a computer and a service say to each other.
 *
 *   computer                                   service
 *      │  hello {client, holding}                 │   who I am, which jobs I already have
 *      │ ───────────────────────────────────────► │
 *      │             welcome {computerId, …}      │
 *      │ ◄─────────────────────────────────────── │
 *      │  printers, scales   (whole lists)        │
 *      │ ───────────────────────────────────────► │ ack
 *      │                  job {jobId, …}          │   at least once
 *  ack │ ◄─────────────────────────────────────── │
 *      │  job-state, reading                      │
 *      │ ───────────────────────────────────────► │ ack
 *
 * One JSON object a text frame, its kind in `type`. Everything but hello, welcome, ack, refresh and
 * error carries an `id` chosen by the sender and is acknowledged by `{type: 'ack', id}` once the
 * receiver has made it its own; what was not acknowledged is sent again after a reconnect, in order,
 * under the same id. docs/device-link.md has the whole protocol, for other languages.
 */

import { z } from 'zod';

import { DOCUMENT_AUTHENTICATION_INPUT, PRINT_JOB_INPUT } from '../specification/inputs.ts';

/** WebSocket subprotocols this version can speak, newest first. */
export const LINK_PROTOCOLS = ['platen.link.v1'] as const;

/** Path of the link, relative to the service's base address. */
export const LINK_PATH = '/link';

/** Codes a service closes a link with, beside the standard ones. */
export const LINK_CLOSE_CODES = {
  /** A frame that is not a message of this table. */
  badMessage: 4400,
  /** The key was revoked, or its account was suspended or deleted. */
  noLongerWelcome: 4401,
  computerDeleted: 4404,
} as const;

/** The longest text frame a service takes from a computer, in bytes. */
export const COMPUTER_FRAME_MAX_BYTES = 4 * 1024 * 1024;
/** The longest text frame a computer takes from a service, in bytes: room for a 50 MB submission. */
export const SERVICE_FRAME_MAX_BYTES = 64 * 1024 * 1024;
/** How many levels of objects and arrays a message may have, counting itself. */
export const MESSAGE_MAX_DEPTH = 32;
/** How many values a service takes in one message: members of objects and elements of arrays, at all levels. */
export const MESSAGE_MAX_VALUES = 50_000;
/** Silence of this many heartbeats means that the link is dead, at either end. */
export const SILENT_AFTER_HEARTBEATS = 2.5;

const messageId = z.string().min(1).max(100);
const timestamp = z.iso.datetime({ offset: true });
const positiveInteger = z.number().int().positive();

/** Lengths are well above any use; they are there so that every list of an account can be shown. */
const word = z.string().max(100);
const name = z.string().max(1_000);

/** An object of any keys, of at most this many characters, which are looked at before its members. */
function shortObject<Value extends z.ZodType>(most: number, value: Value): z.ZodType<Record<string, z.infer<Value>>> {
  const isShort = (object: unknown): boolean => (JSON.stringify(object) ?? '').length <= most;
  return z
    .unknown()
    .refine(isShort, { error: `must have at most ${most} characters as JSON`, abort: true })
    .pipe(z.record(z.string(), value));
}

const LONGEST_OBJECT = 65_536;
/** A scale has a handful of units. */
const LONGEST_MEASUREMENT = 10_000;

/** A list whose length is looked at before its elements. */
function shortList<Element extends z.ZodType>(most: number, element: Element): z.ZodType<z.infer<Element>[]> {
  return z.array(z.unknown()).max(most).pipe(z.array(element).max(most));
}

/** Capabilities as the driver reports them: passed on whole, odd ones included. */
const capabilities = shortObject(LONGEST_OBJECT, z.unknown()).nullable();

/** A printer as its computer reports it. `key` tells two printers of one name apart. */
export const printerReport = z.object({
  key: z.string().min(1).max(200),
  name,
  description: name,
  default: z.boolean().nullable(),
  state: word.nullable(),
  capabilities,
});

/** A scale as its computer reports it. The service gives it its deviceNum. */
const scaleReport = z.object({
  key: z.string().min(1).max(400),
  deviceName: name,
  vendor: name.nullable(),
  product: name.nullable(),
  vendorId: z.number().int().nonnegative(),
  productId: z.number().int().nonnegative(),
  port: name.nullable(),
});

const clientReport = z.object({
  /** UUID made once at installation: the same computer keeps it, a copied configuration shares it. */
  installationId: z.string().min(1).max(100),
  computerName: name.min(1),
  hostname: name.nullable(),
  inet: word.nullable(),
  inet6: word.nullable(),
  version: word.nullable(),
  edition: word.nullable(),
});

/** Computer → service. */
export const computerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    client: clientReport,
    /**
     * Jobs the computer has taken and whose last state is not acknowledged yet: the service does not
     * send these again.
     */
    holding: shortList(25_000, positiveInteger),
  }),
  z.object({ type: z.literal('printers'), id: messageId, printers: shortList(1_000, printerReport) }),
  z.object({ type: z.literal('scales'), id: messageId, scales: shortList(1_000, scaleReport) }),
  z.object({
    type: z.literal('job-state'),
    /** Also tells a repeated report from a new one: a service records one id once. */
    id: messageId,
    jobId: positiveInteger,
    state: z.string().min(1).max(100),
    message: z.string().max(10_000).nullable(),
    data: shortObject(LONGEST_OBJECT, z.unknown()).nullable(),
    /** When it happened, on the computer's clock. */
    createTimestamp: timestamp,
  }),
  z.object({
    type: z.literal('reading'),
    id: messageId,
    scaleKey: z.string().max(400),
    /** [micrograms or null, resolution in micrograms or null] */
    mass: z.tuple([z.number().int().nullable(), z.number().int().nullable()]),
    /** Unit on the display → reading in billionths of that unit. */
    measurement: shortObject(LONGEST_MEASUREMENT, z.number()),
    clientReportedCreateTimestamp: timestamp,
  }),
  z.object({ type: z.literal('ack'), id: messageId }),
]);

export const deliveredJob = z.object({
  jobId: positiveInteger,
  printerKey: z.string(),
  title: z.string(),
  source: z.string().nullable(),
  contentType: z.enum(PRINT_JOB_INPUT.contentType.values),
  content: z.string(),
  options: z.record(z.string(), z.unknown()),
  qty: positiveInteger,
  authentication: z
    .object({
      type: z.enum(DOCUMENT_AUTHENTICATION_INPUT.type.values),
      credentials: z.object({ user: z.string(), pass: z.string() }),
    })
    .nullable(),
  createTimestamp: timestamp,
  expireAt: timestamp.nullable(),
});

/** Service → computer. */
export const serviceMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    computerId: positiveInteger,
    accountId: positiveInteger,
    /** The service pings this often; silence of 2.5 intervals means that the link is dead. */
    heartbeatMs: z.number().int().positive(),
  }),
  z.object({ type: z.literal('job'), id: messageId, ...deliveredJob.shape }),
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('ack'), id: messageId }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);

export type PrinterReport = z.infer<typeof printerReport>;
export type ScaleReport = z.infer<typeof scaleReport>;
export type ClientReport = z.infer<typeof clientReport>;
export type ComputerMessage = z.infer<typeof computerMessage>;
export type ServiceMessage = z.infer<typeof serviceMessage>;
export type MessageOf<Message extends { type: string }, Type extends Message['type']> = Extract<
  Message,
  { type: Type }
>;

/** With a longer reason, ws throws. */
const CLOSE_REASON_MAX_BYTES = 123;

/** The text, cut between two characters to what a close frame can carry. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= CLOSE_REASON_MAX_BYTES) return text;
  let end = CLOSE_REASON_MAX_BYTES;
  while (isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

/** Whether a byte of UTF-8 is inside a character, not its first. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
