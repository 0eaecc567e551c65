/** What is open about scales. */

import { SCALE_RETENTION_MS } from '../../../src/service/domain/scale-reading.ts';
import { answered, json, objectsWith, refusedWith, type JsonObject } from '../changes.ts';
import type { Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const SCALES = /^\w+ \/(computer\/.*scales?|scale)\b/;
const LISTS = /^GET \/computer\/.*scales/;

export const SCALE_DIMENSIONS: Dimensions = {
  'simulate-scale-response': {
    where: 'gap/simulate-scale-response',
    question: 'What does PUT /scale return?',
    reference: 'the scale data',
    values: {
      '204': answered(/^PUT \/scale/, 204),
      '202 with true': answered(/^PUT \/scale/, 202, true),
      '200 with an object': answered(/^PUT \/scale/, 200, { queued: 1 }),
    },
  },
  'simulate-scale-request': {
    where: 'gap/simulate-scale-request',
    question: 'What is the body of PUT /scale?',
    reference: 'none is needed',
    values: {
      'an object is needed': {
        rewrite: ({ method, path, body }) =>
          method === 'PUT' && path === '/scale' && body.length === 0 ? refused(400, 'BodyMissing') : undefined,
      },
    },
  },
  'scale-fields': {
    where: 'gap/scale-extra-fields',
    question: 'Which fields does scale data have beyond the printed ones?',
    reference: 'product',
    values: {
      none: objectsWith(SCALES, 'deviceNum', () => ({ product: undefined })),
      'a serial number and a status': objectsWith(SCALES, 'deviceNum', () => ({ serial: 'A-1', status: 'stable' })),
    },
  },
  'scale-times': {
    where: 'scales/field-client-reported-create-timestamp',
    question: 'How is clientReportedCreateTimestamp written?',
    reference: 'as ISO 8601 with milliseconds',
    values: {
      'in microseconds': objectsWith(SCALES, 'clientReportedCreateTimestamp', (data) => ({
        clientReportedCreateTimestamp: String(data['clientReportedCreateTimestamp']).replace('Z', '000Z'),
      })),
      'in the basic format': objectsWith(SCALES, 'clientReportedCreateTimestamp', (data) => ({
        clientReportedCreateTimestamp: String(data['clientReportedCreateTimestamp']).replaceAll(/[-:]/g, ''),
      })),
      'with a blank between day and time': objectsWith(SCALES, 'clientReportedCreateTimestamp', (data) => ({
        clientReportedCreateTimestamp: String(data['clientReportedCreateTimestamp']).replace('T', ' '),
      })),
    },
  },
  'scale-order': {
    where: 'scales/list',
    question: 'In what order do scales stand in a list?',
    reference: 'by name and number',
    values: { 'the other way round': json(LISTS, (readings: readonly JsonObject[]) => readings.toReversed()) },
  },
  'scale-sweep': {
    where: 'limits/scale-retention',
    question: 'When is data deleted that is 45 seconds old?',
    reference: 'at once',
    values: {
      'by a sweep twice a second': {
        rules: () => ({ isReadingRetained: (createdMs, nowMs) => nowMs - createdMs < SCALE_RETENTION_MS + 450 }),
      },
    },
  },
  'scale-missing': {
    where: 'gap/error-codes',
    question: 'Which code does a scale get that has no data?',
    reference: 'NotFound',
    values: { ScaleNotFound: refusedWith(/^GET \/computer\/.*scale\//, 404, [404, 'ScaleNotFound']) },
  },
};
