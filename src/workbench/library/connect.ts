/**
 * connect(): a workbench that runs elsewhere, as the object that `start` gives.
 */

import { usageError } from '../../common/actionable-error.ts';
import { givenObject } from '../../common/given-object.ts';
import type { AccountView, InfoView, KeyView } from '../../record/control-types.ts';
import { askThere, ControlClient } from '../control/control-client.ts';
import { Platen } from './platen.ts';

export interface ConnectOptions {
  /** What `platen start` prints as the control token; needed beyond loopback. */
  readonly token?: string | undefined;
  /** The name under which the workbench reaches this machine, for `webhooks.receive`; loopback unless given. */
  readonly callbackHost?: string | undefined;
}

/**
 * Connects to a running workbench; `close` leaves it running.
 *
 * @param url - base address of the service, as `platen start` prints it
 * @throws ActionableError when no workbench answers there, or it wants another token
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Platen> {
  const { token, callbackHost } = givenObject('the second argument of connect', "{ token: '…' }", options);
  const base = url.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base)) {
    throw usageError(
      `'${url}' is not the address of a workbench: it has no http://`,
      'Write it as platen start prints it.',
    );
  }
  // Loaded when needed: a program that starts its own workbench does not need it.
  const { Agent } = await import('undici');
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  try {
    const control = new ControlClient(askThere(base, token, agent));
    const [info, key, accounts] = await Promise.all([
      control.get<InfoView>('/info'),
      control.get<KeyView>('/key'),
      control.get<AccountView[]>('/accounts'),
    ]);
    const accountId = accounts.find(({ kind }) => kind === 'main')?.id ?? 0;
    const identity = {
      url: base,
      apiKey: key.apiKey,
      accountId,
      isVirtual: info.clock.isVirtual,
      isMain: true,
      callbackHost,
    };
    return new Platen(identity, control, () => agent.close());
  } catch (error) {
    await agent.close();
    throw error;
  }
}
