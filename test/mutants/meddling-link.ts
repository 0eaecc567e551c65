/**
 * Meddling link: the link of computers with a service that does not keep to its rules. What is broken of a
 * delivery shows at the computer, so it is broken on the last step before it.
 *
 *   computer ◄── jobs ◄── link ◄── service        what a job becomes
 *            ─► opening ─► link ─► service        what the service makes of a computer that connects
 *            ─► session ─► link ─► service        what it makes of reports
 */

import type { DeliveredJob, DeviceLink, LinkRequest, LinkSession } from '../../src/link/device-link.ts';

/** One connection of a computer. */
export interface Line {
  /** As the computer wanted it. */
  readonly request: LinkRequest;
  /** The how-maniest connection of its computer, from 1. */
  readonly connection: number;
}

export interface LinkMeddling {
  /** What the computer gets in place of a job: nothing, or jobs one after the other. */
  readonly jobs?: (job: DeliveredJob, line: Line) => readonly DeliveredJob[] | Promise<readonly DeliveredJob[]>;
  /** What the service takes the computer for. */
  readonly opening?: (line: Line) => Partial<LinkRequest>;
  /** Members of the session that are others. */
  readonly session?: (session: LinkSession, line: Line) => Partial<LinkSession>;
}

export function meddlingLink(link: DeviceLink, meddling: LinkMeddling): DeviceLink {
  const { jobs = (job) => [job], opening, session: changes } = meddling;
  const connections = new Map<string, number>();
  return {
    async open(request) {
      const { installationId } = request.client;
      const connection = (connections.get(installationId) ?? 0) + 1;
      connections.set(installationId, connection);
      const line: Line = { request, connection };
      const { events, serviceUrl, credential, client, localAddress } = request;
      const session = await link.open({
        serviceUrl,
        credential,
        client,
        localAddress,
        holding: () => request.holding(),
        ...opening?.(line),
        events: {
          onJob: async (job) => {
            for (const one of await jobs(job, line)) await events.onJob(one);
          },
          onRefresh: () => events.onRefresh(),
          onDrop: (failure) => events.onDrop(failure),
        },
      });
      return changes ? withMembers(session, changes(session, line)) : session;
    },
  };
}

/** The session with other members in place of its own. */
function withMembers(session: LinkSession, others: Partial<LinkSession>): LinkSession {
  return new Proxy(session, {
    get(target, name) {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
