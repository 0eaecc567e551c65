/**
 * Tiers: what `npm test` runs, in minutes and with nothing but Node, and the rest, which `npm run test:all` runs after it.
 *
 *   vitest.config.ts ─► which files, which tags, PLATEN_TIER ─► tests that try a sample in the one, and more in the other
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Tier = 'quick' | 'rest';

/** Set by vitest.config.ts. */
export const TIER: Tier = process.env['PLATEN_TIER'] === 'rest' ? 'rest' : 'quick';

export interface Place {
  /** A pattern of files below test/. */
  readonly place: string;
  /** What is tested there. */
  readonly covers: string;
  /** How many it tries, where that is not all. */
  readonly part?: string;
}

/** Tests of a part of the machine that stand elsewhere have its tag (test/support/machine-parts.ts). */
export const ONLY_IN_REST: readonly Place[] = [
  { place: 'attacks/attacks.test.ts', covers: 'all attacks of strangers on a bench' },
  { place: 'browser/**/*.test.ts', covers: 'the page in Chromium' },
  { place: 'callers/recipes.test.ts', covers: 'recipes for callers in six languages' },
  { place: 'client/**/*.test.ts', covers: 'checks and loads through a client program and CUPS' },
  {
    place: 'client/crash-places.test.ts',
    covers: 'kills of both at each place of the way of a job',
    part: 'one place, another for each commit',
  },
  { place: 'container/**/*.test.ts', covers: 'containers' },
  { place: 'distributed/**/*.test.ts', covers: 'loads on several machines, over NATS' },
  { place: 'hardware/**/*.test.ts', covers: 'devices on the USB bus of a Linux kernel' },
  { place: 'load-faults/**/*.test.ts', covers: 'loads on services with planted faults' },
  { place: 'paper/**/*.test.ts', covers: 'sheets as MuPDF and Poppler draw them' },
  { place: 'strangers/**/*.test.ts', covers: 'services in six languages by strangers' },
  { place: 'conformance/{faulty-network,shared-accounts}.test.ts', covers: 'checks on slow networks, side by side' },
  {
    place: 'conformance/not-offered.test.ts',
    covers: 'services that lack a family, two families or a group of endpoints',
    part: '6, others for each commit',
  },
  { place: 'explore/{real-time,restart}.test.ts', covers: 'exploring on real time, and a service that restarts' },
  { place: 'explore/without-link.test.ts', covers: 'exploring a service without a link' },
  { place: 'first-day/first-day.test.ts', covers: 'services that deviate in one thing, a kind each, and lack a part' },
  { place: 'mutants/repro.test.ts', covers: 'scripts that repeat a failure without platen' },
  { place: 'e2e/{guides,readme}.test.ts', covers: 'every command of README and guides' },
  { place: 'e2e/package.test.ts', covers: 'the package as npm installs it' },
  { place: 'e2e/{print-system,run-operating-system}.test.ts', covers: 'what operating systems print' },
  { place: 'e2e/{metrics,run-load}.test.ts', covers: 'loads in programs of their own, on real time' },
  {
    place: 'e2e/{closed-output,control-commands,data-file,names,print,replay,run-room,tls}.test.ts',
    covers: 'commands that a workbench in a program of its own answers',
  },
  { place: 'e2e/{explore,run-edge-cases,run-target}.test.ts', covers: 'all shipped scenarios, and other services' },
];

export interface Sampled extends Place {
  readonly quick: string;
  readonly rest: string;
}

/** In both tiers, with other tests. */
export const SAMPLED: readonly Sampled[] = [
  {
    place: 'variants/scenarios.test.ts',
    covers: 'scenarios on conforming variants',
    quick: 'one variant, another for each commit',
    rest: 'the fewest that have each answer once',
  },
  {
    place: 'mutants/mutants.test.ts',
    covers: 'mutants of the reference service',
    quick: '40, others for each commit',
    rest: 'those that `npm run prove mutants` has not tried as they are now',
  },
  {
    place: 'mutants/matrix/matrix-mutants.test.ts',
    covers: 'faults of its cells',
    quick: '100, others for each commit',
    rest: 'all, unless `npm run prove cells` has tried them as they are now',
  },
  {
    place: 'variants/variants.test.ts',
    covers: 'conforming variants of it',
    quick: '1, another for each commit',
    rest: 'the fewest that have each answer once, unless `npm run prove variants` has tried them as they are now',
  },
];

const TESTS = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const TEST_FILES = '**/*.test.ts';
const NO_TESTS = ['architecture/planted/**'];

/** The files of a tier, as vitest takes them. */
export function filesOf(tier: Tier): { readonly include: string[]; readonly exclude: string[] } {
  const only = ONLY_IN_REST.map(({ place }) => place);
  if (tier === 'quick') return { include: below([TEST_FILES]), exclude: below([...NO_TESTS, ...only]) };
  const sampled = SAMPLED.map(({ place }) => place);
  return { include: below([...only, ...sampled, ...filesWithTags()]), exclude: below(NO_TESTS) };
}

function below(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => `test/${pattern}`);
}

function filesWithTags(): string[] {
  const files = globSync(TEST_FILES, { cwd: TESTS, exclude: NO_TESTS });
  return files.filter((file) => readFileSync(path.join(TESTS, file), 'utf8').includes('tags: ['));
}
