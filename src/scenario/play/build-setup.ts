/**
 * Builds the setup of a scenario from one seed: account, room, sinks and faults.
 */

import { randomBytes } from 'node:crypto';

import { usageError } from '../../common/actionable-error.ts';
import { FaultPlan } from '../../common/fault-plan.ts';
import { createRandom, type Random } from '../../common/random.ts';
import type { Press } from '../../devices/press/press.ts';
import { RoomFaults } from '../../devices/room-faults.ts';
import { Room } from '../../devices/room.ts';
import { webSocketLink } from '../../link/websocket-link.ts';
import { createChildAccount } from '../../targets/child-account.ts';
import { PONG_PATIENCE_MS } from '../../targets/moved-clock.ts';
import { ServiceClient, type ServiceClientOptions, type WatchedRequest } from '../../targets/service-client.ts';
import type { Target } from '../../targets/target.ts';
import { Cast } from '../setup/cast.ts';
import { hasForeignLink } from '../setup/place-faults.ts';
import type { ReadScenario } from '../format/read-scenario.ts';
import type { Scenario } from '../format/scenario.ts';
import { unseenOn } from '../setup/sight.ts';
import { Sinks } from '../setup/sinks.ts';
import { Recorder } from '../setup/recorder.ts';
import { Setup, type ScenarioChild } from '../setup/setup.ts';
import { profilesOf } from '../vocabulary/own-files.ts';

export interface BuildOptions {
  readonly target: Target;
  /** Shared by scenarios: starting one takes longer than most scenarios. */
  readonly press: Press;
  /** Instead of the scenario's own. */
  readonly seed?: number | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const RUN_LENGTH = 8;

/** @throws ActionableError when the target lacks what the scenario needs */
export async function buildSetup(
  { scenario, files }: Pick<ReadScenario, 'scenario' | 'files'>,
  choices: BuildOptions,
): Promise<Setup> {
  const { target, press, seed = scenario.seed, signal } = choices;
  ensureWeighable(scenario, target);
  const random = createRandom(seed);
  // On a service that goes on the same scenario may be played again, and at the same time.
  const run =
    target.kind === 'embedded' ? random.stream('run').hex(RUN_LENGTH) : randomBytes(RUN_LENGTH / 2).toString('hex');
  const plan = new FaultPlan(target.clock, random.stream('faults'));
  const recorder = new Recorder(target.timekeeper);
  const watch = (request: WatchedRequest): void => recorder.request(request);
  const child = wantsChild(scenario, target)
    ? await makeChild({ ...target, watch, signal }, run, random.stream('account'))
    : undefined;
  const apiKey = child?.apiKey ?? target.apiKey;
  const pongPatienceMs = target.timekeeper.moved && PONG_PATIENCE_MS;
  const link = hasForeignLink(target)
    ? target.link
    : webSocketLink({ clock: target.clock, pongPatienceMs, faults: plan });
  const room = new Room(scenario.room.description, {
    clock: target.clock,
    // Computers of one name in two scenarios are different computers.
    random: random.stream(`room of ${scenario.title}${target.kind === 'embedded' ? '' : ` ${run}`}`),
    // What a client program says to its service is not seen.
    link: link.program ? link : recorder.listen(link),
    timeScale: scenario.room.timeScale,
    profiles: profilesOf(files),
    faults: plan,
    press,
    serviceUrl: target.baseUrl,
    credential: { kind: 'api-key', key: apiKey },
  });
  const cast = new Cast(room, scenario.room.aliases, unseenOn(target) === undefined);
  return new Setup({
    target,
    room,
    cast,
    child,
    api: new ServiceClient({ ...target, apiKey, watch, signal }),
    recorder,
    run,
    sinks: new Sinks(target.clock, random.stream('sinks'), plan, target.callbackHost),
    plan,
    faults: new RoomFaults((name) => cast.printersNamed(name), plan, target.clock),
    files,
  });
}

/** @throws ActionableError where a client program runs computers that have scales, which it cannot read */
function ensureWeighable({ room }: Scenario, { link }: Target): void {
  const weighing = room.description.computers.find(({ scales = [] }) => scales.length > 0);
  if (link?.program === undefined || weighing === undefined) return;
  throw usageError(
    `${weighing.name} has scales, and in scenarios a client program has no way to read them`,
    'Leave `scales` out, or name the link of the service with --link. `platen check` weighs through a client.',
  );
}

/** On a service that has other things to do, a scenario of no account in particular gets one where nothing else is. */
function wantsChild({ account }: Scenario, target: Target): boolean {
  const { kind, isIntegrator, isReadOnly, link, usePrinter } = target;
  if (usePrinter !== undefined && account !== 'child') return false;
  if (account !== undefined) return account === 'child';
  return kind !== 'embedded' && isIntegrator === true && isReadOnly !== true && link?.program === undefined;
}

async function makeChild(target: ServiceClientOptions, run: string, random: Random): Promise<ScenarioChild> {
  // What its steps need is not for a limit of requests to refuse.
  const integrator = new ServiceClient({ ...target, isPatient: true });
  try {
    const email = `child-${run}@example.test`;
    return { ...(await createChildAccount(integrator, { email, password: random.hex(16) })), integrator };
  } catch (error) {
    await integrator.close();
    throw error;
  }
}
