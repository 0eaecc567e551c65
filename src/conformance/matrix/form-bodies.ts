/**
 * Form bodies: every field that an account shows, sent as a form, does what it does as JSON.
 *
 *   form ─► what the account shows ─► as sent?   no: is the same taken as JSON? Then the form is at fault.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../spec/clause.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { accountOf } from '../context/account-view.ts';
import type { CheckContext } from '../context/context.ts';
import { EVERY_TYPE, listWebhooks, newWebhookFields, oneType, webhookIdOf } from '../context/webhook-settings.ts';
import { expectSuccess } from '../expect/answer.ts';
import { asRecords, type JsonObject } from '../expect/records.ts';
import { expectThat, sameJson } from '../expect/that.ts';
import { atEndpoint, firstReason, nameOf, type MatrixRule, type MatrixRules } from './matrix-rule.ts';
import { childParty, furnish, ownParty, type Furnished } from './party.ts';
import { pathOf } from './sound-request.ts';

export const FORM_COLUMN = 'every field as a form';

/** A body, and where the account shows what it did. */
interface Trial {
  readonly fields: JsonObject;
  readonly shown: () => Promise<JsonObject | undefined>;
}

/** Makes a new one each time, with this at the end of its texts. */
type MakeTrial = (tail: string) => Promise<Trial>;

/** What a form has to escape. Not every service may take it in a name or an address, so nothing as well. */
const TAILS = ['-a&b=1+2%41', ''] as const;

const whyNot =
  (isForChild: boolean): MatrixRule['whyNot'] =>
  (endpoint) =>
    firstReason(
      [endpoint.body.kind === 'none', 'takes no body'],
      [endpoint.body.kind === 'not shown', 'its body is not shown'],
      [endpoint.body.kind === 'string', 'takes a JSON string, which a form cannot say'],
      [
        endpoint.account === 'integrator',
        'child-accounts/created and child-accounts/keys-and-tags send its fields as a form',
      ],
      [trialsOf[nameOf(endpoint)] === undefined, 'shows its fields at the computer alone'],
      [isForChild !== (endpoint.account === 'child'), 'is judged with those of another kind'],
    );

export const FORM_BODY_RULES: MatrixRules = {
  'matrix/form-bodies': {
    columns: [FORM_COLUMN],
    title: 'Every body does as a form, field by field, what it does as JSON',
    locks: ['account/webhooks', 'account/downloads'],
    whyNot: whyNot(false),
    async judge(context, endpoints) {
      await judgeForms(context, endpoints, await furnish(context, ownParty(context), endpoints));
    },
  },
  'matrix/form-bodies-for-child': {
    columns: [FORM_COLUMN],
    title: 'The endpoints for Child Accounts take forms, field by field',
    needs: ['child-account'],
    whyNot: whyNot(true),
    async judge(context, endpoints) {
      const { child, ...party } = await childParty(context, 'a Child');
      await judgeForms(context, endpoints, await furnish(context, { ...party, api: child.api }, endpoints));
    },
  },
};

/** By endpoint: a trial for each field, or one for all of them where all are required. */
const trialsOf: Readonly<Record<string, (context: CheckContext, party: Furnished) => readonly MakeTrial[]>> = {
  // What a password is, no account shows.
  'PATCH /account': (context, { api }) =>
    ['firstname', 'lastname', 'email', 'creatorRef'].map((name) => async (tail) => {
      const text = context.uniqueText(name);
      const fields = { [name]: name === 'email' ? `${text}+a@example.test` : text + tail };
      return Promise.resolve({ fields, shown: () => accountOf(context, api) });
    }),
  'POST /webhook': (context, { api }) => [
    async (tail) => {
      const plain = newWebhookFields(context, { messages: await oneType(context) });
      const fields = { ...plain, url: `${plain.url}?x=1${tail}`, secret: plain.secret + tail };
      return {
        fields,
        async shown() {
          const made = (await listWebhooks(context, api)).find(({ url }) => url === fields.url);
          // An account has but five.
          if (made) await api.delete(`/webhook/${webhookIdOf(made)}`);
          return made;
        },
      };
    },
  ],
  'PATCH /webhook/{webhook_id}': (context, { api, values }) =>
    (['url', 'secret', 'messages'] as const).map((name) => async (tail) => {
      const { url, secret } = newWebhookFields(context);
      // It has every type so far.
      const messages = tail === '' ? EVERY_TYPE : await oneType(context);
      const fields = { url: `${url}?x=1${tail}`, secret: secret + tail, messages };
      return {
        fields: { [name]: fields[name] },
        shown: async () =>
          (await listWebhooks(context, api)).find((webhook) => String(webhookIdOf(webhook)) === values.webhook_id),
      };
    }),
  'PATCH /download/clients/{download_id_set}': (_, { api, values }) =>
    values.download_id_set === undefined
      ? []
      : [false, true].map(
          (enabled) => async () =>
            Promise.resolve({
              fields: { enabled },
              shown: async () => asRecords((await api.get(`/download/clients/${values.download_id_set}`)).value)?.[0],
            }),
        ),
};

