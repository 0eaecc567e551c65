/**
 * Fitting room: which rooms a load can have where platen does not run the computers itself: beside client programs of
 * the service, each of which starts its own CUPS on this machine, or where nothing connects at all.
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

/** What only computers show: phases of a job, and classes that go by paper. */
const OF_COMPUTERS =
  /^\s*(job\.(deliver|fetch|spool|paper|report|webhook|whole)|ledger\.(delivered-once|duplicated|wrong-|lost-title|after-|failed-at-printer|unreported|redelivered))/;

/** @throws ActionableError where the load needs computers that connect */
export function ensureSeen({ streams, accounts, chaos, thresholds, abort }: LoadScenario, usePrinter?: string): void {
  const submitting = streams.find(({ operations }) => operations.some(({ name }) => name === 'submit'));
  if (submitting && usePrinter === undefined)
    throw usageError(`the stream '${submitting.name}' submits jobs, and the service has no link`, LINK_OR_USE);
  if (submitting && accounts > 1)
    throw usageError(
      `the load has ${accounts} accounts, and the printer '${usePrinter}' of one of them`,
      'Write `accounts: 1` in its traffic.',
    );
  const hit = chaos.find(({ what }) => what !== 'service-killed');
  if (hit) throw usageError(`${hit.what} hits computers, and none connects to the service`, LEAVE_OUT);
  const unseen = [...thresholds, ...abort].find((text) => OF_COMPUTERS.test(text));
  if (unseen === undefined) return;
  throw usageError(`'${unseen}' measures what computers do, and none connects to the service`, LEAVE_OUT);
}

const LINK_OR_USE =
  'Name a printer of the account in its descriptor with use: { printer }, or give it a `link:` or a `client:`.';
const LEAVE_OUT = 'Leave it out, or give the service a `link:` or a `client:` in its descriptor.';
