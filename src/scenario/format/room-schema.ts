/**
 * The room of a scenario: computers with printers, by profile.
 */

import { z } from 'zod';

import { duration } from '../../common/duration-schema.ts';
import { durationMs } from '../../common/duration.ts';
import { DEFAULT_ROOM } from '../../devices/default-room.ts';
import type { Profiles } from '../../devices/profiles.ts';
import type { RoomDescription } from '../../devices/room.ts';
import { SCALE_PROFILES, type ScaleProfile } from '../../devices/scale/scale-profile.ts';
import type { LoadComputer } from '../../load/plan/load-scenario.ts';
import type { Aliases } from '../setup/cast.ts';
import { gramsOnScale, microgramsOf, printerProfileName } from '../vocabulary/schema-types.ts';
import { profilesOf, type OwnFiles } from '../vocabulary/own-files.ts';
import { behaviourName } from './traffic-schema.ts';

const scaleProfile = z.enum(SCALE_PROFILES.names());

const printer = z.strictObject({
  profile: printerProfileName.describe(
    'What kind of printer it is: a name of fixtures/printers, or the path of a file like those.',
  ),
  name: z.string().min(1).exactOptional().describe('Its name; that of the profile by default.'),
  as: z.string().min(1).exactOptional().describe('What steps call it, if two printers have the same name.'),
  default: z.boolean().nullable().exactOptional().describe('Whether it is the default printer of its computer.'),
});

const scale = z.strictObject({
  profile: scaleProfile.describe('What kind of scale it is: a file of fixtures/scales.'),
  name: z.string().min(1).exactOptional().describe('Its device name; vendor and product by default.'),
  as: z
    .string()
    .min(1)
    .exactOptional()
    .describe('What steps and fault rules call it, if two scales have the same name.'),
  port: z.string().exactOptional().describe('Label of its port.'),
  grams: gramsOnScale.exactOptional().describe('What lies on it at the beginning; nothing by default.'),
});

const computer = z.strictObject({
  name: z.string().min(1).describe('Its name, for steps and for the service.'),
  count: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .exactOptional()
    .describe('Number of computers like this, called `name 1`, `name 2` and so on; 1 by default.'),
  behaviour: behaviourName.exactOptional(),
  hostname: z.string().nullable().exactOptional(),
  inet: z.string().nullable().exactOptional().describe('Its IPv4 address.'),
  version: z.string().nullable().exactOptional().describe('Version of its client program.'),
  edition: z.string().nullable().exactOptional(),
  installationId: z.uuid().exactOptional().describe('Two computers with the same id have a copied configuration.'),
  oldClient: z.boolean().exactOptional().describe('An old client program, which reports and supports less.'),
  clockSkew: duration.exactOptional().describe('How far its clock is ahead.'),
  printers: z.array(printer).default([]),
  scales: z.array(scale).default([]),
});

interface DeviceName {
  readonly name: string;
  readonly computer: string;
}

export interface ScenarioRoom {
  readonly description: RoomDescription;
  /** By computer. */
  readonly aliases: readonly Aliases[];
  readonly timeScale: number;
  /** The computers, before `count` multiplies them. */
  readonly templates: readonly LoadComputer[];
  /** Computers connected a second in a load; undefined for the default. */
  readonly connectRate: number | undefined;
  /** The longest wait of a computer of a load before it tries again; undefined for the default. */
  readonly longestBackoffMs: number | undefined;
  /** Paths of fields that mean something only in a load. */
  readonly loadOnly: readonly (readonly PropertyKey[])[];
  /** What steps may call its devices. */
  readonly computers: readonly string[];
  readonly printers: readonly DeviceName[];
  readonly scales: readonly DeviceName[];
}

