/**
 * Matrix: every endpoint of the specification by every rule that holds everywhere. The rules become checks, and each
 * cell says which check judges it, or why none can.
 */

import type { Endpoint } from '../../specification/clause.ts';
import { ENDPOINTS } from '../../specification/endpoints.ts';
import type { Rules } from '../check.ts';
import { CHILD_HEADER_RULES } from './child-headers.ts';
import { CREDENTIAL_RULES } from './credentials.ts';
import { FORM_BODY_RULES } from './form-bodies.ts';
import { JSON_BODY_RULES } from './json-bodies.ts';
import { ODD_FIELD_RULES } from './odd-fields.ts';
import { ODD_SET_RULES } from './odd-sets.ts';
import { FOREIGN_THING_RULES } from './things-of-others.ts';
import { DELIVERED_JOB_RULES } from './delivered-jobs.ts';
import { LIST_PAGE_RULES } from './list-pages.ts';
import { REQUEST_RATE_RULES } from './request-rate.ts';
import { REPEATED_SET_RULES } from './repeated-sets.ts';
import { EFFECT_RULES } from './effects/effect-rules.ts';
import type { MatrixRule, MatrixRules } from './matrix-rule.ts';

export const MATRIX_RULES: MatrixRules = {
  ...CREDENTIAL_RULES,
  ...FOREIGN_THING_RULES,
  ...CHILD_HEADER_RULES,
  ...ODD_SET_RULES,
  ...LIST_PAGE_RULES,
  ...REPEATED_SET_RULES,
  ...FORM_BODY_RULES,
  ...JSON_BODY_RULES,
  ...DELIVERED_JOB_RULES,
  ...ODD_FIELD_RULES,
  ...EFFECT_RULES,
  ...REQUEST_RATE_RULES,
};

/** The endpoints that a rule judges. */
export function endpointsOf({ whyNot }: Pick<MatrixRule, 'whyNot'>): readonly Endpoint[] {
  return ENDPOINTS.filter((endpoint) => whyNot(endpoint) === undefined);
}

/** The rules as checks. */
export const MATRIX_CHECKS: Rules = Object.fromEntries(
  Object.entries(MATRIX_RULES).map(([id, rule]) => [
    id,
    { ...rule, run: async (context) => rule.judge(context, await context.offered(endpointsOf(rule))) },
  ]),
);
