/**
 * A recorded day: what was seen of the reference service while a scenario was played on it, to be judged as it is and
 * with something in it changed.
 */

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import type { Observation } from '../../src/oracle/account/observation.ts';
import { historyOf } from '../../src/scenario/expect/service.ts';
import { readScenario } from '../../src/scenario/format/read-scenario.ts';
import { buildSetup } from '../../src/scenario/play/build-setup.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';

const HEAD = `title: A recorded day
why: It is recorded for a test of the judges.
room:
  computers:
    - name: DESK
      version: 4.27.3
      printers: [{ profile: laser-a4, name: Laser }]
      scales: [{ profile: dymo-m10, name: Scale }]
    - name: TILL
      printers: [{ profile: laser-a4, name: Receipts }]
`;

/** @param steps - as in a scenario file */
export async function recordDay(steps: string): Promise<readonly Observation[]> {
  const read = readScenario(`${HEAD}steps:\n${steps}expect: { service: strict }\n`, '.');
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join(', '));
  await using press = new Press(systemClock);
  const target = await embeddedTarget();
  const setup = await buildSetup(read.value, { target, press });
  try {
    await setup.room.connect();
    setup.cast.meet();
    for (const step of read.value.scenario.steps) {
      const outcome = await step.run(setup);
      if (outcome.kind !== 'kept') throw new Error(`${step.summary}: ${JSON.stringify(outcome)}`);
    }
    return await historyOf(setup);
  } finally {
    await setup.close();
    await target.close();
  }
}
