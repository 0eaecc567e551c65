/**
 * The tables of attacks, by what a stranger is after.
 */

import type { AttackTable } from './attack.ts';
import { BROWSER_ATTACKS } from './tables/browser-attacks.ts';
import { RUN_ATTACKS } from './tables/run-attacks.ts';

export const ATTACK_TABLES: readonly AttackTable[] = [BROWSER_ATTACKS, RUN_ATTACKS];
