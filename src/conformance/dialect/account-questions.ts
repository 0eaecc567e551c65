/** Questions about accounts, tags and API keys. */

import { DIALECT_ANSWERS } from '../../target/dialect.ts';
import type { CheckContext } from '../context/context.ts';
import {
  API_KEY_BODIES,
  apiKeyPath,
  keyIn,
  newKey,
  postKey,
  postTag,
  TAG_BODIES,
  tagPath,
} from '../context/keys-and-tags.ts';
import { expectFound, expectSuccess, type Answer } from '../expect/answer.ts';
import { placeOf } from '../expect/places.ts';
import { deedOf } from './list-questions.ts';
import { untold, type Questions } from './question.ts';

type AccountQuestion = 'new-account-keys' | 'new-key' | 'api-key-body' | 'tag-body' | 'tag-value' | 'suspension';

/** Without dots and short enough for a creation. */
const KEY_NAME = 'asked';

/** A name of this run alone; what is called by it is removed after the asking. */
function passingName({ random, removeLater }: CheckContext, pathOf: (name: string) => string): string {
  const name = `asked-${random.hex(10)}`;
  removeLater(pathOf(name));
  return name;
}

/** Where this answer has its key, with `{name}` for its name. */
async function placeOfKey(context: CheckContext, answer: Answer, name: string): Promise<string> {
  context.require(expectSuccess(answer));
  const found = await keyIn(context, answer);
  return found?.place.replace(name, '{name}') ?? untold(`no string in the answer of ${answer.request} authenticates`);
}

export const ACCOUNT_QUESTIONS: Questions<AccountQuestion> = {
  'new-account-keys': {
    gap: 'gap/create-account-response',
    ofIntegrator: true,
    async ask(context) {
      const { children } = context;
      return placeOfKey(context, await children.send({ ...children.sound(), ApiKeys: [KEY_NAME] }), KEY_NAME);
    },
    words: (place) => `POST /account answers the key called {name} at ${place}`,
  },
  'api-key-body': {
    gap: 'gap/api-key-request',
    async ask(context) {
      for (const body of DIALECT_ANSWERS['api-key-body'].options) {
        const path = apiKeyPath(passingName(context, apiKeyPath));
        const answer = await context.api.send({ method: 'POST', path, ...API_KEY_BODIES[body] });
        if (expectSuccess(answer) === undefined) return body;
      }
      return untold('no body that was tried makes a key');
    },
    words: (body) => `an API key is created with this body: ${body.replace('-', ' ')}`,
  },
  'new-key': {
    gap: 'gap/api-key-response',
    async ask(context) {
      const name = passingName(context, apiKeyPath);
      return placeOfKey(context, await postKey(context, name), name);
    },
    words: (place) => `POST /account/apikey/{description} answers the key at ${place}`,
  },
  'tag-body': {
    gap: 'gap/tag-request',
    async ask(context) {
      for (const body of DIALECT_ANSWERS['tag-body'].options) {
        const path = tagPath(passingName(context, tagPath));
        const value = context.uniqueText('value');
        await context.api.send({ method: 'POST', path, ...TAG_BODIES[body](value) });
        if (placeOf((await context.api.get(path)).value, value) !== undefined) return body;
      }
      return untold('no body that was tried makes a tag that can be read');
    },
    words: (body) => `a tag is written with this body: ${body.replace('-', ' ')}`,
  },
  'tag-value': {
    gap: 'gap/tag-response',
    async ask(context) {
      const name = passingName(context, tagPath);
      const value = context.uniqueText('value');
      context.require(expectSuccess(await postTag(context, name, value)));
      const { value: shown, request } = await context.api.get(tagPath(name));
      return placeOf(shown, value)?.replace(name, '{name}') ?? untold(`${request} does not answer the value`);
    },
    words: (place) => `GET /account/tag/{name} answers the value at ${place}`,
  },
  suspension: {
    gap: 'gap/suspension-effect',
    ofIntegrator: true,
    async ask(context) {
      const { children, require, callAs } = context;
      const { api } = await children.create();
      const own = callAs(await newKey(context, api, KEY_NAME));
      require(expectSuccess(await api.put('/account/state', 'suspended')));
      const deed = async (client: typeof api, path: string) => deedOf(context, await client.get(path), 'answered');
      const answer = {
        ownKey: await deed(own, '/noop'),
        whoami: await deed(api, '/whoami'),
        reads: await deed(api, '/printers'),
      };
      require(expectSuccess(await api.put('/account/state', 'active')));
      require(expectFound(await api.get('/account/state'), 'active', (state) => state === 'active'));
      return answer;
    },
    words: ({ ownKey, whoami, reads }) =>
      `of a suspended Child Account its own key is ${ownKey}; its Integrator's GET /whoami is ${whoami}, and other reads ${reads}`,
  },
};
