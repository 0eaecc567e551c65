/**
 * Needs: what a check needs of a target, and why a target does not meet it.
 */

import { formatDuration } from '../../common/duration.ts';
import type { TimedRule } from '../../common/timekeeper.ts';
import type { Need } from '../../specification/clause.ts';
import { endpointOfNeed, endpointsOf } from '../../targets/offers.ts';
import { speaksDeviceLink, type Target } from '../../targets/target.ts';
import type { End } from '../verdict/conclude.ts';
import { declaredAbsent, type Offers } from '../context/offers.ts';
import { isProbed, type Probes } from './probes.ts';

const NO_INTEGRATOR: End = { verdict: 'untestable', message: 'needs the key of an Integrator Account' };
const PERHAPS_INTEGRATOR: End = {
  verdict: 'untestable',
  message:
    'needs the key of an Integrator Account, and GET /whoami does not say whether it is one; ' +
    '`capabilities: {integrator: true}` in the descriptor does',
};
const NO_LINK: End = {
  verdict: 'untestable',
  message: 'needs a computer, and the target has no link; `link:` or `client:` in its descriptor gives it one',
};
const NO_PRINTER: End = {
  verdict: 'untestable',
  message: 'needs a printer, and the target has neither a link nor `use: {printer: …}`',
};
/** What a descriptor has to say for checks to print where nothing connects a computer. */
function unusedPrinter(name: string): End {
  const line = `use: { printer: ${JSON.stringify(name)} }`;
  return {
    verdict: 'untestable',
    message: `needs a printer: the account has '${name}', and \`${line}\` in the target descriptor lets checks print on it`,
  };
}

/** Only what it says shows whether an account is an Integrator. */
const WHOAMI = endpointsOf('GET /whoami');

const NO_SECOND: End = { verdict: 'untestable', message: 'needs the key of a second account' };
const OTHER_LINK: End = {
  verdict: 'not-applicable',
  message: 'judged only for a service that is declared to speak the device link of platen: `link: websocket`',
};
const TOO_LONG: End = {
  verdict: 'inconclusive',
  message: 'takes longer than a run can wait on a real clock',
};

/** A wait that the descriptor of the target does not allow. */
export function tooLong(waitsMs: number): End {
  return { verdict: 'too-long', message: `takes longer than the target allows: waits ${formatDuration(waitsMs)}` };
}

/**
 * Whether a target meets a need, and what follows where it does not; a need that is not listed can be met
 * anywhere.
 */
const MET: Readonly<Partial<Record<Need, readonly [(target: Target) => boolean, End]>>> = {
  computer: [({ link }) => link !== undefined, NO_LINK],
  printer: [({ link, usePrinter }) => (link ?? usePrinter) !== undefined, NO_PRINTER],
  scale: [({ link }) => link !== undefined, NO_LINK],
  'second-account': [({ secondApiKey }) => secondApiKey !== undefined, NO_SECOND],
  integrator: [({ isIntegrator }) => isIntegrator === true, NO_INTEGRATOR],
  'child-account': [({ isIntegrator }) => isIntegrator === true, NO_INTEGRATOR],
  'device-link': [speaksDeviceLink, OTHER_LINK],
  'virtual-clock': [({ timekeeper }) => timekeeper.isVirtual, TOO_LONG],
};

/** A service without computers has no printer either, unless one may be used. */
function isAbsent(need: Need, { absent = [], usePrinter }: Target): boolean {
  const names: readonly string[] = absent;
  return names.includes(need) || (need === 'printer' && usePrinter === undefined && names.includes('computer'));
}

/** A client program reads its scales from the USB bus of this machine. */
function unmetByProgram(need: Need, { link }: Target): End | undefined {
  const lack = need === 'scale' ? link?.program?.lackOfScales : undefined;
  if (lack === undefined) return undefined;
  return { verdict: 'untestable', message: `needs a scale, and this machine cannot attach one: ${lack}` };
}

/** The checks of what a service does by itself when it is due. */
const CHECKS_OF: Readonly<Record<TimedRule, RegExp>> = {
  expiry: /^expiry\/|^cancelling\/never-expires$/,
  retries: /^event-/,
};

/** Why a check cannot be judged on a clock that is moved from outside. */
export function unfollowedBy(checkId: string, { timekeeper, waitsMs }: Target): End | undefined {
  const rule = [...(timekeeper.moved?.unfollowed ?? [])].find((one) => CHECKS_OF[one].test(checkId));
  if (rule === undefined) return undefined;
  const verdict = waitsMs === undefined ? 'inconclusive' : 'too-long';
  return { verdict, message: 'the timers of the service that it is about do not follow when its time is moved' };
}

/**
 * The first need that the target does not meet: what it is declared to lack comes first, what must be tried last.
 *
 * @throws CheckEnded where an endpoint that a need takes is not there
 */
export async function firstUnmet(
  needs: readonly Need[],
  target: Target,
  { probes, offers }: { readonly probes: Probes; readonly offers: Offers },
): Promise<End | undefined> {
  const absent = needs.find((need) => isAbsent(need, target));
  if (absent !== undefined) return declaredAbsent(absent);
  const taken = needs.flatMap((need) => endpointOfNeed(need) ?? []);
  for (const { method, path } of taken) offers.refuse(method, path);
  for (const need of needs) {
    const lack = unmetByProgram(need, target);
    if (lack) return lack;
    const [isMet, unmet] = MET[need] ?? [];
    if (isMet?.(target) !== false) continue;
    if (need === 'printer' && target.unusedPrinter !== undefined) return unusedPrinter(target.unusedPrinter);
    if (unmet === NO_INTEGRATOR && target.isIntegrator === undefined) {
      await offers.offered(WHOAMI);
      return PERHAPS_INTEGRATOR;
    }
    const isForTime = need === 'virtual-clock' && target.waitsMs !== undefined;
    return isForTime ? tooLong(target.waitsMs) : unmet;
  }
  for (const endpoint of taken) await offers.offered([endpoint]);
  for (const need of needs) {
    const reason = isProbed(need) ? await probes.whyNot(need) : undefined;
    if (reason === undefined) continue;
    const absent = `capabilities: {${need}: false}`;
    const message = `needs a ${need}: ${reason}; if the service has none, add \`${absent}\` to the descriptor`;
    return { verdict: 'untestable', message };
  }
  return undefined;
}
