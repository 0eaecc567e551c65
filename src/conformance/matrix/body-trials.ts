/**
 * Body trials: for each endpoint whose fields an account shows, bodies to send and where they show what they did.
 * How a body is written is the matter of the rules that send them: as a form, as JSON in another spelling.
 */

import { type JsonObject, showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import { ACCOUNT_STATES } from '../../specification/states.ts';
import { accountOf } from '../context/account-view.ts';
import type { Write } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { EVERY_TYPE, listWebhooks, newWebhookFields, oneType, webhookIdOf } from '../context/webhook-settings.ts';
import { expectSuccess, type Answer } from '../expect/answer.ts';
import { asRecords } from '../expect/records.ts';
import { expectThat, firstOf, sameJson } from '../expect/that.ts';
import { nameOf, type MatrixRule, type MatrixRules } from './matrix-rule.ts';
import { childParty, furnish, ownParty, type Furnished } from './party.ts';
import { pathOf } from './sound-request.ts';

/** A body, and what the account shows afterwards. */
export interface Trial {
  readonly body: JsonObject | string;
  readonly wanted: JsonObject;
  readonly shown: () => Promise<JsonObject | undefined>;
  /** Where the request has to be known for the cleaning up. Default: to the endpoint, by the party. */
  readonly send?: (write: Write) => Promise<Answer>;
}

/** Makes a new one each time, with this at the end of its texts. */
export type MakeTrial = (tail: string) => Promise<Trial>;

/** What was wrong with an answer, or with what the body did. */
export interface BrokenBody {
  readonly status: number;
  readonly isRefused: boolean;
  readonly mismatch: Mismatch;
}

export const hasTrials = (endpoint: Endpoint): boolean => TRIALS[nameOf(endpoint)] !== undefined;

/** A way of writing bodies that is judged at every endpoint. */
interface BodyColumn {
  readonly column: string;
  /** The title of the check in the account itself, and of the one for Child Accounts. */
  readonly titles: readonly [own: string, ofChild: string];
  readonly whyNot: (isForChild: boolean) => MatrixRule['whyNot'];
  readonly judge: JudgeTrial;
}

type JudgeTrial = (context: CheckContext, endpoint: Endpoint, party: Furnished, make: MakeTrial) => Promise<void>;

/** The checks `matrix/NAME` and `matrix/NAME-for-child`. */
export function bodyRules(name: string, { column, titles, whyNot, judge }: BodyColumn): MatrixRules {
  const [own, ofChild] = titles;
  return {
    [`matrix/${name}`]: {
      columns: [column],
      title: own,
      locks: ['account/webhooks', 'account/downloads'],
      whyNot: whyNot(false),
      async judge(context, endpoints) {
        await judgeTrials(context, endpoints, await furnish(context, ownParty(context), endpoints), judge);
      },
    },
    [`matrix/${name}-for-child`]: {
      columns: [column],
      title: ofChild,
      needs: ['child-account'],
      whyNot: whyNot(true),
      async judge(context, endpoints) {
        const { child, ...party } = await childParty(context, 'a Child');
        await judgeTrials(context, endpoints, await furnish(context, { ...party, api: child.api }, endpoints), judge);
      },
    },
  };
}

/** Judges each trial of each endpoint, and enables again what some of them disable. */
async function judgeTrials(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  party: Furnished,
  judge: JudgeTrial,
): Promise<void> {
  for (const endpoint of endpoints) {
    try {
      for (const make of TRIALS[nameOf(endpoint)]?.(context, party) ?? []) await judge(context, endpoint, party, make);
    } finally {
      const { download_id_set: download } = party.values;
      if (download !== undefined) await party.api.patch(`/download/clients/${download}`, { enabled: true });
    }
  }
}

/** Sends a body, and looks at what it did. */
export async function tryBody(
  endpoint: Endpoint,
  { api, values }: Furnished,
  { body, wanted, shown, send }: Trial,
  write: Write,
): Promise<BrokenBody | undefined> {
  const request = { method: endpoint.method, path: pathOf(endpoint, values) };
  const answer = send ? await send(write) : await api.send({ ...request, ...write(body) });
  const { status } = answer;
  const refused = expectSuccess(answer);
  if (refused) return { status, isRefused: true, mismatch: refused };
  const after = (await shown()) ?? {};
  const differing = Object.entries(wanted).map(([name, value]) =>
    expectThat(sameJson(after[name], value), `${name} after ${answer.request}`, showValue(value), after[name]),
  );
  const mismatch = firstOf(...differing);
  return mismatch && { status, isRefused: false, mismatch };
}

/** What a password is, no account shows. */
const ACCOUNT_FIELDS = ['firstname', 'lastname', 'email', 'creatorRef'] as const;
const WEBHOOK_FIELDS = ['url', 'secret', 'messages'] as const;

/** Each alone, and all at once. */
const alonesAndAll = <Name extends string>(names: readonly Name[]): readonly (readonly Name[])[] => [
  ...names.map((name) => [name]),
  names,
];

const someOf = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

/** Without what an address has to escape. */
const inAddress = (text: string): string => text.replaceAll(/[^\w&=+%-]/gu, '');

/** By endpoint: a trial for each field and one for all, or that one alone where all are required. */
const TRIALS: Readonly<Record<string, (context: CheckContext, party: Furnished) => readonly MakeTrial[]>> = {
  'POST /account': (context) => [
    (tail) => {
      const lastname = context.uniqueText('lastname') + tail;
      const creation = context.children.sound({ lastname });
      return Promise.resolve({
        body: { ...creation },
        wanted: { lastname },
        send: (write) => context.children.send(creation, write),
        shown: async () => accountOf(context, (await context.children.find(creation)).api),
      });
    },
  ],
  'PATCH /account': (context, { api }) =>
    alonesAndAll(ACCOUNT_FIELDS).map((names) => (tail) => {
      const texts = ACCOUNT_FIELDS.map((name) => [name, context.uniqueText(name) + tail]);
      const email = `${context.uniqueText('email')}+a@example.test`;
      const body = someOf({ ...Object.fromEntries(texts), email }, names);
      return Promise.resolve({ body, wanted: body, shown: () => accountOf(context, api) });
    }),
  'PUT /account/state': (_, { api }) =>
    Object.keys(ACCOUNT_STATES)
      .toReversed()
      .map((state, index, [suspended = '', active = '']) => async () => {
        const shown = async (): Promise<JsonObject> => ({ state: (await api.get('/account/state')).value });
        // What the state gets that the account has already is not printed.
        if ((await shown())['state'] === state) await api.put('/account/state', index === 0 ? active : suspended);
        return { body: state, wanted: { state }, shown };
      }),
  'POST /webhook': (context, { api }) => [
    async (tail) => {
      const plain = newWebhookFields(context, { messages: await oneType(context) });
      const body = { ...plain, url: `${plain.url}?x=1${inAddress(tail)}`, secret: plain.secret + tail };
      return {
        body,
        wanted: body,
        async shown() {
          const made = (await listWebhooks(context, api)).find(({ url }) => url === body.url);
          // An account may have only five.
          if (made) await api.delete(`/webhook/${webhookIdOf(made)}`);
          return made;
        },
      };
    },
  ],
  'PATCH /webhook/{webhook_id}': (context, { api, values }) =>
    alonesAndAll(WEBHOOK_FIELDS).map((names) => async (tail) => {
      const { url, secret } = newWebhookFields(context);
      // It has every type so far.
      const messages = tail === '' ? EVERY_TYPE : await oneType(context);
      const body = someOf({ url: `${url}?x=1${inAddress(tail)}`, secret: secret + tail, messages }, names);
      return {
        body,
        wanted: body,
        shown: async () =>
          (await listWebhooks(context, api)).find((webhook) => String(webhookIdOf(webhook)) === values.webhook_id),
      };
    }),
  'PATCH /download/clients/{download_id_set}': (_, { api, values }) =>
    values.download_id_set === undefined
      ? []
      : [false, true].map(
          (enabled) => () =>
            Promise.resolve({
              body: { enabled },
              wanted: { enabled },
              shown: async () => asRecords((await api.get(`/download/clients/${values.download_id_set}`)).value)?.[0],
            }),
        ),
};
