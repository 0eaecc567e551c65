/**
 * Survey: which parts of the API a target has, found out before any check: by reading alone, unless it is there for
 * that alone.
 */

import { ENDPOINTS } from '../../specification/endpoints.ts';
import { namesOf } from '../../targets/offers.ts';
import type { Target } from '../../targets/target.ts';
import { createOffers } from '../context/offers.ts';
import { withProbe } from './acquaintance.ts';
import { isEndpointThere } from './endpoint-trial.ts';

/** The names of what is not there. What only a request that is not sent could show is taken to be there. */
export async function surveyOffers(target: Target, runTag: string): Promise<readonly string[]> {
  return withProbe({ ...target, isReadOnly: target.isDisposable !== true }, runTag, async (probe) => {
    const offers = createOffers(target, (endpoint, seen) => isEndpointThere(probe, endpoint, { seen, leftBehind: [] }));
    for (const endpoint of ENDPOINTS) await offers.offered([endpoint]).catch(() => undefined);
    return namesOf(offers.missing);
  });
}
