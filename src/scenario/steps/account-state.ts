/**
 * account-state: the Integrator Account suspends the Child Account of the scenario, or activates it.
 */

import { z } from 'zod';

import { showValue } from '../../common/json-value.ts';
import { actingFor } from '../../targets/child-account.ts';
import { uses } from '../vocabulary/names.ts';
import { broken, KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const args = z.enum(['suspended', 'active']);

export const accountState = stepKind<z.output<typeof args>>({
  about: 'The Integrator Account suspends the Child Account of the scenario (`account: child`), or activates it again.',
  args,
  summary: (state) => `the account becomes ${state}`,
  names: () => uses('account', 'child'),
  async run(state, { child }) {
    if (!child) throw new Error('the scenario has no Child Account');
    const { status, value } = await child.integrator.send({
      method: 'PUT',
      path: '/account/state',
      headers: actingFor(child.id),
      json: state,
    });
    return status >= 200 && status < 300
      ? KEPT
      : broken('answer to PUT /account/state', 'a success', `${status} ${showValue(value)}`);
  },
});
