/**
 * The room of a scenario: computers with printers, by profile.
 */

import { z } from 'zod';

import { durationMs } from '../common/duration.ts';
import { DEFAULT_ROOM } from '../devices/default-room.ts';
import { loadPrinterProfile, printerProfileNames } from '../devices/printer-profile.ts';
import type { RoomDescription } from '../devices/room.ts';
import { loadScaleProfile, scaleProfileNames } from '../devices/scale-profile.ts';
import type { Aliases } from './cast.ts';
import { duration, gramsOnScale, microgramsOf } from './schema-types.ts';

export const printerProfileName = z.enum(printerProfileNames());
const scaleProfile = z.enum(scaleProfileNames());

const printer = z.strictObject({
  profile: printerProfileName.describe('What kind of printer it is: a file of fixtures/printers.'),
  name: z.string().min(1).exactOptional().describe('Its name; that of the profile unless given.'),
  as: z.string().min(1).exactOptional().describe('What steps call it, where two printers have one name.'),
  default: z
    .boolean()
    .nullable()
    .exactOptional()
    .describe('Whether it is the default printer of its computer.'),
});

const scale = z.strictObject({
  profile: scaleProfile.describe('What kind of scale it is: a file of fixtures/scales.'),
  name: z.string().min(1).exactOptional().describe('Its device name; vendor and product unless given.'),
  as: z
    .string()
    .min(1)
    .exactOptional()
    .describe('What steps and fault rules call it, where two scales have one name.'),
  port: z.string().exactOptional().describe('Label of its port.'),
  grams: gramsOnScale.exactOptional().describe('What lies on it from the beginning; nothing unless given.'),
});

const computer = z.strictObject({
  name: z.string().min(1).describe('What steps call it, and its name for the service.'),
  hostname: z.string().nullable().exactOptional(),
  inet: z.string().nullable().exactOptional().describe('Its IPv4 address.'),
  version: z.string().nullable().exactOptional().describe('Version of its client program.'),
  edition: z.string().nullable().exactOptional(),
  installationId: z
    .uuid()
    .exactOptional()
    .describe('Two computers with the same one are a copied configuration.'),
  oldClient: z
    .boolean()
    .exactOptional()
    .describe('A client program of long ago, which tells and knows less.'),
  clockSkew: duration.exactOptional().describe('How far its clock is ahead.'),
  printers: z.array(printer).default([]),
  scales: z.array(scale).default([]),
});

export interface ScenarioRoom {
  readonly description: RoomDescription;
  /** By computer. */
  readonly aliases: readonly Aliases[];
  readonly timeScale: number;
  /** What steps may call its devices. */
  readonly computers: readonly string[];
  readonly printers: readonly string[];
  readonly scales: readonly string[];
}

const described = z
  .strictObject({
    computers: z.array(computer),
    timeScale: z
      .number()
      .min(0)
      .default(0)
      .describe('How long printing takes: 1 is as long as the machines need, 0 no time at all.'),
  })
  .transform(({ computers, timeScale }): ScenarioRoom => {
    const aliases = computers.map(({ printers, scales }) => ({
      printers: printers.map(aliasOf),
      scales: scales.map(aliasOf),
    }));
    return { ...roomOf({ computers: computers.map(withoutAliases) }, aliases), timeScale };
  });

export const roomSchema = z
  .union([z.literal('default').transform(() => roomOf(DEFAULT_ROOM, [])), described])
  .describe(
    'The computers, printers and scales; two computers with four printers and a scale for `default`, and unless given.',
  );

export const DEFAULT_SCENARIO_ROOM: ScenarioRoom = roomOf(DEFAULT_ROOM, []);

function aliasOf({ as }: { readonly as?: string }): string | undefined {
  return as;
}

function withoutAliases(given: z.output<typeof computer>): RoomDescription['computers'][number] {
  const { printers, scales, clockSkew, ...rest } = given;
  return {
    ...rest,
    ...(clockSkew !== undefined && { clockSkewMs: durationMs(clockSkew) }),
    printers: printers.map(({ as: _as, ...printer }) => printer),
    scales: scales.map(({ grams = 0, ...scale }) => ({ ...scale, loadMicrograms: microgramsOf(grams) })),
  };
}

function roomOf(description: RoomDescription, aliases: readonly Aliases[]): ScenarioRoom {
  const { computers } = description;
  return {
    description,
    aliases,
    timeScale: 0,
    computers: computers.map(({ name }) => name),
    printers: computers.flatMap(({ printers }, at) =>
      printers.map(
        ({ name, profile }, index) =>
          aliases[at]?.printers[index] ?? name ?? loadPrinterProfile(profile).name,
      ),
    ),
    scales: computers.flatMap(({ scales = [] }, at) =>
      scales.map(({ name, profile }, index) => aliases[at]?.scales[index] ?? name ?? scaleName(profile)),
    ),
  };
}

function scaleName(profile: string): string {
  const { vendor, product } = loadScaleProfile(profile);
  return [vendor, product].filter(Boolean).join(' - ');
}
