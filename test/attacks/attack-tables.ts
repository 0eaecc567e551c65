/**
 * The tables of attacks, by what a stranger is after.
 */

import type { AttackTable } from './attack.ts';
import { ADDRESS_ATTACKS } from './tables/address-attacks.ts';
import { BESIDE_ATTACKS } from './tables/beside-attacks.ts';
import { BROWSER_ATTACKS } from './tables/browser-attacks.ts';
import { DATA_FILE_ATTACKS } from './tables/data-file-attacks.ts';
import { DOCUMENT_ATTACKS } from './tables/document-attacks.ts';
import { FILE_ATTACKS } from './tables/file-attacks.ts';
import { NAME_ATTACKS } from './tables/name-attacks.ts';
import { PORT_ATTACKS } from './tables/port-attacks.ts';
import { RECORD_ATTACKS } from './tables/record-attacks.ts';
import { REQUEST_ATTACKS } from './tables/request-attacks.ts';
import { RUN_ATTACKS } from './tables/run-attacks.ts';
import { SIGNAL_ATTACKS } from './tables/signal-attacks.ts';
import { TERMINAL_ATTACKS } from './tables/terminal-attacks.ts';

export const ATTACK_TABLES: readonly AttackTable[] = [
  ADDRESS_ATTACKS,
  BESIDE_ATTACKS,
  BROWSER_ATTACKS,
  DATA_FILE_ATTACKS,
  DOCUMENT_ATTACKS,
  FILE_ATTACKS,
  NAME_ATTACKS,
  PORT_ATTACKS,
  RECORD_ATTACKS,
  REQUEST_ATTACKS,
  RUN_ATTACKS,
  SIGNAL_ATTACKS,
  TERMINAL_ATTACKS,
];
