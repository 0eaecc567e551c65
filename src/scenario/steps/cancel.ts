/**
 * cancel: the caller cancels a job that is not yet delivered.
 */

import { z } from 'zod';

import { showValue } from '../../common/json-value.ts';
import { isPatientFor } from '../vocabulary/answers.ts';
import { uses } from '../vocabulary/names.ts';
import { name } from '../vocabulary/schema-types.ts';
import { broken, KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const args = z.strictObject({
  job: name.describe('The job.'),
  cancels: z
    .union([z.boolean(), z.literal('any')])
    .default(true)
    .describe('Whether the service names it among those cancelled; `any` if either will do.'),
});

export const cancel = stepKind<z.output<typeof args>>({
  about: 'The caller cancels a job. One that is delivered already cannot be cancelled.',
  args,
  summary: ({ job }) => `cancel ${job}`,
  names: ({ job }) => uses('job', job, 'job'),
  async run({ job, cancels }, setup) {
    const ids = setup.jobsNamed(job).map(({ id }) => id);
    // A set without ids would be another request.
    if (ids.length === 0)
      return cancels === 'any' ? KEPT : broken(job, 'a job to cancel', 'it was not accepted', [job]);
    const path = `/printjobs/${ids.join(',')}`;
    const { status, value } = await setup.api.send({
      method: 'DELETE',
      path,
      isPatient: isPatientFor('success', setup),
    });
    setup.note(`${job}: cancelling answers ${status} ${showValue(value)}`);
    const named = Array.isArray(value) ? ids.filter((id) => value.includes(id)) : [];
    if (cancels === 'any') return KEPT;
    if (status === 200 && named.length === (cancels ? ids.length : 0)) return KEPT;
    const wanted = cancels ? `200 and ${showValue(ids)}` : '200 and []';
    return broken(`answer to cancelling ${job}`, wanted, `${status} ${showValue(value)}`, [job]);
  },
});
