/**
 * Traffic of a check beside its own requests: the frames of its computers and what its webhooks were sent. It is
 * evidence only; no check judges by it.
 */

import { monotonicMs } from '../../common/stopwatch.ts';
import type { DeviceLink, SeenFrame } from '../../link/device-link.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';

/** A frame of a computer, on the same scale of milliseconds as exchanges. */
export interface TimedFrame extends SeenFrame {
  readonly atMs: number;
  /** Name of the computer. */
  readonly computer: string;
}

export interface Traffic {
  readonly frames: TimedFrame[];
  readonly deliveries: WebhookDelivery[];
}

export function createTraffic(): Traffic {
  return { frames: [], deliveries: [] };
}

/** The same link, with every frame of its computers kept. */
export function keepFrames(link: DeviceLink, { frames }: Traffic): DeviceLink {
  return {
    program: link.program,
    open: (request) =>
      link.open({
        serviceUrl: request.serviceUrl,
        // A computer may change them between connections.
        get credential() {
          return request.credential;
        },
        get client() {
          return request.client;
        },
        holding: () => request.holding(),
        events: request.events,
        localAddress: request.localAddress,
        ask: request.ask,
        onFrame: (frame) => void frames.push({ ...frame, atMs: monotonicMs(), computer: request.client.computerName }),
      }),
  };
}
