/** Effects of scales: what lies on one is read by the account of its computer, and what is simulated by the account. */

import { isObject } from '../../../common/json-value.ts';
import { VIRTUAL_SCALE } from '../../../specification/fields.ts';
import { LIMITS } from '../../../specification/limits.ts';
import type { CheckContext } from '../../context/context.ts';
import { connectScales, massOf, plainScale, PLAIN_MICROGRAMS, scalePath } from '../../context/scales.ts';
import { expectStatus, expectSuccess } from '../../expect/answer.ts';
import { asRecords } from '../../expect/records.ts';
import { expectEqual } from '../../expect/that.ts';
import { pathOf } from '../sound-request.ts';
import type { Caller } from './caller.ts';
import type { Effect, OpenPart, Part } from './effect.ts';
import { lazily } from './lazily.ts';

export const SCALES: Part = {
  id: 'scales',
  title: 'Every path returns the scale’s weight, including a simulated one',
  needs: ['scale'],
  holds: ['simulated-scale', 'computers'],
  has: ({ family }) => family === 'scales',
  open: openScales,
};

const { computerId: HERE, deviceName: NAME, deviceNum: NUMBER } = VIRTUAL_SCALE;
const SIMULATED = scalePath(HERE.value, NAME.value, NUMBER.value);
/** Longer than a reading is kept. */
const UNTIL_GONE_MS = (LIMITS.scaleRetentionSeconds.value + 1) * 1_000;

function openScales(whole: CheckContext, { api, owner }: Caller): OpenPart {
  const context: CheckContext = { ...whole, api };
  const weighed = lazily(async () => {
    const deviceName = `A scale ${context.naming.hex(6)}`;
    const withScale = await connectScales(context, [plainScale('a', { deviceName })], { owner: await owner() });
    await withScale.weigh('a');
    return { computerId: withScale.computer.computerId, deviceName: withScale.nameOf('a') };
  });
  const judgeReadings: Effect = async (judge, endpoint) => {
    const { computerId, deviceName } = await weighed();
    const values = { computer_id: String(computerId), device_name: deviceName, device_number: '0' };
    const answer = await api.get(pathOf(endpoint, values));
    const readings = asRecords(answer.value) ?? [answer.value].filter(isObject);
    const masses = readings.map(massOf);
    const clause = endpoint.returns === 'reading' ? 'scales/read-one' : 'scales/list';
    judge(
      clause,
      expectStatus(answer, 200),
      expectEqual(`mass in the body of ${answer.request}`, masses, [PLAIN_MICROGRAMS]),
    );
    const ids = readings.map((reading) => reading['computerId']);
    judge('scales/field-computer-id', expectEqual(`computerId in the body of ${answer.request}`, ids, [computerId]));
  };
  return {
    effects: {
      'GET /computer/{computer_id}/scales': judgeReadings,
      'GET /computer/{computer_id}/scales/{device_name}': judgeReadings,
      'GET /computer/{computer_id}/scale/{device_name}/{device_number}': judgeReadings,
      'PUT /scale': async (judge) => {
        const { body } = await context.speak('simulated-reading');
        const isThere = (await api.get(SIMULATED)).status === 200;
        if (isThere && context.target.timekeeper.isVirtual) await context.elapse(UNTIL_GONE_MS);
        judge('scales/simulate', expectSuccess(await api.put('/scale', body)));
        judge('scales/simulate-queryable', expectStatus(await api.get(SIMULATED), 200));
      },
    },
  };
}
