/**
 * Program room: which rooms a load can have where the client program of the service runs the computers, each with a
 * print system of its own on this machine.
 */

import { availableParallelism } from 'node:os';

import { usageError } from '../../common/actionable-error.ts';
import { sumOf } from '../../common/sums.ts';
import type { LoadScenario } from './load-scenario.ts';

/** Each keeps a client program and a cupsd running, and a core busy for seconds while they start. */
const COMPUTERS_OF_A_CORE = 8;
/** Making a queue takes CUPS a part of a second, one after the other. */
const MOST_PRINTERS = 100;

/** @throws ActionableError when the room is too large for this machine, or has scales */
export function ensureProgramsFit({ computers }: LoadScenario, cores: number = availableParallelism()): void {
  const mostComputers = COMPUTERS_OF_A_CORE * cores;
  const wanted = sumOf(computers, ({ count }) => count);
  const printers = sumOf(computers, ({ count, template }) => count * template.printers.length);
  if (wanted > mostComputers || printers > MOST_PRINTERS) {
    throw usageError(
      `the scenario has ${wanted} computers with ${printers} printers, and each computer of a client program takes a ` +
        `CUPS of its own: this machine carries ${mostComputers} computers and ${MOST_PRINTERS} printers`,
      'Lower `count` of its computers, or name the link of the service with --link.',
    );
  }
  const weighing = computers.find(({ template }) => (template.scales ?? []).length > 0);
  if (weighing) {
    throw usageError(
      `${weighing.template.name} has scales, and the client programs of a load share the USB bus of this machine: ` +
        'each would publish the scales of all',
      'Leave `scales` out, or name the link of the service with --link. `platen check` weighs through a client.',
    );
  }
}
