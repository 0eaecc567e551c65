/**
 * Tries every fault of load-faults.ts, and the same loads on a sound service; writes
 * reports/baseline/load-faults.md.
 *
 * Usage: node test/load-faults/run-load-faults.ts [--only TEXT]   exits 1 when a fault escapes, or a sound
 * service is blamed.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import type { LoadFault } from './fault.ts';
import { LOAD_FAULTS } from './load-faults.ts';
import { runFault, soundTwin, type FaultRun } from './run-fault.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const PAGE = new URL('../../reports/baseline/load-faults.md', import.meta.url);
const AT_ONCE = 2;

interface Tried {
  readonly fault: LoadFault;
  readonly run: FaultRun;
}

async function tryAll(faults: readonly LoadFault[]): Promise<readonly Tried[]> {
  const tried = new Map<LoadFault, FaultRun>();
  const left = faults.values();
  const tryNext = async (): Promise<void> => {
    for (const fault of left) {
      const run = await runFault(fault);
      tried.set(fault, run);
      process.stdout.write(`${verdictOn({ fault, run })}  ${fault.name}: ${listed(run)}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tryNext));
  return faults.flatMap((fault) => {
    const run = tried.get(fault);
    return run ? [{ fault, run }] : [];
  });
}

function isRight({ fault, run }: Tried): boolean {
  return fault.caughtAs === '' ? run.findings.size === 0 : run.findings.has(fault.caughtAs);
}

function verdictOn(tried: Tried): string {
  return isRight(tried) ? 'ok    ' : 'WRONG ';
}

function listed({ findings }: FaultRun): string {
  return [...findings].map(([name, count]) => `${name} (${count})`).join(', ') || 'nothing found';
}

function pageOf(faults: readonly Tried[], sound: readonly Tried[]): string {
  const caught = faults.filter(isRight).length;
  const blamed = sound.filter((tried) => !isRight(tried)).length;
  return [
    '# Faults that a load notices',
    '',
    'Written by `npm run prove load-faults`. Each line is a load run against the reference service with one fault: the',
    'class that has to tell of it, and whether it did. Counts are not given, as they depend on timing.',
    '',
    `${caught} of ${faults.length} caught by the right class. The same loads on a sound service: ${sound.length} runs, ${blamed} blamed.`,
    '',
    '| the service … | shown by | jobs | caught |',
    '| --- | --- | --- | --- |',
    ...faults.map(
      (tried) =>
        `| ${tried.fault.name} | ${tried.fault.caughtAs} | ${tried.run.jobs} | ${isRight(tried) ? 'yes' : '**no**'} |`,
    ),
    '',
  ].join('\n');
}

const wanted = LOAD_FAULTS.filter(({ name }) => name.includes(values.only));
const twins = new Map(wanted.map((fault) => [JSON.stringify(soundTwin(fault)), soundTwin(fault)]));
const sound = await tryAll([...twins.values()]);
const faults = await tryAll(wanted);
if (values.only === '') {
  await mkdir(new URL('.', PAGE), { recursive: true });
  await writeFile(PAGE, pageOf(faults, sound));
}
process.exitCode = [...sound, ...faults].every(isRight) ? 0 : 1;
