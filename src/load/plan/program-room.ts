/**
 * Program room: which rooms a load can have where the client program of the service runs the computers. Each
 * computer then starts its own CUPS on this machine.
 */

import { availableParallelism } from 'node:os';

import { usageError } from '../../common/actionable-error.ts';
import { sumOf } from '../../common/sums.ts';
import type { LoadScenario } from './load-scenario.ts';

/** Each keeps a client program and a cupsd running, and a core busy for seconds while they start. */
const COMPUTERS_OF_A_CORE = 8;
/** CUPS makes one queue at a time, and needs a fraction of a second for each. */
const MOST_PRINTERS = 100;

/** @throws ActionableError when the room is too large for this machine, or has scales */
export function ensureProgramsFit({ computers }: LoadScenario, cores: number = availableParallelism()): void {
  const mostComputers = COMPUTERS_OF_A_CORE * cores;
  const wanted = sumOf(computers, ({ count }) => count);
  const printers = sumOf(computers, ({ count, template }) => count * template.printers.length);
  if (wanted > mostComputers || printers > MOST_PRINTERS) {
    throw usageError(
      `the scenario has ${wanted} computers with ${printers} printers, and the client program of each computer ` +
        `starts its own CUPS: this machine carries ${mostComputers} computers and ${MOST_PRINTERS} printers`,
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
