/** What a target does with accounts, keys, tags and downloads where the specification shows nothing. */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { showValue } from '../../common/json-value.ts';
import type { ACCOUNT_FIELDS } from '../../specification/fields.ts';
import { AUTHENTICATION_HEADERS, MEDIA_TYPES } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import { accountOf, requireActsFor } from '../context/account-view.ts';
import { apiKeyPath, tagPath } from '../context/account-paths.ts';
import { clientKeyPath, knownEdition } from '../context/client-key.ts';
import { keyIn, newKey, postTag } from '../context/keys-and-tags.ts';
import { expectStatus, expectSuccess, textsIn, type Answer, idsIn } from '../expect/answer.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, namesIfShown } from '../context/jobs.ts';
import { gapCheck, seen, shapeOf } from './gap-check.ts';

async function shapeOfMember(context: CheckContext, member: keyof typeof ACCOUNT_FIELDS): Promise<readonly string[]> {
  const account = await accountOf(context, context.api);
  return [`${member}: ${shapeOf(account[member])}`];
}

/** A member of the account whose computer is connected. */
const shapeWithComputer =
  (member: 'versions' | 'connected') =>
  async (context: CheckContext): Promise<readonly string[]> => {
    await context.computers.connect();
    return shapeOfMember(context, member);
  };

/** The names of tags and keys differ from run to run. */
function tagShape(tags: unknown): string {
  if (Array.isArray(tags)) return shapeOf(tags);
  return `an object of names and values, each ${shapeOf(Object.values(tags ?? {})[0])}`;
}

/** The path of something that is removed after the check. */
function passing({ removeLater }: CheckContext, path: string): string {
  removeLater(path);
  return path;
}

/** The name of a tag that is removed after the check. */
function newTag(context: CheckContext): string {
  const name = `gap-${context.naming.hex(12)}`;
  passing(context, tagPath(name));
  return name;
}

const keyPath = (context: CheckContext): string => passing(context, apiKeyPath(`gap-${context.naming.hex(8)}`));

