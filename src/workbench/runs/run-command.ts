/**
 * Run command: the command line that a person would type for a run that is started on the page.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../../common/clock.ts';
import type { ExploreRecord } from '../../record/explore-record.ts';
import type { RunRequest } from '../../record/control-types.ts';
import { badRequest } from '../../service/gate/api-error.ts';
import { shippedFile, shippedScenarios } from './shipped-scenarios.ts';

/** What Node runs as `platen`. */
export const PROGRAM = fileURLToPath(new URL('../../../bin/platen.js', import.meta.url));

interface RunCommand {
  readonly kind: string;
  /** Of the command line. */
  readonly args: readonly string[];
  readonly about: string;
}

interface Records {
  /** The reports folder. */
  readonly folder: string;
  readonly recordOf: (run: string) => Promise<string>;
}

const DEFAULT_DAYS = 100;

/** @throws ApiError when there is no such scenario, or no such finding */
export async function commandOf(request: RunRequest, records: Records): Promise<RunCommand> {
  const { kind, grep, profile, scenario, finding, days = DEFAULT_DAYS } = request;
  const shared = sharedOptions(request);
  if (kind === 'check') {
    const chosen = [...(profile ? [`--profile=${profile}`] : []), ...(grep ? [`--grep=${grep}`] : [])];
    const about = `${profile ?? 'full'}${grep ? `, matching ${grep}` : ''}`;
    return { kind, args: ['check', ...shared, ...chosen], about };
  }
  if (kind === 'explore') return { kind, args: ['explore', ...shared, `--seeds=${days}`], about: `${days} days` };
  if (finding) return { kind, args: ['run', await fileOf(finding, records), ...shared], about: finding.signature };
  const found = (await shippedScenarios()).find(({ path: file, name }) => [file, name].includes(scenario ?? ''));
  if (found) return { kind: found.kind, args: ['run', shippedFile(found.path), ...shared], about: found.title };
  throw badRequest(`scenario: there is no scenario '${scenario ?? ''}'`);
}

function sharedOptions({ url, link, seed }: RunRequest): readonly string[] {
  return [
    ...(url === undefined ? [] : [url]),
    ...(link === undefined ? [] : [`--link=${link}`]),
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
  ];
}

/** The day that shows a finding, as a file that stays with the reports. */
async function fileOf({ run, signature }: NonNullable<RunRequest['finding']>, records: Records): Promise<string> {
  const { findings = [] } = JSON.parse(await records.recordOf(run)) as Partial<ExploreRecord>;
  const found = findings.find((one) => one.signature === signature);
  if (!found) throw badRequest(`finding: run '${run}' did not find '${signature}'`);
  const folder = path.join(records.folder, `found-${systemClock.now()}`);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'scenario.yaml');
  await writeFile(file, found.scenario);
  return file;
}
