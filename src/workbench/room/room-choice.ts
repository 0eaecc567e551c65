/**
 * Room choice: what the room of a workbench is made from, as a program gives it. A program in JavaScript learns here
 * what is wrong with it, and where.
 */

import { z } from 'zod';

import { usageError } from '../../common/actionable-error.ts';
import { readValueAs } from '../../common/schema-problems.ts';
import { DEFAULT_ROOM } from '../../devices/default-room.ts';
import type { RoomComputer, RoomDescription } from '../../devices/room.ts';

export type RoomChoice = 'default' | 'none' | RoomDescription;

type FieldsOf<Description> = Readonly<Record<keyof Description, z.ZodType>>;

const text = z.string().nullable().optional();

const printer = z.strictObject({
  profile: z.string(),
  name: z.string().min(1).optional(),
  default: z.boolean().nullable().optional(),
} satisfies FieldsOf<RoomComputer['printers'][number]>);

const scale = z.strictObject({
  profile: z.string(),
  name: z.string().min(1).optional(),
  as: z.string().min(1).optional(),
  port: text,
  loadMicrograms: z.number().optional(),
  republishMs: z.number().optional(),
  autoOffMs: z.number().nullable().optional(),
} satisfies FieldsOf<NonNullable<RoomComputer['scales']>[number]>);

export const describedComputer = z.strictObject({
  name: z.string().min(1),
  number: z.number().int().optional(),
  hostname: text,
  inet: text,
  version: text,
  edition: text,
  installationId: z.string().optional(),
  oldClient: z.boolean().optional(),
  credential: z.looseObject({}).optional(),
  localAddress: z.string().optional(),
  clockSkewMs: z.number().optional(),
  login: z.looseObject({}).optional(),
  printers: z.array(printer),
  scales: z.array(scale).optional(),
} satisfies FieldsOf<RoomComputer>);

export const NAMED_ROOMS = ['default', 'none'] as const;

const given = z.object({
  room: z.union([z.enum(NAMED_ROOMS), z.strictObject({ computers: z.array(describedComputer) })]),
});

/** @throws ActionableError that says what is wrong with the choice, and where */
export function descriptionOf(choice: RoomChoice): RoomDescription {
  const read = readValueAs(given, { room: choice });
  if (!read.ok) throw usageError(read.error, 'docs/library.md shows what a room is made from.');
  if (choice === 'default') return DEFAULT_ROOM;
  return choice === 'none' ? { computers: [] } : choice;
}
