/**
 * Clears up after a scenario: room and sinks are closed, and a service that goes on without us keeps none of
 * what the scenario made. Only what is known by its id is ever deleted.
 */

import type { Stage } from './stage.ts';

export async function clearUp(stage: Stage): Promise<void> {
  const { target, room, sinks, api } = stage;
  stage.end();
  try {
    if (target.kind === 'remote') await forget(stage);
  } finally {
    await room.close();
    await Promise.all([sinks.close(), api.close()]);
  }
}

async function forget({ api, webhooks, cast, child }: Stage): Promise<void> {
  for (const { id } of webhooks.values()) await api.send({ method: 'DELETE', path: `/webhook/${id}` });
  const computers = cast.computerIds();
  if (child) return child.remove();
  if (computers.length > 0) await api.send({ method: 'DELETE', path: `/computers/${computers.join(',')}` });
}
