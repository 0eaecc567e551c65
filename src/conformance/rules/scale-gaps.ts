/** What a target does with scales where the specification shows nothing. */

import { SCALE_FIELDS } from '../../spec/fields.ts';
import type { Rules } from '../check.ts';
import type { Answer } from '../expect/answer.ts';
import type { CheckContext } from '../context/context.ts';
import { followScales } from '../context/scale-feed.ts';
import { connectScales, plainScale, readingsAt, scalesPath } from '../context/scales.ts';
import { isObject } from '../expect/records.ts';
import { expectSuccess } from '../expect/response.ts';
import { gapCheck, seen, shapeOf } from './gap-check.ts';

function simulate({ api }: CheckContext, json?: unknown): Promise<Answer> {
  return api.send({ method: 'PUT', path: '/scale', ...(json === undefined ? {} : { json }) });
}

const LOOKS: Rules = {
  ...gapCheck('gap/simulate-scale-request', [], async (context) => [
    `no body: ${(await simulate(context)).status}`,
    `an empty object: ${(await simulate(context, {})).status}`,
    `mass: ${(await simulate(context, { mass: [1_000_000, null] })).status}`,
    `measurement: ${(await simulate(context, { measurement: { kg: 1_000_000 } })).status}`,
  ]),
  ...gapCheck('gap/simulate-scale-response', [], async (context) => [
    seen('PUT /scale', await simulate(context)),
  ]),
  ...gapCheck('gap/scale-extra-fields', ['scale'], async (context) => {
    const { computer, weigh } = await connectScales(context, [plainScale('a')]);
    await weigh('a');
    const [reading] = await readingsAt(context, scalesPath(computer.computerId));
    const extra = Object.keys(reading ?? {}).filter((key) => !Object.hasOwn(SCALE_FIELDS, key));
    return [extra.length === 0 ? 'no more fields' : extra.join(', ')];
  }),
  ...gapCheck('gap/websocket-protocol', ['websocket'], async (context) => {
    const { target } = context;
    const feed = await followScales({ target, apiKey: target.apiKey });
    if (!feed.value) return ['other messages than those of docs/scale-websocket.md'];
    try {
      context.require(expectSuccess(await simulate(context)));
      const [published] = await feed.value.waitFor(1);
      const data = isObject(published?.data) ? shapeOf(published.data) : 'nothing';
      return [`those of docs/scale-websocket.md: it publishes ${String(published?.topic)} with ${data}`];
    } finally {
      await feed.value.close();
    }
  }),
};

/** The simulated scale is one for the whole account. */
export const SCALE_GAP_RULES: Rules = Object.fromEntries(
  Object.entries(LOOKS).map(([id, rule]) => [id, { ...rule, locks: ['account'] }]),
);
