/**
 * Workbench options: what the commands that start a workbench have in common.
 */

import { Option } from 'commander';

import type { RoomDescription } from '../../devices/room.ts';

export function roomOption(): Option {
  return new Option(
    '--room <file>',
    'a room as YAML (default: two computers with four printers and a scale)',
  );
}

export function clockOption(): Option {
  const description = 'real time, or a virtual clock that stands still until it is told to go on';
  return new Option('--clock <clock>', description).choices(['real', 'virtual']);
}

export function limitsOption(): Option {
  const description = 'request rate: that of the specification, or none';
  return new Option('--limits <limits>', description).choices(['spec', 'off']);
}

/** The room of a file; undefined where none is named. @throws ActionableError with every mistake in it */
export async function readRoomFile(file: string | undefined): Promise<RoomDescription | undefined> {
  if (file === undefined) return undefined;
  // Loaded when it is needed: it brings the reader of YAML along.
  const { loadRoom } = await import('../../scenario/format/find-scenarios.ts');
  return loadRoom(file);
}
