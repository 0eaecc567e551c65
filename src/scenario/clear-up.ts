/**
 * Clears up after a scenario: room and sinks are closed, and a service that goes on without us keeps none of
 * what the scenario made. Only what is known by its id is ever deleted.
 */

import { actingFor } from '../target/child-account.ts';
import type { Stage } from './stage.ts';

export async function clearUp(stage: Stage): Promise<void> {
  stage.end();
  try {
    if (stage.target.kind === 'remote') await forget(stage);
  } finally {
    await stage.close();
  }
}

async function forget({ api, webhooks, cast, child }: Stage): Promise<void> {
  for (const { id } of webhooks.values()) await api.send({ method: 'DELETE', path: `/webhook/${id}` });
  const computers = cast.computerIds();
  if (child) {
    const { id, integrator } = child;
    await integrator.send({ method: 'DELETE', path: '/account', headers: actingFor(id) });
    return;
  }
  if (computers.length > 0) await api.send({ method: 'DELETE', path: `/computers/${computers.join(',')}` });
}
