/** Checks of an Integrator that acts as one of its Child Accounts, and of everybody who may not. */

import { isObject } from '../../common/json-value.ts';
import type { HeaderPair } from '../../common/header-pairs.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import { accountOf, expectAccount, expectActsFor } from '../context/account-view.ts';
import { newKey } from '../context/keys-and-tags.ts';
import { headerByCreatorRef, headerByEmail, headerById, type Child } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody } from '../context/jobs.ts';
import type { ConnectedComputer } from '../context/computers.ts';
import {
  expectError,
  expectHeader,
  expectHeaderValue,
  expectIds,
  expectStatus,
  expectSuccess,
  expectNone,
} from '../expect/answer.ts';
import { expectEqual } from '../expect/that.ts';
import { expectKnownIds, UNKNOWN_ID } from '../context/unknown-ids.ts';

const STRATEGIES = [
  ['byId', 'authentication/child-by-id', 'authentication/child-strategy-by-id'],
  ['byEmail', 'authentication/child-by-email', 'authentication/child-strategy-by-email'],
  ['byCreatorRef', 'authentication/child-by-creator-ref', 'authentication/child-strategy-by-creator-ref'],
] as const;

/** Longer than columns often are, with a character of four bytes and one of two code points. */
const ODD_NAME = `Zoe\u0308 \u{1F5A8} ${'name '.repeat(20)}.`;

/** A name with more or less at its end or beginning, and none: not every service compares all of it. */
function nearTo([header, value]: HeaderPair): readonly HeaderPair[] {
  // A part of an id may be the id of another Child.
  const parts = /^\d+$/.test(value) ? [] : [value.slice(0, -1), value.slice(1)];
  return [`${value}x`, `x${value}`, `${value}.5`, ...parts, '', '*', '%'].map((name) => [header, name]);
}

/** A computer of the Child that has reported its printers and gone. */
async function computerOf(context: CheckContext, { api, cleaner }: Child): Promise<ConnectedComputer> {
  const apiKey = await newKey(context, api, 'computer');
  return context.computers.away({ owner: { apiKey, api, cleaner } });
}

