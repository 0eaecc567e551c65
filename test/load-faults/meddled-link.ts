/**
 * Meddled link: the link of a service that delivers wrongly. It stands where an adapter for a foreign service
 * would, between the room and the reference service, and does what a broken service does at its end.
 *
 *   room ◄── deliver (as often, to whom, and what it likes) ── onJob ◄── reference service
 *        ──► reports ── onReport: passed on, or only acknowledged ──►
 */

import type { DeliveredJob, DeviceLink, JobStateReport, LinkRequest, LinkSession } from '../../src/link/device-link.ts';

/** A computer as the service sees it. */
export interface Outlet {
  readonly key: string;
  readonly computerName: string;
  deliver(job: DeliveredJob): Promise<void>;
}

export interface Meddling {
  /** A job that the service would deliver. @param all - every computer that ever connected */
  readonly onJob?: (job: DeliveredJob, outlet: Outlet, all: readonly Outlet[]) => Promise<void>;
  /** A state that a computer reports; `pass` hands it to the service and resolves with its acknowledgement. */
  readonly onReport?: (report: JobStateReport, pass: () => Promise<void>) => Promise<void>;
  /** A computer that was here before is about to connect anew. */
  readonly onReturn?: (computerName: string) => void;
  /** A computer has connected again. */
  readonly onReconnect?: (outlet: Outlet) => void;
}

export function meddledLink(inner: DeviceLink, meddling: Meddling): DeviceLink {
  const all: Outlet[] = [];
  return {
    async open(request) {
      const outlet: Outlet = {
        key: request.credential.key,
        computerName: request.client.computerName,
        deliver: (job) => request.events.onJob(job),
      };
      if (all.some(({ computerName }) => computerName === outlet.computerName))
        meddling.onReturn?.(outlet.computerName);
      const session = await inner.open(meddledRequest(request, meddling, outlet, all));
      all.push(outlet);
      return meddledSession(session, meddling, outlet);
    },
  };
}

function meddledRequest(
  request: LinkRequest,
  { onJob }: Meddling,
  outlet: Outlet,
  all: readonly Outlet[],
): LinkRequest {
  return {
    serviceUrl: request.serviceUrl,
    credential: request.credential,
    client: request.client,
    localAddress: request.localAddress,
    holding: () => request.holding(),
    events: {
      onJob: (job) => (onJob ? onJob(job, outlet, all) : outlet.deliver(job)),
      onRefresh: () => request.events.onRefresh(),
      onDrop: (failure) => request.events.onDrop(failure),
    },
  };
}

function meddledSession(session: LinkSession, { onReport, onReconnect }: Meddling, outlet: Outlet): LinkSession {
  return {
    get computerId() {
      return session.computerId;
    },
    get connected() {
      return session.connected;
    },
    reportPrinters: (printers) => session.reportPrinters(printers),
    reportScales: (scales) => session.reportScales(scales),
    reportJobState: (report) => {
      const pass = (): Promise<void> => session.reportJobState(report);
      return onReport ? onReport(report, pass) : pass();
    },
    publishReading: (reading) => session.publishReading(reading),
    async reconnect() {
      await session.reconnect();
      onReconnect?.(outlet);
    },
    pause: () => session.pause(),
    resume: () => session.resume(),
    cut: () => session.cut(),
    close: () => session.close(),
  };
}
