/** Checks of client keys: what a client connects with, so that it needs no API key. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { expectIds, expectRefusal, expectStatus, expectSuccess, textsIn, type Answer } from '../expect/answer.ts';
import type { ApiClient } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { clientKeyPath, knownEdition, listedEditions } from '../context/client-key.ts';
import type { Child } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import type { ConnectPlan } from '../context/computers.ts';
import { expectThat, firstOf } from '../expect/that.ts';

/** Not more than a script may ask for at once; a Child goes with its keys. */
const MANY_KEYS = 15;

function ask({ naming }: CheckContext, api: ApiClient, edition: string, version?: string): Promise<Answer> {
  return api.get(clientKeyPath(naming.uuid(), edition, version));
}

async function askForKnown(context: CheckContext, api: ApiClient): Promise<Answer> {
  return ask(context, api, await knownEdition(context, api));
}

/** The text in an answer that is as long as a client key; how it is wrapped is not shown. */
function clientKeyIn(answer: Answer): string | undefined {
  return textsIn(answer.value).find((text) => text.length === LIMITS.clientKeyCharacters.value);
}

function expectClientKey(answer: Answer): Mismatch | undefined {
  const length = LIMITS.clientKeyCharacters.value;
  const at = `body of ${answer.request}`;
  return firstOf(
    expectSuccess(answer),
    expectThat(clientKeyIn(answer) !== undefined, at, `a string of ${length} characters`, answer.value),
  );
}

/**
 * A client key cannot be revoked: where a Child can be made, the key is made for the Child and goes with it.
 */
async function childToSpare({ children, target }: CheckContext): Promise<Child | undefined> {
  return target.isIntegrator ? children.create() : undefined;
}

/** Expects that a computer can connect as planned, and that this account lists it then. */
async function expectConnects(
  { computers }: CheckContext,
  plan: ConnectPlan,
  api: ApiClient,
): Promise<Mismatch | undefined> {
  try {
    const { computerId } = await computers.connect(plan);
    return expectIds(await api.get(`/computers/${computerId}`), [computerId]);
  } catch (error) {
    if (!(error instanceof CheckEnded) || error.verdict !== 'blocked') throw error;
    return expectThat(false, 'the link', 'a computer of the account, by its client key', error.message);
  }
}

export const CLIENT_KEY_RULES: Rules = {
  'client-keys/issued': {
    title: 'GET /client/key/{uuid} answers with a client key of 47 characters, for each edition and version',
    async run(context) {
      const { judge } = context;
      const child = await childToSpare(context);
      const { api } = child ?? context;
      const known = await knownEdition(context, api);
      const plain = await ask(context, api, known);
      judge('client-downloads/client-key', expectSuccess(plain));
      judge('limits/client-key', expectClientKey(plain));
      // A key that is a number without its leading zeros is shorter once in a while.
      const more = child ? MANY_KEYS : 0;
      for (let count = 0; count < more; count++)
        judge('limits/client-key', expectClientKey(await ask(context, api, known)));
      // Whether it is the same key is not printed.
      const path = clientKeyPath(context.naming.uuid(), known);
      for (const answer of [await api.get(path), await api.get(path)]) {
        judge('client-downloads/client-key', expectClientKey(answer));
      }
      for (const edition of [known, ...(await listedEditions(api))]) {
        judge('client-downloads/client-key-edition', expectClientKey(await ask(context, api, edition)));
      }
      const madeUp = await ask(context, api, 'A name of their own: ü & co +1 %41 \u{1F5A8}');
      // A service may know its own editions alone.
      const isRefused = expectRefusal(madeUp) === undefined;
      judge('client-downloads/client-key-edition', isRefused ? undefined : expectClientKey(madeUp));
      for (const version of ['4.10.0', '5.0.0-beta.1']) {
        judge('client-downloads/client-key-version', expectClientKey(await ask(context, api, known, version)));
      }
    },
  },
  'client-keys/not-an-api-key': {
    title: 'A client key does not authenticate API requests',
    async run(context) {
      const { judge, require } = context;
      const child = await childToSpare(context);
      const { api } = child ?? context;
      const answer = await askForKnown(context, api);
      require(expectClientKey(answer));
      const used = await context.callAs(clientKeyIn(answer) ?? '').get('/noop');
      judge('client-downloads/client-key-no-api-key', expectStatus(used, 401));
    },
  },
  'client-keys/connects': {
    title: 'A computer that connects with a client key belongs to the account that asked for the key',
    needs: ['computer'],
    async run(context) {
      const child = await childToSpare(context);
      const { api } = child ?? context;
      const answers = [await askForKnown(context, api), await askForKnown(context, api)];
      // The first one still works when another client has got the second.
      for (const answer of answers) {
        context.require(expectClientKey(answer));
        const clientKey = clientKeyIn(answer) ?? '';
        context.judge(
          'client-downloads/client-key-connects',
          await expectConnects(context, { owner: child ?? 'account', clientKey }, api),
        );
      }
    },
  },
  'client-keys/of-child': {
    title: 'A caller can request a client key as a Child, and it works as soon as the Child exists',
    needs: ['child-account', 'computer'],
    async run(context) {
      const { children, naming, judge, demand } = context;
      const child = await children.create();
      const path = clientKeyPath(naming.uuid(), await knownEdition(context, child.api));
      const answer = await child.api.get(path);
      demand('authentication/delegated-key-of-child', expectClientKey(answer));
      const clientKey = clientKeyIn(answer) ?? '';
      judge(
        'authentication/delegated-child-on-the-fly',
        await expectConnects(context, { owner: child, clientKey }, child.api),
      );
      const sibling = await children.create();
      const ofSibling = await sibling.api.get(path);
      // Whether one UUID may have a key in two accounts is not printed; if it may, each is of its own.
      const isOwn = expectClientKey(ofSibling)
        ? undefined
        : await expectConnects(context, { owner: sibling, clientKey: clientKeyIn(ofSibling) }, sibling.api);
      judge('client-downloads/client-key-connects', isOwn);
    },
  },
};
