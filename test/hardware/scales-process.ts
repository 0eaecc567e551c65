/**
 * A server with many scales, in a process of its own: what it costs is not mixed up with what its hosts cost. It says
 * where the scales are, measures while it is told to, and ends with its parent.
 *
 *   parent ◄── addresses ── process          parent ── ms ──► process          parent ◄── Cost ── process
 *
 * Usage: fork with execArgv --expose-gc, and with the number of scales and the milliseconds between two reports
 */

import { sleep, systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { Press } from '../../src/devices/press/press.ts';
import { AutoOff } from '../../src/devices/scale/auto-off.ts';
import { SCALE_PROFILES } from '../../src/devices/scale/scale-profile.ts';
import { VirtualScale } from '../../src/devices/scale/scale.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { MB } from './figures.ts';

interface Cost {
  readonly coreShare: number;
  /** How much the process has grown, with its garbage. */
  readonly grownMb: number;
  /** What of that its objects are, once the garbage is collected. */
  readonly keptMb: number;
}

const [count, republishMs] = process.argv.slice(2).map(Number);
const profiles = SCALE_PROFILES.names();
const press = new Press(systemClock);
const options = { clock: systemClock, autoOff: new AutoOff(systemClock) };
const owner = { random: createRandom(1), scalesChanged: () => undefined, scaleReported: () => undefined };
const before = collected();
const scales = Array.from({ length: count ?? 0 }, (_, index) => {
  const profile = SCALE_PROFILES.load(profiles[index % profiles.length] ?? 'dymo-m25');
  const description = { profile, name: `Scale ${index + 1}`, autoOffMs: null, republishMs };
  return new VirtualScale(index + 1, description, options, owner);
});
const computers = () => [{ name: 'DESK', printers: [], scales }];
const room = await ExposedRoom.open({ clock: systemClock, press, exposure: { usb: 0 }, computers });
for (const scale of scales) scale.load(500_000_000);
process.once('message', (measuredMs) => void measure(Number(measuredMs)));
process.once('disconnect', () => process.exit());
process.send?.(room.addresses.map(({ uris }) => uris.usb));

async function measure(measuredMs: number): Promise<void> {
  const [processor, elapsedMs] = [process.cpuUsage(), startStopwatch()];
  await sleep(systemClock, measuredMs);
  const { user, system } = process.cpuUsage(processor);
  const coreShare = (user + system) / 1_000 / elapsedMs();
  const grownMb = (process.memoryUsage().rss - before.rss) / MB;
  const now = collected();
  process.send?.({ coreShare, grownMb, keptMb: (used(now) - used(before)) / MB } satisfies Cost);
}

function collected(): NodeJS.MemoryUsage {
  globalThis.gc?.();
  return process.memoryUsage();
}

function used({ heapUsed, external }: NodeJS.MemoryUsage): number {
  return heapUsed + external;
}
