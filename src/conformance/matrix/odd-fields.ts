/**
 * Odd fields in every body: a value of a wrong type in each field, and an unknown field. What a service takes
 * is a gap; that it answers, and never with a fault of its own, is not.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint, FieldType } from '../../spec/clause.ts';
import type { CheckContext } from '../context/context.ts';
import type { Answer } from '../expect/answer.ts';
import { isObject } from '../expect/records.ts';
import { expectThat } from '../expect/that.ts';
import { atEndpoint, firstReason, type MatrixRules } from './matrix-rule.ts';
import { furnish, ownParty } from './party.ts';
import { soundRequest } from './sound-request.ts';

const WRONG: Readonly<Partial<Record<FieldType, readonly unknown[]>>> = {
  string: [7, { x: 1 }, ['x'], null],
  integer: ['x', 1.5, { x: 1 }, [1], null],
  boolean: ['x', 7, {}, null],
  object: ['x', 7, ['x']],
  'array of strings': ['x', 7, { x: 1 }, [7], [{}], null],
};

export const ODD_FIELD_RULES: MatrixRules = {
  'matrix/odd-fields': {
    columns: ['wrong types and unknown fields'],
    title: 'No body with a field of a wrong type, or an unknown one, is answered with a 5xx',
    locks: ['account'],
    whyNot: ({ body, account }) =>
      firstReason(
        [body.kind === 'none', 'takes no body'],
        [body.kind === 'not shown', 'its body is not shown'],
        [body.kind === 'string', 'has no fields: account-states/other sends other values'],
        [
          account !== 'caller',
          'would change an account: account-updates/refused and child-accounts/required send odd ones',
        ],
      ),
    async judge(context, endpoints) {
      const { api, values } = await furnish(context, ownParty(context), endpoints);
      for (const endpoint of endpoints) {
        const sound = await soundRequest(context, endpoint, values);
        for (const [what, json] of oddBodies(endpoint, isObject(sound.json) ? sound.json : {})) {
          const answer = await api.send({ ...sound, json });
          context.judge('service/no-5xx-on-bad-input', atEndpoint(endpoint, what, expectNo5xx(answer)));
        }
        await restore(context, endpoint, values.download_id_set);
      }
    },
  },
};

function oddBodies({ body }: Endpoint, sound: object): readonly (readonly [what: string, json: object])[] {
  if (body.kind !== 'fields') return [];
  const wrong = Object.entries(body.fields).flatMap(([name, { type }]) =>
    (WRONG[type] ?? []).map((value) => [`${JSON.stringify(value)} as ${name}`, { ...sound, [name]: value }] as const),
  );
  return [...wrong, ['an unknown field', { ...sound, unheardOf: { nested: [1, null] } }]];
}

function expectNo5xx(answer: Answer): Mismatch | undefined {
  return expectThat(answer.status < 500, `status of ${answer.request}`, 'no 5xx', answer.status);
}

async function restore({ api }: CheckContext, { path }: Endpoint, download: string | undefined): Promise<void> {
  if (path.startsWith('/download') && download !== undefined) {
    await api.patch(`/download/clients/${download}`, { enabled: true });
  }
}
