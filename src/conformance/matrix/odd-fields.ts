/**
 * Odd bodies at every endpoint that takes one: a value of a wrong type in each field, a field that is not printed, a
 * body of another kind, and one that cannot be parsed. What a service takes of them is a gap. That it never answers
 * with a fault of its own is not, and nor is that what it refuses does nothing.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Endpoint, FieldType } from '../../specification/clause.ts';
import { ERRORS } from '../../specification/errors.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import type { ApiClient, ApiRequest } from '../context/api-client.ts';
import type { Creation } from '../context/children.ts';
import { ifOffered } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { listWebhooks, webhookIdOf } from '../context/webhook-settings.ts';
import { expectError, expectNo5xx } from '../expect/answer.ts';
import { firstReason, nameOf, type MatrixRule, type MatrixRules } from './matrix-rule.ts';
import { enableDownload, furnish, ownParty, type Party } from './party.ts';
import { judgeRefusals, type Stage, type Trial } from './refusals.ts';
import { isMissing, soundRequest, type Values } from './sound-request.ts';

const WRONG: Readonly<Partial<Record<FieldType, readonly unknown[]>>> = {
  string: [7, { x: 1 }, ['x'], null],
  integer: ['x', 1.5, { x: 1 }, [1], null],
  boolean: ['x', 7, {}, null],
  object: ['x', 7, ['x']],
  'array of strings': ['x', 7, { x: 1 }, [7], [{}], null],
};

const OTHER_KINDS: readonly unknown[] = [[], [7], 7, true, null];
const UNKNOWN_FIELD = { unheardOf: { nested: [1, null] } };

const COLUMNS = ['wrong types and unknown fields', 'bodies that cannot be parsed'] as const;

const whyNot =
  (isForChild: boolean): MatrixRule['whyNot'] =>
  ({ body, account }) =>
    firstReason(
      [body.kind === 'none', 'takes no body'],
      [body.kind === 'not shown', 'its body is not shown'],
      [isForChild !== (account !== 'caller'), 'is judged with those of another kind'],
    );

export const ODD_FIELD_RULES: MatrixRules = {
  'matrix/odd-fields': {
    columns: COLUMNS,
    title: 'No odd body causes a 5xx, an unparsable one gets InvalidContent, and a refused one does nothing',
    locks: ['account'],
    whyNot: whyNot(false),
    judge: (context, endpoints) => judgeBodies(context, endpoints, (some) => openOwn(context, some)),
  },
  'matrix/odd-fields-for-child': {
    columns: COLUMNS,
    title: 'The endpoints for Child Accounts answer odd bodies correctly, and a refused one does nothing',
    needs: ['child-account'],
    locks: ['account'],
    whyNot: whyNot(true),
    judge: (context, endpoints) => judgeBodies(context, endpoints, () => openChild(context)),
  },
};

async function judgeBodies(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  open: (endpoints: readonly Endpoint[]) => Promise<Stage>,
): Promise<void> {
  if (!context.target.timekeeper.isVirtual) context.note('one value of a wrong type is tried for each field');
  await judgeRefusals(context, endpoints, { open, nothing: 'service/body-refused-does-nothing', mayTake: true });
}

async function openOwn(context: CheckContext, endpoints: readonly Endpoint[]): Promise<Stage> {
  const party = await furnish(context, ownParty(context), endpoints);
  const { api, values } = party;
  const webhookIds = async () => ((await ifOffered(listWebhooks(context))) ?? []).map(webhookIdOf);
  const own = new Set(await webhookIds());
  return {
    watched: [{ party, paths: [] }],
    trials: (endpoint) => oddBodies(context, endpoint, () => api, values),
    async restore() {
      const made = (await webhookIds()).filter((id) => !own.has(id));
      // An account may have only five.
      for (const id of made) await api.delete(`/webhook/${id}`);
      await enableDownload(party);
    },
  };
}

async function openChild(context: CheckContext): Promise<Stage> {
  const { api, children } = context;
  const child = await children.create();
  const party: Party = { title: 'a Child', api: child.api, owner: child, isDisposable: true };
  // An account that is made after all has to be removed.
  const creating = (sound: unknown): ApiClient => ({
    ...api,
    send: (request) => {
      const creation = [request.json, sound].find(isCreation);
      return creation ? children.send(creation, () => request) : api.send(request);
    },
  });
  return {
    watched: [
      { party: ownParty(context), paths: [] },
      { party, paths: ['/account/state'] },
    ],
    trials: (endpoint) =>
      oddBodies(context, endpoint, endpoint.account === 'integrator' ? creating : () => child.api, {}),
    restore: () => child.api.put('/account/state', 'active'),
  };
}

function isCreation(json: unknown): json is Creation {
  return isObject(json) && isObject(json['Account']);
}

async function oddBodies(
  context: CheckContext,
  endpoint: Endpoint,
  apiFor: (sound: unknown) => ApiClient,
  values: Values,
): Promise<readonly Trial[]> {
  if (isMissing(endpoint, values)) return [];
  const trials: Trial[] = [];
  for (const { what, change, expected } of oddOf(context, endpoint)) {
    // A new one for each: names that one of them took would have the next refused.
    const sound = await soundRequest(context, endpoint, values);
    trials.push({ what, api: apiFor(sound.json), request: { ...sound, ...change(sound.json) }, expected });
  }
  return trials;
}

interface Odd extends Pick<Trial, 'what' | 'expected'> {
  readonly change: (sound: unknown) => Pick<ApiRequest, 'headers' | 'body' | 'json'>;
}

function oddOf(context: CheckContext, endpoint: Endpoint): readonly Odd[] {
  const answered: Trial['expected'] = [['service/no-5xx-on-bad-input', expectNo5xx]];
  return [
    ...oddFields(context, endpoint).map(([what, json]): Odd => ({
      what,
      change: (sound) => ({ json: json(sound) }),
      expected: answered,
    })),
    ...OTHER_KINDS.map((json): Odd => ({ what: JSON.stringify(json), change: () => ({ json }), expected: answered })),
    ...noJson(context, endpoint).map(([what, spoil]): Odd => ({
      what,
      change: (sound) => ({
        json: undefined,
        headers: [['Content-Type', MEDIA_TYPES.json.value]],
        body: spoil(JSON.stringify(sound)),
      }),
      expected: [['errors/invalid-content', (answer) => expectError(answer, ERRORS.InvalidContent)]],
    })),
  ];
}

type Spoil = (json: string) => string;

/** What a careless reader makes a value of. */
const NO_JSON: Readonly<Record<string, Spoil>> = {
  'a body that is cut off': (json) => json.slice(0, -1),
  'a body with more after its value': (json) => `${json} and more`,
  'a body that lacks its first and last character': (json) => json.slice(1, -1),
};

