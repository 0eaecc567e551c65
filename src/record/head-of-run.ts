/**
 * Head of a run: what the record of each has, whatever it is of.
 */

import { packageVersion } from '../common/package-version.ts';
import { RECORD_VERSION } from './fields.ts';
import type { RunRecord } from './run-record.ts';

type Head = Pick<RunRecord, 'tool' | 'recordVersion' | 'platenVersion' | 'runId' | 'startedAt' | 'durationMs'>;

export function headOfRun<const Kind extends RunRecord['kind']>(
  kind: Kind,
  { runId, startedAt, durationMs }: Pick<RunRecord, 'runId' | 'startedAt' | 'durationMs'>,
): Head & { readonly kind: Kind } {
  const platenVersion = packageVersion();
  return { tool: 'platen', recordVersion: RECORD_VERSION, platenVersion, kind, runId, startedAt, durationMs };
}
