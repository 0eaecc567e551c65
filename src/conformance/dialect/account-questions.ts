/** Questions about accounts, tags and API keys. */

import { DIALECT_ANSWERS, type Dialect } from '../../targets/dialect.ts';
import type { ApiClient } from '../context/api-client.ts';
import type { CheckContext } from '../context/context.ts';
import { apiKeyPath, tagPath } from '../context/account-paths.ts';
import {
  API_KEY_BODIES,
  createdKey,
  newKey,
  placeOfKey,
  postKey,
  postTag,
  TAG_BODIES,
} from '../context/keys-and-tags.ts';
import { expectFound, expectSuccess, type Answer } from '../expect/answer.ts';
import { leavesOf, placeOf } from '../../common/places.ts';
import { asRecords, recordIds } from '../expect/records.ts';
import { deedOf } from './list-questions.ts';
import { untold, type Questions } from './question.ts';

type AccountQuestion =
  | 'download-id'
  | 'new-account-keys'
  | 'new-key'
  | 'api-key-body'
  | 'tag-body'
  | 'tag-value'
  | 'suspension';

/** Without dots and short enough for a creation. */
const KEY_NAME = 'asked';

/** Statuses that a body of the wrong kind gets. */
const ABOUT_THE_BODY: ReadonlySet<number> = new Set([400, 411, 415, 422]);

/** A name of this run alone; what is called by it is removed after the asking. */
function passingName({ random, removeLater }: CheckContext, pathOf: (name: string) => string): string {
  const name = `asked-${random.hex(10)}`;
  removeLater(pathOf(name));
  return name;
}

/** Where this creation, or the GET of its name, answers its key, with `{name}` for its name. */
async function placeOfCreated(context: CheckContext, created: Answer, name: string, api?: ApiClient): Promise<string> {
  const found = await createdKey(context, { created, name, api });
  const seen = `the answer of ${created.request}, or of GET ${apiKeyPath(name)},`;
  return found?.place.replace(name, '{name}') ?? untold(`no string in ${seen} authenticates`);
}

const whereOf = (place: string): string => (place === '.' ? 'as its whole body' : `at ${place}`);

/** `POST /account answers the key at ApiKeys.{name}`, of a place that may be one of the GET. */
function wordsOfKey(answer: string, creation: string, key: string): string {
  const { isOfGet, place } = placeOfKey(answer, '{name}');
  return `${isOfGet ? 'GET /account/apikey/{description}' : creation} answers ${key} ${whereOf(place)}`;
}

export const ACCOUNT_QUESTIONS: Questions<AccountQuestion> = {
  'new-account-keys': {
    gap: 'gap/create-account-response',
    ofIntegrator: true,
    async ask(context) {
      const { children, require } = context;
      const creation = { ...children.sound(), ApiKeys: [KEY_NAME] };
      const created = await children.send(creation);
      require(expectSuccess(created));
      const { api } = await children.find(creation);
      return placeOfCreated(context, created, KEY_NAME, api);
    },
    words: (answer) => wordsOfKey(answer, 'POST /account', 'the key called {name}'),
  },
  'api-key-body': {
    gap: 'gap/api-key-request',
    async ask(context) {
      const refusals: number[] = [];
      for (const body of DIALECT_ANSWERS['api-key-body'].options) {
        const path = apiKeyPath(passingName(context, apiKeyPath));
        const answer = await context.api.send({ method: 'POST', path, ...API_KEY_BODIES[body] });
        if (expectSuccess(answer) === undefined) return body;
        refusals.push(answer.status);
      }
      // Where none was refused for its body, the body is not what is wrong: that is for checks to say.
      return refusals.some((status) => ABOUT_THE_BODY.has(status))
        ? untold('no body that was tried makes a key')
        : 'none';
    },
    words: (body) => `an API key is created with this body: ${body.replace('-', ' ')}`,
  },
  'new-key': {
    gap: 'gap/api-key-response',
    async ask(context) {
      const name = passingName(context, apiKeyPath);
      const created = await postKey(context, name);
      context.require(expectSuccess(created));
      return placeOfCreated(context, created, name);
    },
    words: (answer) => wordsOfKey(answer, 'POST /account/apikey/{description}', 'the key'),
  },
  'tag-body': {
    gap: 'gap/tag-request',
    async ask(context) {
      const taken: Dialect['tag-body'][] = [];
      for (const body of DIALECT_ANSWERS['tag-body'].options) {
        const path = tagPath(passingName(context, tagPath));
        const value = context.uniqueText('value');
        const answer = await context.api.send({ method: 'POST', path, ...TAG_BODIES[body](value) });
        const isShown = async (): Promise<boolean> => placeOf((await context.api.get(path)).value, value) !== undefined;
        if (await isShown()) return body;
        if (expectSuccess(answer)) continue;
        // One that stores a tag after its answer took the body all the same: that it was late is for checks to say.
        await context.elapse('1s');
        if (await isShown()) return body;
        taken.push(body);
      }
      // A tag that was taken and cannot be read is for checks to report.
      return taken[0] ?? untold('no body that was tried makes a tag');
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
  'download-id': {
    gap: 'gap/client-download-record',
    async ask({ api, require }) {
      const answer = await api.get('/download/clients');
      const records = asRecords(answer.value) ?? [];
      require(expectFound(answer, 'client downloads', () => records.length > 0));
      for (const [place] of leavesOf(records[0])) {
        const ids = recordIds(records, place);
        if (!ids || new Set(ids).size < ids.length) continue;
        const shown = await api.get(`/download/clients/${ids[0]}`);
        if (shown.status < 300 && recordIds(shown.value, place)?.join() === String(ids[0])) return place;
      }
      return untold(`nothing in the records of ${answer.request} leads to one of them`);
    },
    words: (place) => `the id of a client download is at ${place}`,
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
      await api.put('/account/state', 'active');
      return answer;
    },
    words: ({ ownKey, whoami, reads }) =>
      `of a suspended Child Account its own key is ${ownKey}; its Integrator's GET /whoami is ${whoami}, and other reads ${reads}`,
  },
};
