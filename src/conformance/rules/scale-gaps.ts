/** What a target does with scales where the specification shows nothing. */

import { isObject } from '../../common/json-value.ts';
import { SCALE_FIELDS } from '../../specification/fields.ts';
import type { Rules } from '../check.ts';
import { followScales } from '../context/scale-feed.ts';
import { connectScales, plainScale, readingsAt, scalePath, scalesPath, simulate } from '../context/scales.ts';
import { gapCheck, seen, shapeOf } from './gap-check.ts';

const LOOKS: Rules = {
  ...gapCheck('gap/simulate-scale-request', [], async ({ api }) => [
    `no body: ${(await api.put('/scale')).status}`,
    `an empty object: ${(await api.put('/scale', {})).status}`,
    `mass: ${(await api.put('/scale', { mass: [1_000_000, null] })).status}`,
    `measurement: ${(await api.put('/scale', { measurement: { kg: 1_000_000 } })).status}`,
  ]),
  ...gapCheck('gap/simulate-scale-response', [], async ({ api, speak }) => {
    const { body } = await speak('simulated-reading');
    return [seen('PUT /scale', await api.put('/scale', body))];
  }),
  ...gapCheck('gap/scale-name-case', ['scale'], async (context) => {
    const { computer, weigh, nameOf } = await connectScales(context, [plainScale('a', { deviceName: 'Weighed' })]);
    await weigh('a');
    const { status } = await context.api.get(scalePath(computer.computerId, nameOf('a').toLowerCase(), 0));
    return [`another case: ${status}`];
  }),
  ...gapCheck('gap/scale-extra-fields', ['scale'], async (context) => {
    const { computer, weigh } = await connectScales(context, [plainScale('a')]);
    await weigh('a');
    const [reading] = await readingsAt(context, scalesPath(computer.computerId));
    const extra = Object.keys(reading ?? {}).filter((key) => !Object.hasOwn(SCALE_FIELDS, key));
    return [extra.length === 0 ? 'no more fields' : extra.join(', ')];
  }),
  ...gapCheck('gap/websocket-protocol', ['websocket'], async (context) => {
    const { target } = context;
    const { value } = await followScales({ target, apiKey: target.apiKey, showFrame: context.showFrame });
    if (!value) return ['other messages than those of docs/scale-websocket.md'];
    await using feed = value;
    await simulate(context);
    const [published] = await feed.waitFor(1);
    const data = isObject(published?.data) ? shapeOf(published.data) : 'nothing';
    return [`those of docs/scale-websocket.md: it publishes ${String(published?.topic)} with ${data}`];
  }),
};

/** The simulated scale is one for the whole account. */
export const SCALE_GAP_RULES: Rules = Object.fromEntries(
  Object.entries(LOOKS).map(([id, rule]) => [id, { ...rule, locks: ['account'] }]),
);
