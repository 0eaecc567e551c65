import { isFailure } from '../conformance/verdict.ts';
import type { Verdict } from '../conformance/verdict.ts';

export const failures = (verdicts: Verdict[]): Verdict[] => verdicts.filter(isFailure);
