/**
 * Form bodies: every field that an account shows, sent as a form, does what it does as JSON.
 *
 *   form with a charset ─► what the account shows ─► as sent?   no: and without the charset? And as JSON?
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import type { Content } from '../context/api-client.ts';
import type { CheckContext } from '../context/context.ts';
import { formOf } from '../generate/form-body.ts';
import { bodyRules, hasTrials, tryBody, type BrokenBody, type MakeTrial } from './body-trials.ts';
import { atEndpoint, firstReason, nameOf, type MatrixRule } from './matrix-rule.ts';
import type { Furnished } from './party.ts';

export const FORM_COLUMN = 'every field as a form';

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
      [!hasTrials(endpoint), 'shows its fields at the computer alone'],
      [isForChild !== (endpoint.account === 'child'), 'is judged with those of another kind'],
    );

export const FORM_BODY_RULES = bodyRules('form-bodies', {
  column: FORM_COLUMN,
  titles: [
    'Every endpoint treats a form, field by field, like the same body as JSON',
    'The endpoints for Child Accounts take forms, field by field',
  ],
  whyNot,
  judge: judgeTrial,
});

async function judgeTrial(context: CheckContext, endpoint: Endpoint, party: Furnished, make: MakeTrial): Promise<void> {
  let asJson: Mismatch | undefined;
  for (const tail of TAILS) {
    const attempt = (write: WriteForm): Promise<BrokenBody | undefined> =>
      tryForm(endpoint, party, () => make(tail), write);
    const withCharset = await attempt(asFormWithCharset);
    const broken = withCharset && (await attempt(asForm));
    if (!broken) {
      const what = 'a form with a charset in its Content-Type';
      context.judge('service/form-bodies', atEndpoint(endpoint, what, withCharset?.mismatch));
      context.judge('service/form-same-meaning', undefined);
      return;
    }
    const trial = await make(tail);
    asJson = (await tryBody(endpoint, party, trial, (json) => ({ json })))?.mismatch;
    if (asJson) continue;
    const { isRefused, mismatch } = broken;
    // The row of downloads is printed with a JSON body.
    if (endpoint.returns === 'downloads' && isRefused) {
      context.note(`${nameOf(endpoint)} takes no form: ${mismatch.actual}`);
      return;
    }
    const what = `${Object.keys(trial.wanted).join(', ')} as a form`;
    const clause = isRefused ? 'service/form-bodies' : 'service/form-same-meaning';
    context.judge(clause, atEndpoint(endpoint, what, mismatch));
    return;
  }
  context.require(asJson);
}

type WriteForm = (form: JsonObject) => Content;

const WITH_CHARSET = `${MEDIA_TYPES.form.value}; charset=UTF-8`;
const asForm: WriteForm = (form) => ({ form });
const asFormWithCharset: WriteForm = (form) => ({ headers: [['Content-Type', WITH_CHARSET]], body: formOf(form) });

/** What was wrong with each way of writing it; undefined when one of them was right. */
async function tryForm(
  endpoint: Endpoint,
  party: Furnished,
  make: () => ReturnType<MakeTrial>,
  write: WriteForm,
): Promise<BrokenBody | undefined> {
  let worst: BrokenBody | undefined;
  for (const spell of SPELLINGS) {
    const trial = await make();
    const form = isObject(trial.body) ? spell(trial.body) : undefined;
    if (!form) continue;
    const broken = await tryBody(endpoint, party, trial, () => write(form));
    if (!broken) return undefined;
    if (worst === undefined || worst.isRefused) worst = broken;
  }
  return worst;
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
