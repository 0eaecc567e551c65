/**
 * CPU time: how much work the tests of this project are, whatever else the machine does meanwhile.
 */

import { writeFileSync } from 'node:fs';

import { afterAll } from 'vitest';

/** Writes what the process has used from now until its tests are over, in milliseconds. */
export function recordCpuTime(file) {
  const before = process.cpuUsage();
  afterAll(() => {
    const { user, system } = process.cpuUsage(before);
    writeFileSync(file, String((user + system) / 1_000));
  });
}
