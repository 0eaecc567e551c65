/**
 * Load room: the fleet of a shard at work, with its ledger, its behaviours and its disasters.
 */

import { systemClock } from '../../common/clock.ts';
import { createRandom } from '../../common/random.ts';
import { drawSeed } from '../plan/draws.ts';
import { accountsOf, type LoadPlan, type Shard } from '../plan/load-plan.ts';
import type { LoadRoom, RoomStageParts } from '../shard/shard-stage.ts';
import { checkOpenFiles } from '../traffic/open-files.ts';
import { sourceAddresses } from '../plan/source-addresses.ts';
import { ChaosPlayer } from './chaos.ts';
import { Fleet, type FleetComputer } from './fleet.ts';
import { markPrefix } from './job-mark.ts';
import { RoomLedger } from './room-ledger.ts';
import type { RoomPrinter } from './printer-ids.ts';

/** How long after the ramp the last computer may be there. */
const LAST_CONNECTED_MS = 60_000;

/** Connects the computers of the shard's accounts. @throws ActionableError when they cannot be connected */
export async function openLoadRoom(parts: RoomStageParts): Promise<LoadRoom> {
  const { plan, shard, serviceUrl, accounts, documents, link, ledger, sinceStartUs, faults } = parts;
  const { scenario } = plan;
  const computers = [...fleetComputers(plan, shard)];
  checkOpenFiles(computers.length + scenario.caps.connections);
  const random = createRandom(plan.seed).stream('room');
  const observer = new RoomLedger({
    ledger,
    markPrefix: markPrefix(plan.hash, shard),
    printerNumber: (printer) => fleet.printer(printer)?.number,
    expected: (row) => ({ sha256: documents[ledger.documentOf(row)]?.sha256 ?? '', options: {} }),
    nowUs: sinceStartUs,
    webhooks: parts.webhooks,
  });
  const fleet: Fleet = new Fleet(computers, {
    clock: systemClock,
    random,
    link,
    serviceUrl,
    timeScale: scenario.timeScale,
    longestBackoffMs: scenario.longestBackoffMs,
    credentialOf: (account) => ({ kind: 'api-key', key: accounts.get(account)?.apiKey ?? '' }),
    sources: sourceAddresses(plan.room.computerCount, serviceUrl, scenario.sources),
    observer,
    faults,
  });
  const disasters = new ChaosPlayer({
    ...parts,
    clock: systemClock,
    drawSeed: drawSeed(plan.seed, 'disasters'),
    fleet,
  });
  try {
    await fleet.connect({
      ratePerSecond: scenario.connectRate,
      ofAll: plan.room.computerCount,
      limitMs: LAST_CONNECTED_MS,
      signal: parts.signal,
    });
  } catch (error) {
    await fleet.close();
    throw error;
  }
  return {
    printers: [...printersOf(fleet)],
    get connected() {
      return fleet.connected;
    },
    get disasters() {
      return disasters.records;
    },
    get isBack() {
      return disasters.areOver;
    },
    async live(signal) {
      fleet.live();
      await disasters.run(scenario.disasters, signal);
    },
    drain() {
      fleet.rest();
      fleet.mend();
    },
    close() {
      disasters.close();
      return fleet.close();
    },
  };
}

/** The computers of a shard's accounts, and no others. */
export function* fleetComputers(plan: LoadPlan, shard: Shard): Iterable<FleetComputer> {
  for (const account of accountsOf(plan, shard)) {
    for (const { index, name, firstPrinter, template } of plan.room.computersOf(account)) {
      const described = plan.scenario.computers[template];
      if (!described) continue;
      const { printers, scales } = described.template;
      yield { index, account, name, firstPrinter, behaviour: described.behaviour, printers, scales };
    }
  }
}

function* printersOf(fleet: Fleet): Iterable<RoomPrinter> {
  for (const [{ account }, computer] of fleet.members()) {
    for (const printer of computer.printers) {
      const number = fleet.printer(printer)?.number;
      if (number === undefined) continue;
      yield { account, computerId: computer.id ?? 0, printerName: printer.name, printer: number };
    }
  }
}