async function judgeForms(context: CheckContext, endpoints: readonly Endpoint[], party: Furnished): Promise<void> {
  for (const endpoint of endpoints) {
    try {
      for (const make of trialsOf[nameOf(endpoint)]?.(context, party) ?? []) {
        await judgeTrial(context, endpoint, party, make);
      }
    } finally {
      const { download_id_set: download } = party.values;
      if (download !== undefined) await party.api.patch(`/download/clients/${download}`, { enabled: true });
    }
  }
}

async function judgeTrial(context: CheckContext, endpoint: Endpoint, party: Furnished, make: MakeTrial): Promise<void> {
  let asJson: Mismatch | undefined;
  for (const tail of TAILS) {
    const broken = await tryForm(endpoint, party, make, tail);
    if (!broken) {
      context.judge('service/form-bodies', undefined);
      context.judge('service/form-same-meaning', undefined);
      return;
    }
    const trial = await make(tail);
    asJson = await tryBody(endpoint, party, { json: trial.fields }, trial).then((found) => found?.[1]);
    if (asJson) continue;
    const [clause, mismatch] = broken;
    // The row of downloads is printed with a JSON body.
    if (endpoint.returns === 'downloads' && clause === 'service/form-bodies') {
      context.note(`${nameOf(endpoint)} takes no form: ${mismatch.actual}`);
      return;
    }
    const what = `${Object.keys(trial.fields).join(', ')} as a form`;
    context.judge(clause, atEndpoint(endpoint, what, mismatch));
    return;
  }
  context.require(asJson);
}

type Broken = readonly [ClauseId, Mismatch];

/** What was wrong with each way of writing it; undefined when one of them was right. */
async function tryForm(
  endpoint: Endpoint,
  party: Furnished,
  make: MakeTrial,
  tail: string,
): Promise<Broken | undefined> {
  let worst: Broken | undefined;
  for (const spell of SPELLINGS) {
    const trial = await make(tail);
    const form = spell(trial.fields);
    if (!form) continue;
    const broken = await tryBody(endpoint, party, { form }, trial);
    if (!broken) return undefined;
    if (worst?.[0] !== 'service/form-same-meaning') worst = broken;
  }
  return worst;
}

async function tryBody(
  endpoint: Endpoint,
  { api, values }: Furnished,
  content: { readonly json?: JsonObject; readonly form?: JsonObject },
  { fields, shown }: Trial,
): Promise<Broken | undefined> {
  const answer = await api.send({ method: endpoint.method, path: pathOf(endpoint, values), ...content });
  const refused = expectSuccess(answer);
  if (refused) return ['service/form-bodies', refused];
  const after = (await shown()) ?? {};
  const seen = Object.fromEntries(Object.keys(fields).map((name) => [name, after[name]]));
  const mismatch = expectThat(sameJson(seen, fields), `what ${answer.request} did`, showValue(fields), seen);
  return mismatch && ['service/form-same-meaning', mismatch];
}

/** How arrays and booleans are written is printed for ApiKeys[] alone. Undefined where it is the way before. */
const SPELLINGS: readonly ((fields: JsonObject) => JsonObject | undefined)[] = [
  (fields) => fields,
  (fields) => {
    const pairs = Object.entries(fields).flatMap(([name, value]): (readonly [string, unknown])[] => {
      if (Array.isArray(value)) return value.map((one: unknown, index) => [`${name}[${index}]`, one]);
      return [[name, typeof value === 'boolean' ? Number(value) : value]];
    });
    return pairs.every(([name, value]) => fields[name] === value) ? undefined : Object.fromEntries(pairs);
  },
];