export const ACCOUNT_GAP_RULES: Rules = {
  ...gapCheck('gap/child-accounts-shape', ['child-account'], async (context) => {
    await context.children.create();
    return shapeOfMember(context, 'childAccounts');
  }),
  ...gapCheck('gap/versions-shape', ['computer'], shapeWithComputer('versions')),
  ...gapCheck('gap/connected-shape', ['computer'], shapeWithComputer('connected')),
  ...gapCheck('gap/tags-shape', [], async (context) => {
    context.require(expectSuccess(await postTag(context, newTag(context), 'a value')));
    return [tagShape((await accountOf(context, context.api))['Tags'])];
  }),
  ...gapCheck('gap/permissions-meaning', [], async (context) => [
    showValue((await accountOf(context, context.api))['permissions']),
  ]),
  ...gapCheck('gap/create-account-response', ['integrator'], async ({ children }) => [
    seen('POST /account', await children.send({ ...children.sound(), ApiKeys: ['own'], Tags: { colour: 'blue' } })),
  ]),
  ...gapCheck('gap/controllable-shape', ['child-account'], async ({ api, children }) => {
    await children.create();
    return [seen('GET /account/controllable', await api.get('/account/controllable'))];
  }),
  ...gapCheck('gap/account-state-response', ['child-account'], async ({ children }) => {
    const { api } = await children.create();
    return [seen('PUT /account/state', await api.put('/account/state', 'suspended'))];
  }),
  ...gapCheck('gap/delete-account-response', ['child-account'], async (context) => {
    const child = await context.children.create();
    await requireActsFor(context, child.api, child.id);
    return [seen('DELETE /account', await child.api.delete('/account'))];
  }),
  ...gapCheck('gap/account-calls-without-child-header', ['child-account'], async (context) => {
    const child = await context.children.create();
    // The Child itself calls, by a key of its own: no other account can be harmed.
    const own = context.callAs(await newKey(context, child.api, 'own'));
    await requireActsFor(context, own, child.id);
    return [
      seen('PATCH /account', await own.patch('/account', { lastname: 'new' })),
      seen('GET /account/state', await own.get('/account/state')),
      seen('PUT /account/state', await own.put('/account/state', 'active')),
      seen('DELETE /account', await own.delete('/account')),
    ];
  }),
  ...gapCheck('gap/suspension-effect', ['child-account', 'computer'], async (context) => {
    const { children, require, computers } = context;
    const child = await children.create();
    const apiKey = await newKey(context, child.api, 'own');
    const { printerId } = await computers.away({ owner: { ...child, apiKey } });
    const waiting = await child.api.post('/printjobs', jobBody(printerId));
    require(expectStatus(waiting, 201));
    require(expectSuccess(await child.api.put('/account/state', 'suspended')));
    const states = await namesIfShown({ ...context, api: child.api }, Number(waiting.value));
    const lines = [
      seen('GET /noop by a key of its own', await context.callAs(apiKey).get('/noop')),
      seen('GET /printers by its Integrator', await child.api.get('/printers')),
      seen('POST /printjobs by its Integrator', await child.api.post('/printjobs', jobBody(printerId))),
      `a job that was waiting: ${states.join(', ') || 'it is not shown'}`,
    ];
    // What the check made is removed as the Child.
    await child.api.put('/account/state', 'active');
    return lines;
  }),
  ...gapCheck('gap/several-child-headers', ['child-account'], async ({ api, children }) => {
    const [first, second] = [await children.create(), await children.create()];
    const answer = await api.get('/noop', [first.byId, second.byEmail]);
    const shown = answer.header(AUTHENTICATION_HEADERS.account.name);
    if (answer.status !== 200) return [seen('by id of one and email of another', answer)];
    return [shown === String(first.id) ? 'the id wins over the email' : 'the email wins over the id'];
  }),
  ...gapCheck('gap/basic-password', [], async ({ api, target }) => [
    seen(
      'a key with a password',
      await api.send({
        method: 'GET',
        path: '/noop',
        authorization: basicAuthorization(target.apiKey, 'secret'),
      }),
    ),
  ]),
  ...gapCheck('gap/tag-request', [], async (context) => {
    const { api } = context;
    const path = (): string => tagPath(newTag(context));
    const text = { headers: [['Content-Type', 'text/plain']], body: 'a value' } as const;
    return [
      seen('a JSON string', await api.post(path(), 'a value')),
      seen('an object with value', await api.post(path(), { value: 'a value' })),
      seen('plain text', await api.send({ method: 'POST', path: path(), ...text })),
      seen('no body', await api.post(path())),
    ];
  }),
  ...gapCheck('gap/tag-response', [], async (context) => {
    const { api } = context;
    const name = newTag(context);
    const path = tagPath(name);
    return [
      seen('POST of a new one', await postTag(context, name, 'a value')),
      seen('POST of a known one', await postTag(context, name, 'another')),
      seen('GET', await api.get(path)),
      seen('DELETE', await api.delete(path)),
      seen('GET without one', await api.get(path)),
      seen('DELETE without one', await api.delete(path)),
    ];
  }),
  ...gapCheck('gap/api-key-request', [], async (context) => {
    const { api } = context;
    const path = (): string => keyPath(context);
    const empty = { headers: [['Content-Type', MEDIA_TYPES.json.value]], body: '' } as const;
    return [
      seen('no body', await api.post(path())),
      seen('an empty body as JSON', await api.send({ method: 'POST', path: path(), ...empty })),
      seen('an object', await api.post(path(), {})),
    ];
  }),
  ...gapCheck('gap/api-key-response', [], async (context) => {
    const { api } = context;
    const path = keyPath(context);
    return [
      seen('POST', await api.post(path)),
      seen('GET', await api.get(path)),
      seen('DELETE', await api.delete(path)),
      seen('GET without one', await api.get(path)),
    ];
  }),
  ...gapCheck('gap/api-key-record', [], async (context) => {
    const path = keyPath(context);
    const answer = await context.api.post(path);
    const key = (await keyIn(context, answer))?.key;
    return [`${shapeOf(answer.value)}, the key itself has ${key?.length ?? 'no'} characters`];
  }),
  ...gapCheck('gap/api-key-repeated-name', [], async (context) => {
    const path = keyPath(context);
    const first = (await keyIn(context, await context.api.post(path)))?.key;
    const again = await context.api.post(path);
    if (again.status >= 300) return [seen('POST again', again)];
    const isSame = first !== undefined && textsIn(again.value).includes(first);
    return [seen('POST again', again), isSame ? 'the same key' : 'another key'];
  }),
  ...gapCheck('gap/client-key-response', ['child-account'], async (context) => {
    const { api } = await context.children.create();
    const edition = await knownEdition(context, api);
    const clientKey = (uuid: string): Promise<Answer> => api.get(clientKeyPath(uuid, edition));
    const uuid = context.naming.uuid();
    const [first, again] = [await clientKey(uuid), await clientKey(uuid)];
    const isSame = JSON.stringify(first.value) === JSON.stringify(again.value);
    return [
      seen('GET /client/key', first),
      isSame ? 'the same key for the same UUID' : 'another key each time',
      seen('what is no UUID', await clientKey('installation-1')),
    ];
  }),
  ...gapCheck(
    'gap/client-download-record',
    ['client-downloads'],
    async ({ api }) => [seen('GET /download/clients', await api.get('/download/clients'))],
    ['account/downloads'],
  ),
  ...gapCheck(
    'gap/client-download-short-path',
    ['client-downloads'],
    async ({ api }) => [seen('GET /download/client/windows', await api.get('/download/client/windows'))],
    ['account/downloads'],
  ),
  ...gapCheck('gap/client-download-update-response', ['client-downloads', 'child-account'], async (context) => {
    const { api } = await context.children.create();
    const id = idsIn(await api.get('/download/clients'))?.[0] ?? 1;
    const path = `/download/clients/${id}`;
    return [seen('PATCH', await api.patch(path, { enabled: true }))];
  }),
};
