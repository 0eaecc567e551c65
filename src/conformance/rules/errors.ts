/** Checks of refused bodies. The error object itself is looked at in every-response.ts. */

import * as fc from 'fast-check';

import { ERRORS } from '../../specification/errors.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import {
  expectBody,
  expectError,
  expectErrorObject,
  expectIds,
  expectRefusal,
  expectStatus,
  type Answer,
} from '../expect/answer.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { ifOffered } from '../context/check-ended.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { answerToDefect } from '../context/rejection.ts';
import { isId } from '../expect/records.ts';
import { firstOf } from '../expect/that.ts';
import { spellJson } from '../generate/json-spellings.ts';

const JSON_TYPE = [['Content-Type', MEDIA_TYPES.json.value]] as const;

function submission(body: Uint8Array | string): ApiRequest {
  return { method: 'POST', path: '/printjobs', headers: JSON_TYPE, body };
}

export const ERROR_RULES: Rules = {
  'errors/invalid-content': {
    title: 'A body that cannot be parsed gets 400 InvalidContent',
    needs: ['printer'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const whole = JSON.stringify(jobBody(printerId));
      const doubled = await answerToDefect(context, submission(whole), () => submission(`${whole}}`));
      const text = await context.api.send(submission('print this, please'));
      const more = await context.api.send(submission(`${whole} and more`));
      const comma = await context.api.send(submission(`${whole.slice(0, -1)},}`));
      const refusals = [doubled, text, more, comma].map((answer) => expectError(answer, ERRORS.InvalidContent));
      judge('errors/invalid-content', firstOf(...refusals));
      const truncated = await context.api.send(submission(whole.slice(0, -10)));
      judge('errors/invalid-content-truncated', expectError(truncated, ERRORS.InvalidContent));
      const noUtf8 = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]);
      const encoding = await context.api.send(submission(noUtf8));
      judge('errors/invalid-content-encoding', expectRefusal(encoding));
    },
  },
  'errors/invalid-content-does-nothing': {
    title: 'A submission refused with InvalidContent creates no job',
    needs: ['computer'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const refused = await context.api.send(submission(`${JSON.stringify(jobBody(printerId))} and more`));
      context.require(expectRefusal(refused));
      const list = await context.api.get(`/printers/${printerId}/printjobs`);
      await submit(context, jobBody(printerId));
      context.judge('errors/invalid-content-does-nothing', expectIds(list, []));
    },
  },
  'errors/valid-content': {
    title: 'Unusual but valid JSON is accepted',
    needs: ['printer'],
    async run({ computers, property, api, judge }) {
      const { printerId } = await computers.away();
      const mismatch = await property({
        inputs: fc.record({
          title: fc.string({ unit: 'grapheme', maxLength: 40 }),
          space: fc.constantFrom('', ' ', '\n', '\t', ' \r\n '),
          escapes: fc.boolean(),
        }),
        judge: async ({ title, ...spelling }) => {
          const body = spellJson(jobBody(printerId, { title }), spelling);
          const answer = await api.send(submission(body));
          return expectStatus(answer, 201) ?? expectBody(answer, 'the id of the job', isId);
        },
      });
      judge('errors/valid-content-accepted', mismatch);
    },
  },
  'errors/body-too-large': {
    title: 'A body of more than 50 MB gets 413, with the error object',
    needs: ['large-body'],
    locks: ['account/webhooks'],
    async run({ api, judge }) {
      // A megabyte may be meant as 2^20 bytes; this is more either way.
      const bytes = LIMITS.requestBodyMegabytes.value * 1024 * 1024 + 1;
      // The check body-size/refused covers POST /printjobs.
      const body = `"${'x'.repeat(bytes - 2)}"`;
      const sendTo = (path: string): Promise<Answer> => api.send({ ...submission(body), path });
      const answer = (await ifOffered(sendTo('/webhook'))) ?? (await sendTo('/account'));
      judge('limits/body-over-refused', expectRefusal(answer));
      judge('errors/body-too-large', expectStatus(answer, ERRORS.BodyTooLarge.status));
      judge('errors/body-too-large-object', expectErrorObject(answer));
    },
  },
};
