/**
 * What takes too long for `npm test`, by name.
 *
 *   npm run bench NAME [-- OPTIONS]   a benchmark of platen; exits 1 when a figure misses its bar
 *   npm run prove NAME [-- OPTIONS]   a proof in its long form; exits 1 when it does not hold
 *
 * Without a name they are listed. `--help` shows the head of the file, which says what options it takes.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface LongRun {
  readonly file: string;
  readonly about: string;
}

const BENCHES: Readonly<Record<string, string>> = {
  service: 'the reference service against a bare HTTP server',
  peers: 'the reference service against mock servers that people use',
  store: 'what a job costs in the store, by open jobs and by the size of its document',
  'many-jobs': 'the reference service with a million jobs',
  start: 'the time until a workbench is ready, and until it is back at its seed',
  room: 'ten thousand idle computers against bare sockets',
  'room-at-size': 'ten thousand computers with printers and scales, and a job on each',
  'fleet-start': 'how far apart the workers of a fleet begin',
  'fleet-at-size': 'thirty thousand computers on three workers',
  pacing: 'whether the generator keeps its schedule',
  knee: 'the search for the knee against services with known answers',
  drift: 'soaks of services that leak, slow down or lose a job, and of sound ones',
  generator: 'the generator in saturation against autocannon',
  'end-to-end': 'jobs a second from submission to report',
};

const RUNS: Readonly<Record<string, Readonly<Record<string, LongRun>>>> = {
  bench: Object.fromEntries(
    Object.entries(BENCHES).map(([name, about]) => [name, { file: `bench/${name}.ts`, about }]),
  ),
  prove: {
    mutants: { file: 'mutants/run-mutants.ts', about: 'a check catches each broken clause' },
    cells: { file: 'mutants/run-cells.ts', about: 'a check of the matrix catches each fault of its cells' },
    variants: { file: 'variants/run-variants.ts', about: 'the suite lets every conforming variant pass' },
    explore: { file: 'explore/run-explore.ts', about: 'exploring finds broken services by itself, within a minute' },
    'explore-variants': {
      file: 'explore/run-explore-variants.ts',
      about: 'exploring finds nothing in conforming variants',
    },
    'explore-real': {
      file: 'explore/run-explore-real.ts',
      about: 'exploring on real time finds, shortens and repeats three planted faults',
    },
    pipelines: {
      file: 'pipelines/run-pipelines.ts',
      about: 'exploring finds the faults of a print agent by its paper',
    },
    marks: {
      file: 'pipelines/run-marks.ts',
      about: 'the mark of a job is read from paper of every kind, drawn again too',
    },
    judges: { file: 'judges/run-judges.ts', about: 'a unit test fails for each change of the judging code' },
    strangers: {
      file: 'strangers/run-strangers.ts',
      about: 'services by strangers are accused of nothing wrongly',
    },
    'first-day': {
      file: 'first-day/run-first-day.ts',
      about: 'one deviation of a service is one finding, and everything else is judged as before',
    },
    callers: {
      file: 'callers/run-callers.ts',
      about: 'apps that print are caught at what they get wrong, and at nothing else',
    },
    client: { file: 'client/run-client.ts', about: 'checks judge the same through a client program and CUPS' },
    paper: { file: 'paper/run-paper.ts', about: 'PDFs of a folder come out as MuPDF and Poppler draw them' },
    'print-chain': { file: 'client/run-print-chain.ts', about: 'no job is unaccounted for when CUPS is killed' },
    emitted: { file: 'conformance/run-emitted.ts', about: 'which checks judge each clause' },
    openapi: {
      file: 'conformance/run-openapi.ts',
      about: 'docs/openapi.json holds for a check, a mock server, a generated client and a linter',
    },
    repetitions: { file: 'conformance/run-repetitions.ts', about: 'every check passes with any seed' },
    crash: { file: 'crash/kill-rounds.ts', about: 'a service that is killed under load loses nothing' },
    attacks: { file: 'attacks/run-attacks.ts', about: 'no stranger gets in, and nothing stops a bench' },
    fuzz: { file: 'fuzz/http-fuzz.ts', about: 'the service survives a hundred thousand odd requests' },
    hardware: {
      file: 'hardware/run-hardware.ts',
      about: 'operating systems find nothing wrong with the virtual printers',
    },
    'hardware-fuzz': {
      file: 'fuzz/hardware-fuzz.ts',
      about: 'ports for operating systems survive a hundred thousand hostile inputs',
    },
    'dns-sd': { file: 'hardware/run-dns-sd.ts', about: 'Avahi and CUPS find the printers that are announced' },
    usb: {
      file: 'hardware/run-usb.ts',
      about: 'a Linux kernel reads the scales of a USB bus as they are',
    },
    'load-faults': {
      file: 'load-faults/run-load-faults.ts',
      about: 'the ledger finds each fault of a service',
    },
    'load-chaos': {
      file: 'load-faults/load-chaos.ts',
      about: 'the ledger is exact under several faults at once',
    },
    'fleet-losses': {
      file: 'distributed/repeat-losses.ts',
      about: 'a load on several machines survives losses',
    },
  },
};

/** The files of `npm run bench` and `npm run prove`. */
export const LONG_RUN_FILES = Object.values(RUNS).flatMap((runs) => Object.values(runs).map(({ file }) => file));

/** The names after `npm run bench` or `npm run prove`; undefined for another script. */
export function longRunsOf(script: string): readonly string[] | undefined {
  const runs = RUNS[script];
  return runs && Object.keys(runs);
}

/** The comment at the beginning of a file. */
export function headOf(file: string): string {
  const [, head = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return head.replaceAll(/^ \* ?/gm, '').trim();
}

function main([script = '', name = '', ...options]: readonly string[]): number {
  const runs = RUNS[script] ?? {};
  const run = runs[name];
  if (!run) {
    const width = Math.max(...Object.keys(runs).map(({ length }) => length));
    const lines = Object.entries(runs).map(([known, { about }]) => `  ${known.padEnd(width)}  ${about}\n`);
    process.stdout.write(`npm run ${script} NAME [-- OPTIONS]\n\n${lines.join('')}`);
    return name === '' ? 0 : 64;
  }
  const file = fileURLToPath(new URL(run.file, import.meta.url));
  if (options.some((option) => option === '--help' || option === '-h')) {
    process.stdout.write(`npm run ${script} ${name} [-- OPTIONS]: ${run.about}\n\n${headOf(file)}\n`);
    return 0;
  }
  return spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' }).status ?? 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
