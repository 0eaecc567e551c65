/**
 * The faults that are seeded in the model agent and its backend, each with the promises that it may break.
 */

import type { Promised } from '../../src/pipeline/judge-paper.ts';

export const MODEL_FAULTS: Readonly<Record<string, readonly Promised[]>> = {
  'prints-and-reports-in-one': ['printed-twice'],
  'sends-again': ['printed-twice'],
  'notes-after-sending': ['printed-twice'],
  'resends-when-slow': ['printed-twice'],
  'two-of-them': ['printed-twice', 'out-of-order'],
  'done-before-sent': ['untrue-state'],
  'failed-when-uncertain': ['untrue-state'],
  'ignores-refusals': ['untrue-state'],
  'skips-alike': ['untrue-state'],
  'prints-the-next-one': ['out-of-order', 'untrue-state'],
  'takes-another-printer': ['wrong-printer'],
  'stops-half-way': ['cut-short'],
  'reports-once': ['untrue-state'],
  'gives-up-silently': ['never-printed'],
  'hands-out-once': ['never-printed', 'untrue-state'],
  'no-keys': ['printed-twice'],
  'keys-in-memory': ['printed-twice'],
  'key-before-job': ['never-printed', 'untrue-state'],
  'jobs-in-batches': ['never-printed'],
  'newest-first': ['out-of-order'],
};