export const ACTING_AS_CHILD_RULES: Rules = {
  'acting-as-child/headers': {
    title: 'Each of the three headers makes an Integrator act as its Child, and the response says so',
    needs: ['child-account'],
    async run(context) {
      const { api, children, judge, uniqueText } = context;
      const parent = await accountOf(context, api);
      // Names that a careless service decodes before it looks for them.
      const odd = { email: `${uniqueText('a+b')}@example.test`, creatorRef: uniqueText('a+b %41') };
      const creation = children.sound(odd);
      context.require(expectSuccess(await children.send(creation)));
      const plain = await children.create();
      const tried = [plain, await children.find(creation)];
      // A service may refuse the second as the same name; if it takes both, it tells them apart.
      const inCapitals = children.sound({ creatorRef: plain.creatorRef.toUpperCase() });
      if ((await children.send(inCapitals)).status < 300) tried.push(await children.find(inCapitals));
      for (const [child, [strategy, clause, strategyClause]] of tried.flatMap((one) =>
        STRATEGIES.map((row) => [one, row] as const),
      )) {
        const header = child[strategy];
        const answer = await api.get('/whoami', [header]);
        const id = isObject(answer.value) ? answer.value['id'] : undefined;
        judge(clause, expectSuccess(answer), expectEqual(`id in ${answer.request} with ${header[0]}`, id, child.id));
        judge(strategyClause, expectHeader(answer, header[0]));
        const { authorizedAs, account: xAccount } = AUTHENTICATION_HEADERS;
        judge(
          'authentication/child-x-authorized-as',
          expectHeaderValue(answer, authorizedAs.name, String(parent['id'])),
        );
        judge('authentication/child-x-account', expectHeaderValue(answer, xAccount.name, String(child.id)));
      }
      const names = { firstname: ODD_NAME, lastname: ODD_NAME };
      const renamed = await plain.api.patch('/account', names);
      // How long a name may be is not printed, nor of which characters; one that is taken is shown.
      const areShown = (field: keyof typeof names): Mismatch | undefined =>
        expectSuccess(renamed) ? undefined : expectAccount(renamed.value, { [field]: names[field] }, 'of the Child');
      judge('accounts/update-firstname', areShown('firstname'));
      judge('accounts/update-lastname', areShown('lastname'));
    },
  },
  'acting-as-child/unknown': {
    title: 'A header that does not name a Child gets 401 InvalidCredentials, alone and beside one that names a Child',
    needs: ['integrator'],
    async run(context) {
      const { api, children, judge, require, uniqueText } = context;
      const child = await children.create();
      const parent = await accountOf(context, api);
      const unknown = uniqueText('nobody');
      const cases = [
        [
          'authentication/child-by-unknown-id-401',
          child.byId,
          [headerById(UNKNOWN_ID), headerById(0), ...nearTo(child.byId), [child.byId[0], `-${child.id}`]],
        ],
        [
          'authentication/child-by-unknown-email-401',
          child.byEmail,
          [headerByEmail(`${unknown}@example.test`), ...nearTo(child.byEmail)],
        ],
        [
          'authentication/child-by-unknown-creator-ref-401',
          child.byCreatorRef,
          [headerByCreatorRef(unknown), ...nearTo(child.byCreatorRef)],
        ],
      ] as const;
      for (const [clause, sound, wrong] of cases) {
        require(expectActsFor(await api.get('/noop', [sound]), child.id));
        for (const header of wrong) {
          const answer = await api.get('/noop', [header]);
          judge(clause, expectStatus(answer, ERRORS.InvalidCredentials.status));
          judge('errors/invalid-credentials-child', expectError(answer, ERRORS.InvalidCredentials));
        }
      }
      for (const [clause, sound, [wrong]] of cases) {
        for (const [, other] of cases.filter((one) => one[1] !== sound)) {
          for (const headers of [
            [wrong, other],
            [other, wrong],
          ]) {
            const names = headers.map(([name, value]) => `${name}: ${value}`).join(', ');
            const mismatch = expectStatus(await api.get('/noop', headers), ERRORS.InvalidCredentials.status);
            judge(clause, mismatch && { ...mismatch, at: `${mismatch.at} with ${names}` });
          }
        }
      }
      // An Integrator is not a Child of itself.
      const self = await api.get('/noop', [headerById(Number(parent['id']))]);
      judge('authentication/child-by-unknown-id-401', expectStatus(self, ERRORS.InvalidCredentials.status));
    },
  },
  'acting-as-child/belongings': {
    title: 'A caller acting as a Child sees only the Child’s records in lists, and a new job belongs to the Child',
    needs: ['child-account', 'computer'],
    locks: ['account/computers'],
    async run(context) {
      const { api, children, judge, computers } = context;
      const child = await children.create();
      const own = await computerOf(context, child);
      const parents = await computers.away();
      const created = await child.api.post('/printjobs', jobBody(own.printerId));
      const jobId = Number(created.value);
      judge('authentication/child-creates', expectStatus(created, 201));
      judge('authentication/child-creates', expectIds(await child.api.get('/printjobs'), [jobId]));
      judge('authentication/child-creates', expectNone(await api.get(`/printjobs/${jobId}`), [jobId]));
      const newer = await child.api.post('/printjobs', jobBody(own.printerId));
      if (newer.status === 201) {
        judge('service/page-after', expectIds(await child.api.get(`/printjobs?after=${String(newer.value)}`), [jobId]));
      }
      const lists = [
        ['/computers', own.computerId, parents.computerId],
        ['/printers', own.printerId, parents.printerId],
      ] as const;
      for (const [path, mine, others] of lists) {
        judge('authentication/child-lists', expectIds(await child.api.get(path), [mine]));
        judge('authentication/child-lists', expectIds(await api.get(`${path}/${others}`), [others]));
        const both = await api.get(`${path}/${mine},${others}`);
        judge('authentication/child-lists', expectKnownIds(both, [others]));
      }
    },
  },
};
