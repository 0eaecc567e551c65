/**
 * Open files: how many connections a process may have at once.
 */

import { usageError } from '../../common/actionable-error.ts';

/** What a process has open besides connections: modules, pipes, report data. */
const OTHER_FILES = 100;

/** How many files this process may have open; Infinity where there is no limit or it is unknown. */
export function openFileLimit(): number {
  // Without this, the report resolves the host name of every connection, which can take minutes.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: Record<string, { soft: unknown }>;
  };
  const soft = userLimits?.['open_files']?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/** @throws ActionableError when the limit is too low */
export function checkOpenFiles(connections: number, limit = openFileLimit()): void {
  const needed = connections + OTHER_FILES;
  if (needed <= limit) return;
  throw usageError(
    `${connections} connections need ${needed} open files, and this process may have ${limit}`,
    `Raise the limit first: ulimit -n ${needed}. Or spread the load over more processes or machines.`,
  );
}

/** How many connections a process may have. */
export function mostConnections(limit = openFileLimit()): number {
  return limit - OTHER_FILES;
}
