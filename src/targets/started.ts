/**
 * Started target: a service that platen starts by its command, on a time that platen moves where it can be moved.
 */

import { usageError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import type { StartDescription, TargetDescriptor } from './descriptor.ts';
import { FakeTime, INSTALL_FAKE_TIME } from './fake-time.ts';
import { GuardedFolder } from './guarded-folder.ts';
import { MovedClock } from './moved-clock.ts';
import { remoteTarget, type RemoteTargetOptions } from './remote.ts';
import { StartedService } from './started-service.ts';
import type { Target } from './target.ts';

export interface StartedTargetOptions extends Omit<RemoteTargetOptions, 'url' | 'link'> {
  readonly start: StartDescription;
  readonly cwd: string;
  /** Where it listens; at the port that it is told unless given. */
  readonly url?: string | undefined;
  /** By default it is moved where that works. */
  readonly clock?: TargetDescriptor['clock'];
  /** Called once it answers, before it is asked for anything with a key. */
  readonly prepare?: ((url: string) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TOLD_URL = 'http://127.0.0.1:{port}';

/**
 * Starts the service and waits until it answers.
 *
 * @throws ActionableError of kind unreachable when it does not come up, with its last lines, else as remoteTarget does
 */
export async function startedTarget(options: StartedTargetOptions): Promise<Target> {
  const { start, cwd, url = TOLD_URL, clock, prepare, signal, ...access } = options;
  const folder = await GuardedFolder.make('platen-service-');
  let service: StartedService | undefined;
  let moved: MovedClock | undefined;
  const close = async (): Promise<void> => {
    moved?.close();
    await service?.close();
    await folder.close();
  };
  try {
    const fake = clock === 'real' ? undefined : FakeTime.in(folder.path);
    if (clock === 'moved' && !fake) {
      throw usageError('there is no libfaketime on this machine, which `clock: moved` needs', INSTALL_FAKE_TIME);
    }
    const environment = fake?.environment ?? {};
    const told = toldOf(access);
    const running = await StartedService.start({ start, cwd, folder: folder.path, told, url, environment, signal });
    service = running;
    await prepare?.(running.baseUrl);
    const target = await remoteTarget({ ...access, ...keysIn(access, running), url: running.baseUrl });
    moved = fake && movedClock(fake, running);
    return {
      ...target,
      name: start.command,
      isDisposable: true,
      program: running,
      ...(!fake && clock !== 'real' && { remarks: [NO_LIBRARY] }),
      ...(moved && { clock: moved.clock, timekeeper: moved.timekeeper }),
      restart: () => running.restart(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const NO_LIBRARY = `The service runs on real time, as there is no libfaketime on this machine to move it: ${INSTALL_FAKE_TIME}.`;

function toldOf({ apiKey, secondApiKey }: KeysOfTarget): Readonly<Record<string, string>> {
  return { key: apiKey, ...(secondApiKey !== undefined && { secondKey: secondApiKey }) };
}

type KeysOfTarget = Pick<RemoteTargetOptions, 'apiKey' | 'secondApiKey' | 'integratorApiKey'>;

/** Those that the service makes up itself stand in braces. */
function keysIn(
  { apiKey, secondApiKey, integratorApiKey }: KeysOfTarget,
  { fillWhole }: Pick<StartedService, 'fillWhole'>,
): KeysOfTarget {
  return {
    apiKey: fillWhole(apiKey),
    secondApiKey: secondApiKey && fillWhole(secondApiKey),
    integratorApiKey: integratorApiKey && fillWhole(integratorApiKey),
  };
}

function movedClock(fake: FakeTime, service: StartedService): MovedClock {
  const advance = async (ms: number, lagMs: number): Promise<number> => {
    const addedMs = Math.max(0, ms - Math.max(SHORT_MS, lagMs));
    if (addedMs === 0) await sleep(systemClock, ms);
    if (addedMs === 0) return 0;
    fake.add(addedMs);
    await service.doWhatIsDue();
    await sleep(systemClock, lagMs);
    return addedMs;
  };
  return new MovedClock(advance, systemClock.now(), () => service.comeToRest());
}

/** What is not worth a move: about what one takes. */
const SHORT_MS = 12;
