/** Checks of the limits of account creation, each at its edge and beyond, as JSON and as form. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rule, Rules } from '../check.ts';
import { ENCODINGS, type Creation } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { firstOf } from '../expect/that.ts';
import { expectRefusal, expectSuccess } from '../expect/answer.ts';

/** What is added to a creation that nothing is wrong with. */
type Addition = Partial<Creation> & { readonly password?: string };

/** A limit from both sides. What is within comes first: it shows that nothing else is refused. */
interface Edge {
  readonly clause: ClauseId;
  readonly within?: readonly Addition[];
  readonly beyond?: readonly Addition[];
}

async function judgeEdge(context: CheckContext, { clause, within = [], beyond = [] }: Edge): Promise<void> {
  context.judge(clause, await judgeAll(context, within, true));
  context.judge(clause, await judgeAll(context, beyond, false));
}

async function judgeAll(
  { children }: CheckContext,
  additions: readonly Addition[],
  isWithin: boolean,
): Promise<Mismatch | undefined> {
  const mismatches: (Mismatch | undefined)[] = [];
  for (const { password, ...more } of additions) {
    for (const encoding of ENCODINGS) {
      const sound = children.sound(password === undefined ? {} : { password });
      const answer = await children.send({ ...sound, ...more }, encoding);
      mismatches.push(isWithin ? expectSuccess(answer) : expectRefusal(answer));
    }
  }
  return firstOf(...mismatches);
}

function edges(title: string, all: readonly Edge[]): Rule {
  return {
    title,
    needs: ['integrator'],
    async run(context) {
      for (const edge of all) await judgeEdge(context, edge);
    },
  };
}

const { passwordBytes, apiKeyNameBytes, apiKeyNames, creationTagValueBytes, tagNameCharacters } = LIMITS;
/** Two bytes and one character each. */
const E_ACUTE = '\u00e9';

const nameOfBytes = (count: number): string => 'n'.repeat(count);
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `key-${index}`);
const tag = (value: string): Addition => ({ Tags: { edge: value } });
const named = (name: string): Addition => ({ Tags: { [name]: 'value' } });

/** Longer than what some of the functions that hash passwords take. No greatest length is printed. */
const LONG_PASSWORDS = ['l'.repeat(73), 'l'.repeat(129)] as const;

export const ACCOUNT_LIMIT_RULES: Rules = {
  'account-limits/password': edges('A password has at least eight bytes', [
    { clause: 'limits/password-at-accepted', within: [{ password: 'b'.repeat(passwordBytes.value) }] },
    {
      clause: 'limits/password-under-refused',
      beyond: [{ password: 'b'.repeat(passwordBytes.value - 1) }, { password: '' }],
    },
    { clause: 'limits/password-in-bytes', within: [{ password: E_ACUTE.repeat(passwordBytes.value / 2) }] },
    {
      clause: 'accounts/create-password-no-complexity',
      within: LONG_PASSWORDS.map((password) => ({ password })),
    },
  ]),
  'account-limits/api-key-name': edges('The name of an API key has at most 16 bytes at creation', [
    {
      clause: 'limits/api-key-name-at-accepted',
      within: [
        { ApiKeys: [nameOfBytes(apiKeyNameBytes.value)] },
        { ApiKeys: [E_ACUTE.repeat(apiKeyNameBytes.value / 2)] },
      ],
    },
    {
      clause: 'limits/api-key-name-over-refused',
      beyond: [
        { ApiKeys: [nameOfBytes(apiKeyNameBytes.value + 1)] },
        { ApiKeys: ['fine', nameOfBytes(apiKeyNameBytes.value + 1)] },
      ],
    },
    {
      clause: 'limits/api-key-name-in-bytes',
      beyond: [{ ApiKeys: [E_ACUTE.repeat(apiKeyNameBytes.value / 2 + 1)] }],
    },
  ]),
  'account-limits/api-key-names': edges('A creation names at most ten API keys', [
    { clause: 'limits/api-key-names-at-accepted', within: [{ ApiKeys: names(apiKeyNames.value) }] },
    { clause: 'limits/api-key-names-over-refused', beyond: [{ ApiKeys: names(apiKeyNames.value + 1) }] },
  ]),
  'account-limits/tag-value': edges('The value of a tag has at most 1024 bytes at creation', [
    {
      clause: 'limits/creation-tag-value-at-accepted',
      within: [tag('v'.repeat(creationTagValueBytes.value)), tag(E_ACUTE.repeat(creationTagValueBytes.value / 2))],
    },
    {
      clause: 'limits/creation-tag-value-over-refused',
      beyond: [
        tag('v'.repeat(creationTagValueBytes.value + 1)),
        tag(E_ACUTE.repeat(creationTagValueBytes.value / 2 + 1)),
      ],
    },
  ]),
  'account-limits/tag-name': edges('A creation accepts the tag names that are valid later, and no others', [
    { clause: 'limits/tag-name-at-accepted', within: [named('N'.repeat(tagNameCharacters.value))] },
    { clause: 'limits/tag-name-over-refused', beyond: [named('N'.repeat(tagNameCharacters.value + 1))] },
    { clause: 'accounts/tag-name-other-refused', beyond: [' ', '/', '+', E_ACUTE].map((one) => named(`a${one}b`)) },
  ]),
  'account-limits/password-update': {
    title: 'PATCH /account refuses a password of seven bytes and accepts a long one',
    needs: ['child-account'],
    async run({ children, judge, require }) {
      const { api } = await children.create();
      const change = (password: string) => api.patch('/account', { password });
      require(expectSuccess(await change('c'.repeat(passwordBytes.value))));
      for (const password of LONG_PASSWORDS) judge('accounts/update-password', expectSuccess(await change(password)));
      judge('limits/password-on-update', expectRefusal(await change('c'.repeat(passwordBytes.value - 1))));
    },
  },
};