/** What is valid in JavaScript or in other notations, and is no JSON. */
const NEARLY_JSON: Readonly<Record<string, Spoil>> = {
  'a body with NaN': (json) => (json.startsWith('{') ? `{"unheardOf":NaN,${json.slice(1)}` : 'NaN'),
  'a body with a comment': (json) => `// a comment\n${json}`,
  'a body with single quotes': (json) => json.replaceAll('"', "'"),
  'a body with a bare tab in a text': (json) => json.replace('"', '"\t'),
};

/** One reader reads all bodies of most services: on a real clock what is nearly JSON is tried on one endpoint. */
function noJson({ target }: CheckContext, endpoint: Endpoint): readonly (readonly [what: string, spoil: Spoil])[] {
  const isTried = target.timekeeper.isVirtual || nameOf(endpoint) === 'POST /printjobs';
  return [NO_JSON, isTried ? NEARLY_JSON : {}].flatMap(Object.entries<Spoil>);
}

function oddFields(
  { target, random }: CheckContext,
  { body }: Endpoint,
): readonly (readonly [what: string, json: (sound: unknown) => unknown])[] {
  if (body.kind !== 'fields') return [];
  const wrong = Object.entries(body.fields).flatMap(([name, { type }]) => {
    const values = WRONG[type] ?? [];
    const tried = target.timekeeper.isVirtual || values.length === 0 ? values : [random.stream(name).pick(values)];
    return tried.map(
      (value) => [`${JSON.stringify(value)} as ${name}`, (sound: unknown) => withField(sound, name, value)] as const,
    );
  });
  return [...wrong, ['an unknown field', (sound) => ({ ...fieldsOf(sound), ...UNKNOWN_FIELD })]];
}

const fieldsOf = (sound: unknown): JsonObject => (isObject(sound) ? sound : {});

/** `Account[email]` is the email in Account, and `ApiKeys[]` all of ApiKeys. */
function withField(sound: unknown, name: string, value: unknown): JsonObject {
  const json = fieldsOf(sound);
  const [, outer = name, inner = ''] = /^(\w+)\[(\w*)\]$/.exec(name) ?? [];
  const object = json[outer];
  return { ...json, [outer]: inner !== '' && isObject(object) ? { ...object, [inner]: value } : value };
}
