/** Every clause of the specification, joined from the files of the chapters. */

import { ACCOUNT_CLAUSES } from './accounts.ts';
import { AUTHENTICATION_CLAUSES } from './authentication.ts';
import { CLIENT_DOWNLOAD_CLAUSES } from './client-downloads.ts';
import { COMPUTER_CLAUSES } from './computers.ts';
import { ERROR_CLAUSES } from './errors.ts';
import { EVENT_CLAUSES } from './events.ts';
import { LIMIT_CLAUSES } from './limits.ts';
import { MISC_CLAUSES } from './misc.ts';
import { PRINT_JOB_CLAUSES } from './print-jobs.ts';
import { PRINTER_CLAUSES } from './printers.ts';
import { SCALE_CLAUSES } from './scales.ts';
import { SERVICE_CLAUSES } from './service.ts';
import { STATE_CLAUSES } from './states.ts';
import { VERSIONING_CLAUSES } from './versioning.ts';
import { WEBHOOK_CLAUSES } from './webhooks.ts';
import { SOURCES } from './outline.ts';
import type { Chapter, Clause, ClauseGroup } from './clause.ts';

const CHAPTERS = {
  service: SERVICE_CLAUSES,
  accounts: ACCOUNT_CLAUSES,
  computers: COMPUTER_CLAUSES,
  printers: PRINTER_CLAUSES,
  'print-jobs': PRINT_JOB_CLAUSES,
  scales: SCALE_CLAUSES,
  webhooks: WEBHOOK_CLAUSES,
  'client-downloads': CLIENT_DOWNLOAD_CLAUSES,
  misc: MISC_CLAUSES,
  states: STATE_CLAUSES,
  authentication: AUTHENTICATION_CLAUSES,
  events: EVENT_CLAUSES,
  errors: ERROR_CLAUSES,
  limits: LIMIT_CLAUSES,
  versioning: VERSIONING_CLAUSES,
} as const satisfies Record<Chapter, readonly ClauseGroup[]>;

type IdOf<Group> = Group extends ClauseGroup<infer Id> ? Id : never;

export type ClauseId = IdOf<(typeof CHAPTERS)[Chapter][number]>;

/** In the order of the chapters, and within a chapter in the order of its file. */
export const CLAUSES: readonly Clause[] = Object.entries<readonly ClauseGroup[]>(CHAPTERS).flatMap(
  ([chapter, groups]) =>
    groups.flatMap(({ statements, ...shared }) =>
      Object.entries(statements).map(([id, statement]) => ({
        id,
        chapter: chapter as Chapter,
        statement,
        source: SOURCES.get(id) ?? '',
        ...shared,
      })),
    ),
);
