/**
 * cancel: the caller cancels a job that is not yet delivered.
 */

import { z } from 'zod';

import { showValue } from '../../common/json-value.ts';
import { uses } from '../vocabulary/names.ts';
import { name } from '../vocabulary/schema-types.ts';
import { broken, KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const args = z.strictObject({
  job: name.describe('The job.'),
  cancels: z.boolean().default(true).describe('Whether the service names it among those cancelled.'),
});

export const cancel = stepKind<z.output<typeof args>>({
  about: 'The caller cancels a job. One that is delivered already cannot be cancelled.',
  args,
  summary: ({ job }) => `cancel ${job}`,
  names: ({ job }) => uses('job', job, 'job'),
  async run({ job, cancels }, setup) {
    const ids = setup.jobsNamed(job).map(({ id }) => id);
    const { status, value } = await setup.api.send({ method: 'DELETE', path: `/printjobs/${ids.join(',')}` });
    setup.note(`${job}: cancelling answers ${status} ${showValue(value)}`);
    const named = Array.isArray(value) ? ids.filter((id) => value.includes(id)) : [];
    if (status === 200 && named.length === (cancels ? ids.length : 0)) return KEPT;
    const wanted = cancels ? `200 and ${showValue(ids)}` : '200 and []';
    return broken(`answer to the cancelling of ${job}`, wanted, `${status} ${showValue(value)}`, [job]);
  },
});