const described = z.strictObject({
  computers: z.array(computer),
  timeScale: z
    .number()
    .min(0)
    .default(0)
    .describe('How long printing takes: 1 is as long as real machines need, 0 no time at all.'),
  connect: z
    .strictObject({
      rate: z.number().min(1).max(100_000).exactOptional().describe('Computers a second; 500 by default.'),
      longestBackoff: duration
        .exactOptional()
        .describe(
          'The longest wait of a computer that lost its connection before it tries again; 30s by default. Waits are random, up to 1s at first, up to twice as long after each failure.',
        ),
    })
    .exactOptional()
    .describe('How the computers of a load connect and reconnect.'),
});

const NAMED = 'default';

export const roomSchema = z
  .union([z.literal(NAMED), described])
  .default(NAMED)
  .describe(
    'The computers, printers and scales. `default`, also if omitted: two computers with four printers and a scale.',
  );

/** The room that a file means, with the names of its devices. */
export function roomOf(given: z.output<typeof roomSchema>, files: Pick<OwnFiles, 'profiles'>): ScenarioRoom {
  const profiles = profilesOf(files);
  if (given === NAMED) return namedRoom(DEFAULT_ROOM, [], profiles);
  const { computers: templates, timeScale, connect } = given;
  const computers = templates.flatMap(multiplied);
  const aliases = computers.map(({ printers, scales }) => ({
    printers: printers.map(aliasOf),
    scales: scales.map(aliasOf),
  }));
  return {
    ...namedRoom({ computers: computers.map(withoutAliases) }, aliases, profiles),
    templates: templates.map((one) => ({
      template: withoutAliases(one),
      count: one.count ?? 1,
      behaviour: one.behaviour ?? 'steady',
    })),
    timeScale,
    connectRate: connect?.rate,
    longestBackoffMs: connect?.longestBackoff === undefined ? undefined : durationMs(connect.longestBackoff),
    loadOnly: [
      ...(connect ? [['connect']] : []),
      ...templates.flatMap(({ behaviour }, index) =>
        behaviour === undefined ? [] : [['computers', index, 'behaviour']],
      ),
    ],
  };
}

type Computer = z.output<typeof computer>;

function multiplied(given: Computer): readonly Computer[] {
  const { count = 1, name } = given;
  if (count === 1) return [given];
  return Array.from({ length: count }, (_, index) => ({ ...given, name: `${name} ${index + 1}` }));
}

function aliasOf({ as }: { readonly as?: string }): string | undefined {
  return as;
}

function withoutAliases(given: Computer): RoomDescription['computers'][number] {
  const { printers, scales, clockSkew, count: _count, behaviour: _behaviour, ...rest } = given;
  return {
    ...rest,
    ...(clockSkew !== undefined && { clockSkewMs: durationMs(clockSkew) }),
    printers: printers.map(({ as: _as, ...printer }) => printer),
    scales: scales.map(({ grams = 0, ...scale }) => ({ ...scale, loadMicrograms: microgramsOf(grams) })),
  };
}

function namedRoom(description: RoomDescription, aliases: readonly Aliases[], profiles: Profiles): ScenarioRoom {
  const { computers } = description;
  return {
    description,
    aliases,
    timeScale: 0,
    templates: computers.map((template) => ({ template, count: 1, behaviour: 'steady' })),
    connectRate: undefined,
    longestBackoffMs: undefined,
    loadOnly: [],
    computers: computers.map(({ name }) => name),
    printers: computers.flatMap(({ name: computer, printers }, at) =>
      printers.map(({ name, profile }, index) => ({
        name: aliases[at]?.printers[index] ?? name ?? profiles.printer(profile).name,
        computer,
      })),
    ),
    scales: computers.flatMap(({ name: computer, scales = [] }, at) =>
      scales.map(({ name, profile }, index) => ({
        name: aliases[at]?.scales[index] ?? name ?? scaleName(profiles.scale(profile)),
        computer,
      })),
    ),
  };
}

function scaleName({ vendor, product }: ScaleProfile): string {
  return [vendor, product].filter(Boolean).join(' - ');
}
