/**
 * Workbench options: shared by the commands that start a workbench.
 */

import { Option } from 'commander';

import type { RoomDescription } from '../../devices/room.ts';

export function roomOption(): Option {
  return new Option('--room <file>', 'a room as YAML (default: two computers with four printers and a scale)');
}

export function clockOption(): Option {
  const description = 'real time, or a virtual clock that stands still until it is advanced';
  return new Option('--clock <clock>', description).choices(['real', 'virtual']);
}

export function limitsOption(): Option {
  const description = 'request rate limit: that of the specification, or none';
  return new Option('--limits <limits>', description).choices(['spec', 'off']);
}

/** The room of a file; undefined if no file is named. @throws ActionableError with every mistake in it */
export async function readRoomFile(file: string | undefined): Promise<RoomDescription | undefined> {
  if (file === undefined) return undefined;
  // Loaded when needed: it imports the YAML parser.
  const { loadRoom } = await import('../../scenario/format/find-scenarios.ts');
  return loadRoom(file);
}
