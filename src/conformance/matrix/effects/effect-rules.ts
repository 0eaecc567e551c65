/** Effects as rules of the matrix: each kind of caller with each part of the API. */

import type { MatrixRules } from '../matrix-rule.ts';
import { CALLER_KINDS } from './caller.ts';
import { ruleOf, type Part } from './effect.ts';
import { DOWNLOADS } from './download-effects.ts';
import { EVENTS } from './event-effects.ts';
import { PRINTING } from './printing-effects.ts';
import { SCALES } from './scale-effects.ts';
import { SETTINGS } from './setting-effects.ts';

const PARTS: readonly Part[] = [SETTINGS, PRINTING, SCALES, DOWNLOADS, EVENTS];

export const EFFECT_RULES: MatrixRules = Object.fromEntries(
  CALLER_KINDS.flatMap((kind) => PARTS.map((part) => [`matrix/${kind.id}-${part.id}`, ruleOf(kind, part)] as const)),
);
