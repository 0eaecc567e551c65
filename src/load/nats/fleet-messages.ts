/**
 * Messages between coordinator and workers. Every one is checked against these schemas, since anything that reaches
 * the NATS server can publish.
 */

import { z } from 'zod';

import type { NatsConnection } from '@nats-io/transport-node';

/** Repeated until enough workers have joined. */
const announcementSchema = z.object({
  runId: z.string().regex(/^[\w-]{1,64}$/),
  version: z.string(),
  /** Workers need all of these tags. */
  tags: z.array(z.string()),
  title: z.string(),
});

const joinRequestSchema = z.object({
  worker: z.string().min(1).max(200),
  version: z.string(),
});

const joinReplySchema = z.union([
  z.object({ taken: z.literal(true) }),
  z.object({ taken: z.literal(false), reason: z.string() }),
]);

/** The clock of a worker beside that of the coordinator. */
const clockSchema = z.object({ offsetMs: z.number(), roundTripMs: z.number() });

const readySchema = z.object({
  worker: z.string(),
  /** What keeps it from starting; empty when it is ready. */
  problems: z.array(z.string()),
  clock: clockSchema,
});

const goSchema = z.object({ startAtMs: z.number() });
/** `drain` starts nothing new; `stop` ends at once. */
const haltSchema = z.object({ how: z.enum(['drain', 'stop']), reason: z.string() });
const startedSchema = z.object({ lateMs: z.number() });
const doneSchema = z.object({ ok: z.boolean(), message: z.string() });
const progressSchema = z.object({ shard: z.number().int(), progress: z.unknown() });
const timeSchema = z.object({ nowMs: z.number() });
const secretsSchema = z.unknown();

export type Announcement = z.infer<typeof announcementSchema>;
export type JoinRequest = z.infer<typeof joinRequestSchema>;
export type JoinReply = z.infer<typeof joinReplySchema>;
export type ClockReading = z.infer<typeof clockSchema>;
export type Ready = z.infer<typeof readySchema>;
export type Go = z.infer<typeof goSchema>;
export type Halt = z.infer<typeof haltSchema>;
export type Started = z.infer<typeof startedSchema>;
export type Done = z.infer<typeof doneSchema>;

/** Each reads its kind of message; undefined for anything else. */
export const read = {
  announcement: reader(announcementSchema),
  joinRequest: reader(joinRequestSchema),
  joinReply: reader(joinReplySchema),
  ready: reader(readySchema),
  go: reader(goSchema),
  halt: reader(haltSchema),
  started: reader(startedSchema),
  done: reader(doneSchema),
  progress: reader(progressSchema),
  time: reader(timeSchema),
  secrets: reader(secretsSchema),
};

function reader<Value>(schema: z.ZodType<Value>): (bytes: Uint8Array) => Value | undefined {
  return (bytes) => {
    try {
      return schema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data;
    } catch {
      return undefined;
    }
  };
}

const REPLY_LIMIT_MS = 2_000;

/** The reply to a request; undefined when it is of another kind. @throws Error when no reply came */
export async function ask<Value>(
  connection: NatsConnection,
  subject: string,
  readReply: (bytes: Uint8Array) => Value | undefined,
  request: unknown = {},
): Promise<Value | undefined> {
  const reply = await connection.request(subject, JSON.stringify(request), { timeout: REPLY_LIMIT_MS });
  return readReply(reply.data);
}

/** Answers requests on a subject until the connection ends; undefined sends no reply. */
export function answer(connection: NatsConnection, subject: string, reply: (request: Uint8Array) => unknown): void {
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return;
      const value = reply(message.data);
      if (value !== undefined) message.respond(JSON.stringify(value));
    },
  });
}
