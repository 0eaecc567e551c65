/**
 * Open files: whether the process may open as many connections as a load needs, found out before the
 * first rather than at the connection that fails.
 */

import { ActionableError } from '../../common/actionable-error.ts';

/** What a process has open beside its connections: modules, pipes, the data of reports. */
const OTHER_FILES = 100;

/** How many files this process may have open; Infinity where nothing limits it or the system does not say. */
export function openFileLimit(): number {
  // Looking up the names of all open connections would take minutes.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: Record<string, { soft: unknown }>;
  };
  const soft = userLimits?.['open_files']?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/** @throws ActionableError when the limit is below what is needed */
export function checkOpenFiles(connections: number, limit = openFileLimit()): void {
  const needed = connections + OTHER_FILES;
  if (needed <= limit) return;
  throw new ActionableError(
    'usage',
    `${connections} connections need ${needed} open files, and this process may have ${limit}`,
    `Raise the limit first: ulimit -n ${needed}. Or spread the load over more processes or machines.`,
  );
}
