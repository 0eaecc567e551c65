import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeWeighingReport, encodeWeighingReport } from '../../../../src/devices/scale/hid-report.ts';
import { weighingReports } from '../../../support/weighing-reports.ts';

describe('a weighing report', () => {
  it("has status, unit, exponent in two's complement and weight, low byte first", () => {
    const bytes = Buffer.from('03040bff3419', 'hex');
    const report = { reportId: 3, status: 'stable', unit: 'ounce', exponent: -1, weight: 6452 } as const;
    expect(decodeWeighingReport(bytes)).toEqual({ ok: true, value: report });
    expect(Buffer.from(encodeWeighingReport(report))).toEqual(bytes);
  });

  it('comes back from its bytes as it went in', () => {
    fc.assert(
      fc.property(weighingReports, (report) => {
        expect(decodeWeighingReport(encodeWeighingReport(report))).toEqual({ ok: true, value: report });
      }),
    );
  });

  it.each([
    ['is too short', '03 04 02 00 14', 'a weighing report has 6 bytes, not 5'],
    ['has the id of another report', '05 04 02 00 14 00', 'report id 5 is not that of a scale data report'],
    ['has a reserved status', '03 09 02 00 14 00', 'status 9 is not in the tables'],
    ['has a reserved unit', '03 04 0d 00 14 00', 'unit 13 is not in the tables'],
  ])('is refused when it %s', (_, hex, error) => {
    expect(decodeWeighingReport(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual({ ok: false, error });
  });

  it.each([
    ['weight', { weight: 0x1_0000 }],
    ['weight', { weight: -1 }],
    ['weight', { weight: 0.5 }],
    ['exponent', { exponent: 128 }],
    ['exponent', { exponent: -129 }],
  ])('has no room for a %s of %o', (what, change) => {
    const report = {
      reportId: 3,
      status: 'stable',
      unit: 'gram',
      exponent: 0,
      weight: 0,
      ...change,
    } as const;
    expect(() => encodeWeighingReport(report)).toThrow(`a report has no room for ${what}`);
  });
});
