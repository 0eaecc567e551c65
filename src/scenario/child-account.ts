/**
 * Child Account of a scenario: `account: child` makes one, and everything of the scenario happens in it. The
 * Integrator Account of the target only makes it, suspends it and deletes it in the end.
 */

import { z } from 'zod';

import { ActionableError } from '../common/actionable-error.ts';
import type { Random } from '../common/random.ts';
import { showValue } from '../common/json-value.ts';
import type { Target } from '../target/target.ts';
import { ApiClient, type Answer } from './api-client.ts';

const created = z.looseObject({
  Account: z.looseObject({ id: z.number() }),
  ApiKeys: z.looseObject({ scenario: z.string() }),
});

export class ChildAccount {
  readonly apiKey: string;
  readonly #id: number;
  readonly #integrator: ApiClient;

  private constructor(integrator: ApiClient, id: number, apiKey: string) {
    this.#integrator = integrator;
    this.#id = id;
    this.apiKey = apiKey;
  }

  /** @throws ActionableError when the account of the target may not make any */
  static async create(target: Target, random: Random): Promise<ChildAccount> {
    const integrator = new ApiClient(target);
    const email = `child-${random.hex(12)}@example.test`;
    const { status, value } = await integrator.send({
      method: 'POST',
      path: '/account',
      json: {
        Account: { firstname: '-', lastname: '-', email, password: random.hex(16) },
        ApiKeys: ['scenario'],
      },
    });
    const account = created.safeParse(value);
    if (account.success)
      return new ChildAccount(integrator, account.data.Account.id, account.data.ApiKeys.scenario);
    await integrator.close();
    throw new ActionableError(
      'usage',
      `${target.name} makes no Child Account: POST /account answers ${status} ${showValue(value)}`,
      'Give the key of an Integrator Account with --key.',
    );
  }

  /** Suspends it, or lets it be active again. */
  setState(state: 'suspended' | 'active'): Promise<Answer> {
    return this.#send('PUT', '/account/state', state);
  }

  async remove(): Promise<void> {
    await this.#send('DELETE', '/account');
    await this.#integrator.close();
  }

  #send(method: string, path: string, json?: unknown): Promise<Answer> {
    const headers = { 'X-Child-Account-By-Id': String(this.#id) };
    return this.#integrator.send({ method, path, headers, ...(json === undefined ? {} : { json }) });
  }
}
