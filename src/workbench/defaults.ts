/**
 * Defaults that a workbench and its clients have to agree on.
 */

/** IPP's port 631, above the reserved ones. */
export const DEFAULT_PORT = 8631;
export const DEFAULT_API_KEY = 'test-key';

/** What the paths of the control API begin with. */
export const CONTROL_PREFIX = '/_platen';
/** The command of a process that a workbench starts for a run. It takes its order over a channel. */
export const STARTED_RUN = 'started-run';
