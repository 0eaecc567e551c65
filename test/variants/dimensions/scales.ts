/** What is open about scales. */

import { SCALE_RETENTION_MS } from '../../../src/service/domain/scale-reading.ts';
import { answered, json, objectsWith, refusedWith, type JsonObject } from '../changes.ts';
import { decides, type Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const SCALES = /^\w+ \/(computer\/.*scales?|scale)\b/;
const LISTS = /^GET \/computer\/.*scales/;

export const SCALE_DIMENSIONS: Dimensions = {
  'simulate-scale-response': decides('gap/simulate-scale-response', 'What does PUT /scale return?', 'the scale data', {
    '204': answered(/^PUT \/scale/, 204),
    '202 with true': answered(/^PUT \/scale/, 202, true),
    '200 with an object': answered(/^PUT \/scale/, 200, { queued: 1 }),
  }),
  'simulate-scale-request': decides('gap/simulate-scale-request', 'What is the body of PUT /scale?', 'none is needed', {
    'an object is needed': {
      rewrite: ({ method, path, body }) =>
        method === 'PUT' && path === '/scale' && body.length === 0 ? refused(400, 'BodyMissing') : undefined,
    },
  }),
  'scale-fields': decides(
    'gap/scale-extra-fields',
    'Which fields does scale data have beyond the printed ones?',
    'product',
    {
      none: objectsWith(SCALES, 'deviceNum', () => ({ product: undefined })),
      'a serial number and a status': objectsWith(SCALES, 'deviceNum', () => ({ serial: 'A-1', status: 'stable' })),
    },
  ),
  'scale-times': decides(
    'scales/field-client-reported-create-timestamp',
    'How is clientReportedCreateTimestamp written?',
    'as ISO 8601 with milliseconds',
    {
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
  ),
  'scale-order': decides('scales/list', 'In what order do scales stand in a list?', 'by name and number', {
    'the other way round': json(LISTS, (readings: readonly JsonObject[]) => readings.toReversed()),
  }),
  'scale-sweep': decides('limits/scale-retention', 'When is data deleted that is 45 seconds old?', 'at once', {
    'by a sweep twice a second': {
      rules: () => ({ isReadingRetained: (createdMs, nowMs) => nowMs - createdMs < SCALE_RETENTION_MS + 450 }),
    },
  }),
  'scale-missing': decides('gap/error-codes', 'Which code does a scale get that has no data?', 'NotFound', {
    ScaleNotFound: refusedWith(/^GET \/computer\/.*scale\//, 404, [404, 'ScaleNotFound']),
  }),
};
