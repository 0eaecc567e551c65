/**
 * Run order: what a process of ours is told to run, as one value. It travels over the channel between the two
 * processes, so that nothing a request says is ever a word of a command line, or a path.
 *
 *   request ─► scenario by its name, finding by its id ─► RunOrder ─► channel ─► src/cli/started-run.ts
 */

import type { RunRequest } from '../../record/control-types.ts';
import { exploreRecord } from '../../record/explore-record.ts';
import type { BesideRun } from '../../record/fields.ts';
import { badRequest } from '../../service/gate/api-error.ts';
import { shippedFile, shippedScenario } from './shipped-scenarios.ts';

/** What is run of all there is. */
export interface RunPlan {
  /** As its record will have it. */
  readonly kind: string;
  readonly about: string;
  /** The scenario to play: a file that ships, or the day that shows a finding. */
  readonly scenario?: { readonly file: string } | { readonly text: string };
}

export interface RunOrder extends Omit<RunPlan, 'kind' | 'about'> {
  readonly runId: string;
  /** Where its reports go. */
  readonly folder: string;
  readonly request: RunRequest;
}

/** What the process is told while it runs. */
export type RunNews =
  | { readonly order: RunOrder }
  | { readonly beside: readonly BesideRun[] }
  | { readonly stop: true };

export const DEFAULT_DAYS = 100;

/**
 * @param ownRecord - the record of a run that may be played: of this workbench, or of the reports folder
 * @throws ApiError when there is no such scenario, or no such finding
 */
export async function planOf(
  { kind, grep, profile = 'full', scenario = '', finding, days = DEFAULT_DAYS }: RunRequest,
  ownRecord: (run: string) => Promise<Uint8Array>,
): Promise<RunPlan> {
  if (kind === 'check') return { kind, about: `${profile}${grep ? `, matching ${grep}` : ''}` };
  if (kind === 'explore') return { kind, about: `${days} days` };
  if (finding) {
    const text = dayOf(finding, await ownRecord(finding.run));
    return { kind, about: finding.signature, scenario: { text } };
  }
  const found = await shippedScenario(scenario);
  if (!found) throw badRequest(`scenario: there is no scenario '${scenario}'`);
  return { kind: found.kind, about: found.title, scenario: { file: shippedFile(found.path) } };
}

/** The shortest day that shows a finding. */
function dayOf({ run, signature }: NonNullable<RunRequest['finding']>, record: Uint8Array): string {
  const explored = exploreRecord.safeParse(JSON.parse(Buffer.from(record).toString('utf8')));
  const found = explored.data?.findings.find((one) => one.signature === signature);
  if (found) return found.scenario;
  throw badRequest(`finding: run '${run}' did not find '${signature}'`);
}
