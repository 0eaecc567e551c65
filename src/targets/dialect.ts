/**
 * Dialect: how a target answers what the specification leaves open and a check must nevertheless presume. A descriptor
 * may give answers; src/conformance/dialect asks for those that a run needs.
 *
 * A place in an answer is written with dots: `ApiKeys.{name}`, `keys.0.value`; `.` is the whole body.
 */

import { z } from 'zod';

const place = z.string().min(1);
/** Not as JSONPath writes it, which would be taken for the name of a key and found nowhere. */
const placeInRecord = place.refine((path) => !/^\$\.|\[/.test(path), {
  error: 'must be written with dots alone, such as `job.number`: neither `$.` nor brackets',
});
const answered = z.enum(['answered', 'refused']);
const taken = z.enum(['taken', 'refused']);

/** Between places of which each has a part of what is asked for. */
export const OR = ' or ';

function isNesting(places: string): boolean {
  return places
    .split(OR)
    .map((one) => one.split('.'))
    .every((parts) =>
      ['{statistic}', '{measure}'].every((name) => parts.some((part) => part.split('=').at(-1) === name)),
    );
}

/** The shape of each answer, by question. */
export const DIALECT_ANSWERS = {
  'greatest-limit': z
    .strictObject({ most: z.int().min(1), above: z.enum(['cut', 'refused', 'taken']) })
    .describe('greatest `limit` of a list, and what happens with a larger one'),
  'after-unlisted': taken.describe('whether `after` may be an id that is not in the list'),
  'new-account-keys': place.describe(
    'where POST /account answers the key called `{name}`; `GET .` or the like where only GET /account/apikey/{description} does',
  ),
  'new-key': place.describe(
    'where POST /account/apikey/{description} answers the key; `GET .` or the like where only its GET does',
  ),
  'api-key-body': z
    .enum(['none', 'empty-json', 'empty-object'])
    .describe('body of POST /account/apikey/{description}; `empty-json`: none, with the Content-Type of JSON'),
  'tag-body': z
    .enum(['json-string', 'object', 'text'])
    .describe('body of POST /account/tag/{name}: a JSON string, `{"value": …}`, or text/plain'),
  'tag-value': place.describe('where GET /account/tag/{name} answers the value'),
  suspension: z
    .strictObject({ ownKey: answered, whoami: answered, reads: answered })
    .describe(
      'what still works of a suspended Child Account: its own key; GET /whoami and other reads by its Integrator',
    ),
  'job-id': placeInRecord.describe('where a record of a print job has its id: `number`, or `job.number` of one inside'),
  'download-id': placeInRecord.describe('where a record of a client download has its id, written as `job-id` is'),
  'cancelled-job': z
    .strictObject({ listed: z.boolean(), state: z.string().nullable() })
    .describe('whether a cancelled job stays in lists, and the state it takes; null without states'),
  'least-expire-after': z.int().min(1).describe('least `expireAfter` of a print job, in seconds'),
  'options-outside-capabilities': taken.describe('whether a job with such options is accepted'),
  'states-shape': z
    .enum(['array-of-arrays', 'flat-array', 'object-by-id'])
    .describe('how the states of several print jobs are arranged'),
  'states-paging': z
    .strictObject({ limit: z.boolean(), after: z.boolean(), dir: z.boolean() })
    .describe('which page parameters work on states of print jobs'),
  'statistics-nesting': place
    .refine(isNesting, {
      error:
        'must name {statistic} and {measure}, each as a separate part: only how they are nested is open, such as `{measure}.{statistic}`, or of a list `{statistic}.name={measure}.value`',
    })
    .describe(
      'where a webhook has a measure: `{statistic}.{measure}` or another place; several with ` or ` between them',
    ),
  'message-types': z
    .strictObject({ 'computer state': z.string().min(1), 'print job state': z.string().min(1) })
    .describe('how `messages` of a webhook spells the types of events'),
  'simulated-reading': z
    .strictObject({ body: z.unknown().optional() })
    .describe('JSON body of PUT /scale; none where it is left out'),
} as const;

export type QuestionId = keyof typeof DIALECT_ANSWERS;

export type Dialect = { readonly [Id in QuestionId]: z.infer<(typeof DIALECT_ANSWERS)[Id]> };

export const dialectSchema = z.strictObject(DIALECT_ANSWERS).partial();

/** Answers that are known before anything is asked. */
export type GivenDialect = { readonly [Id in QuestionId]?: Dialect[Id] | undefined };
