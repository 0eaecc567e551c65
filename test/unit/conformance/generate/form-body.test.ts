import { expect, it } from 'vitest';

import { formOf, objectOf } from '../../../../src/conformance/generate/form-body.ts';
import { submittedJob } from '../../../../src/link/submitted-job.ts';

it('reads an object again that was written as a form, with strings for values', () => {
  const job = { printerId: 7, title: 'a & b=c', qty: 2, options: { copies: 3, paper: 'A4' } };
  expect(objectOf(formOf(job))).toEqual({
    printerId: '7',
    title: 'a & b=c',
    qty: '2',
    options: { copies: '3', paper: 'A4' },
  });
});

it('knows a job that was submitted as a form like one of JSON', () => {
  const job = { printerId: 7, title: 'Label', contentType: 'raw_base64', content: 'Wg==', qty: 2, options: {} };
  expect(submittedJob(1, objectOf(formOf(job)))).toEqual(submittedJob(1, job));
});
