/**
 * API client of a scenario: what the caller of the service does. Requests go out as they are written; what
 * comes back is kept as it is. Looking (as opposed to doing) waits where the service says "too many".
 */

import { ActionableError } from '../common/actionable-error.ts';
import { basicAuthorization } from '../common/basic-authorization.ts';
import type { FaultPlan } from '../common/fault-plan.ts';
import { failure, success, type Outcome } from '../common/outcome.ts';
import { parseJson, showValue } from '../common/json-value.ts';
import type { Target } from '../target/target.ts';
import { startFaultProxy, type FaultProxy } from '../wire/fault-proxy.ts';
import { createHttpSender, type HeaderPair, type HttpSender } from '../wire/http-exchange.ts';

export interface ApiRequest {
  readonly method: string;
  /** Path and query: `/printjobs?limit=5`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; nothing is sent without it. */
  readonly json?: unknown;
}

export interface Answer {
  readonly status: number;
  /** Of the body as JSON. */
  readonly value: unknown;
}

const TOO_MANY_REQUESTS = 429;
const PAUSE_MS = 200;
const MOST_PAUSES = 50;

export class ApiClient {
  readonly #target: Target;
  readonly #apiKey: string;
  readonly #sender: HttpSender;
  #proxy: Promise<FaultProxy> | undefined;

  constructor(target: Target, apiKey: string = target.apiKey) {
    this.#target = target;
    this.#apiKey = apiKey;
    this.#sender = createHttpSender({ clock: target.clock });
  }

  /** From now on requests meet the faults of this plan at `http/METHOD path` on their way. */
  async meetFaults(faults: FaultPlan): Promise<void> {
    const { clock, baseUrl } = this.#target;
    await (this.#proxy ??= startFaultProxy({ clock, faults, serviceUrl: baseUrl }));
  }

  /** @throws ActionableError when no whole answer comes */
  async send(request: ApiRequest): Promise<Answer> {
    const outcome = await this.trySend(request);
    if (outcome.ok) return outcome.value;
    throw new ActionableError(
      'unreachable',
      `${this.#target.name} gave no answer to ${request.method} ${request.path} (${outcome.error})`,
      'Is the service still running?',
    );
  }

  /** The answer, or why no whole one came. */
  async trySend({ method, path, headers = {}, json }: ApiRequest): Promise<Outcome<Answer, string>> {
    const pairs: HeaderPair[] = [
      ['Authorization', basicAuthorization(this.#apiKey)],
      ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...Object.entries(headers),
    ];
    const outcome = await this.#sender.send({
      method,
      baseUrl: (await this.#proxy)?.url ?? this.#target.baseUrl,
      path,
      headers: pairs,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (!outcome.ok) return failure(outcome.error.message);
    const { status, body } = outcome.value.response;
    return success({ status, value: parseJson(body) });
  }

  /** What the service answers to GET, whatever its request rate. @throws ActionableError when it is no 200 */
  async look(path: string): Promise<unknown> {
    const { status, value } = await this.lookFor(path);
    if (status === 200) return value;
    throw new ActionableError(
      'unreachable',
      `${this.#target.name} answers GET ${path} with ${status}: ${showValue(value)}`,
      'Try the address with curl; scenarios need a service that answers it.',
    );
  }

  /** The answer to GET, once it is not "too many requests". */
  async lookFor(path: string): Promise<Answer> {
    for (let pauses = 0; ; pauses++) {
      const answer = await this.send({ method: 'GET', path });
      if (answer.status !== TOO_MANY_REQUESTS || pauses >= MOST_PAUSES) return answer;
      await this.#target.timekeeper.elapse(PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    await this.#sender.close();
    await (await this.#proxy)?.close();
  }
}
