/**
 * Starts the null service in a process of its own.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { ActionableError } from '../../common/actionable-error.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import { within } from '../../common/waiter.ts';

export interface NullService extends AsyncDisposable {
  readonly url: string;
  /** Of its process. */
  readonly pid: number;
  close(): Promise<void>;
}

const START_LIMIT = '20s';

/** @throws ActionableError when it does not come up */
export async function startNullService(): Promise<NullService> {
  const child = fork(fileURLToPath(siblingModule(import.meta.url, 'null-service-process')), {
    // Flags for profiling or debugging this process are not meant for it.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await gone;
  };
  const ready = Promise.race([once(child, 'message'), gone.then(() => undefined)]);
  const message = await within(ready, { description: 'the null service', limit: START_LIMIT });
  if (message === undefined) throw notStarted();
  const [{ url }] = message as [{ readonly url: string }];
  return { url, pid: child.pid ?? 0, close, [Symbol.asyncDispose]: close };
}

function notStarted(): ActionableError {
  return new ActionableError(
    'harness',
    'the null service, which calibrates the load generator, did not start',
    'Skip the calibration with --no-calibration, or see the messages of its process above.',
  );
}
