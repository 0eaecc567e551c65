/**
 * A fleet as a process of its own, for the bench of rooms at size: connects, then counts what comes out.
 *
 * Usage: node fleet.ts '{"url", "key", "computers", "rate", "connectLimitMs"}'
 * Says a line of JSON when it is connected, {"connectMs", "rss", "connected"}, and one when each of its
 * computers has printed, {"printed", "distinct", "reported", "rss", "mostRss", "rssOfSeconds"}.
 */

import { systemClock } from '../../../src/common/clock.ts';
import { createRandom } from '../../../src/common/random.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';
import { Fleet, type FleetComputer } from '../../../src/load/room/fleet.ts';
import { checkOpenFiles } from '../../../src/load/plan/open-files.ts';
import { sourceAddresses } from '../../../src/load/plan/source-addresses.ts';
import { soon } from '../../support/soon.ts';

const { url, key, computers, rate, connectLimitMs } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly url: string;
  readonly key: string;
  readonly computers: number;
  readonly rate: number;
  readonly connectLimitMs: number;
};
const PRINTERS_EACH = 2;

checkOpenFiles(computers);
let mostRss = 0;
const watch = systemClock.beat(50, () => {
  mostRss = Math.max(mostRss, process.memoryUsage.rss());
});
const rssOfSeconds: number[] = [];
const seconds = systemClock.beat(1_000, () => rssOfSeconds.push(process.memoryUsage.rss()));

const printedOn = new Set<number>();
let printed = 0;
let reported = 0;
const members = Array.from({ length: computers }, (_, index): FleetComputer => ({
  index,
  account: 0,
  name: `Shop ${index + 1}`,
  firstPrinter: index * PRINTERS_EACH,
  printers: [
    { profile: 'label-zebra-zpl', name: 'Labels' },
    { profile: 'laser-a4', name: 'Laser', default: true },
  ],
  scales: [{ profile: 'dymo-m10' }],
}));
const fleet: Fleet = new Fleet(members, {
  clock: systemClock,
  random: createRandom(1),
  link: webSocketLink({ clock: systemClock }),
  serviceUrl: url,
  credentialOf: () => ({ kind: 'api-key', key }),
  sources: sourceAddresses(computers, url),
  observer: {
    printed(_printout, printer) {
      printed++;
      printedOn.add(Math.floor((fleet.printer(printer)?.number ?? -1) / PRINTERS_EACH));
    },
    reported(_jobId, state) {
      if (state === 'done') reported++;
    },
  },
});

const say = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);
const rssBefore = process.memoryUsage.rss();
const elapsedMs = startStopwatch();
await fleet.connect({ ratePerSecond: rate, ofAll: computers, limitMs: connectLimitMs });
say({
  connectMs: Math.round(elapsedMs()),
  connected: fleet.connected,
  rss: process.memoryUsage.rss(),
  rssBefore,
  mostRss,
});
await soon('a printout of each computer', '600s', () => (reported >= computers ? true : undefined)).catch(
  () => undefined,
);
watch.cancel();
seconds.cancel();
say({ printed, distinct: printedOn.size, reported, rss: process.memoryUsage.rss(), mostRss, rssOfSeconds });
process.exit(0);
