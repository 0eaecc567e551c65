/**
 * Sinks of a scenario: the servers that its caller runs. Each is started when a step first needs it.
 */

import type { Clock } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import type { Random } from '../../common/random.ts';
import { startDocumentHost, type DocumentHost } from '../../sink/document-host.ts';
import { startWebhookReceiver, type WebhookDelivery, type WebhookReceiver } from '../../sink/webhook-receiver.ts';

export class Sinks {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #faults: FaultPlan;
  readonly #callbackHost: string | undefined;
  #receiver: Promise<WebhookReceiver> | undefined;
  #documents: Promise<DocumentHost> | undefined;

  /** @param callbackHost - name by which the service reaches this machine; loopback by default */
  constructor(clock: Clock, random: Random, faults: FaultPlan, callbackHost?: string) {
    this.#callbackHost = callbackHost;
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
  }

  receiver(): Promise<WebhookReceiver> {
    return (this.#receiver ??= startWebhookReceiver({
      clock: this.#clock,
      faults: this.#faults,
      publicHost: this.#callbackHost,
    }));
  }

  /** What webhook receivers got so far, as it was answered. */
  async webhookRequests(): Promise<{ readonly url: string; readonly deliveries: readonly WebhookDelivery[] }> {
    const receiver = await this.#receiver;
    return { url: receiver?.url ?? '', deliveries: receiver?.log.entries ?? [] };
  }

  documents(): Promise<DocumentHost> {
    return (this.#documents ??= startDocumentHost({
      clock: this.#clock,
      random: this.#random,
      faults: this.#faults,
    }));
  }

  async close(): Promise<void> {
    const [receiver, documents] = await Promise.all([this.#receiver, this.#documents]);
    await Promise.all([receiver?.close(), documents?.close()]);
  }
}
