/**
 * Bad days: rules that make a whole room misbehave in a way that happens.
 */

import type { FaultView } from '../../record/control-types.ts';

export interface BadDay {
  readonly name: string;
  readonly why: string;
  readonly rules: readonly FaultView['rule'][];
}

export const BAD_DAYS: readonly BadDay[] = [
  {
    name: 'Out of paper at noon',
    why: 'Every printer runs empty after five sheets, and stays so for ten minutes.',
    rules: [{ at: 'printer/*', fault: 'media-empty', after: 5, for: '10m' }],
  },
  {
    name: 'Jam after jam',
    why: 'Every printer jams after its second sheet, for two minutes.',
    rules: [{ at: 'printer/*', fault: 'media-jam', after: 2, for: '2m' }],
  },
  {
    name: 'Weak wireless',
    why: 'A third of the messages are half a second late, and one in fifty cuts the connection.',
    rules: [
      { at: 'link/*', fault: 'latency', probability: 0.3, with: { delay: '500ms' } },
      { at: 'link/*', fault: 'drop', probability: 0.02 },
    ],
  },
  {
    name: 'A client that dies',
    why: 'Programs die around printing: some jobs are reported late, some print twice.',
    rules: [
      { at: 'computer/*', fault: 'crash-after-spooled', probability: 0.1 },
      { at: 'computer/*', fault: 'crash-before-received', probability: 0.1 },
      { at: 'computer/*', fault: 'forget-job', probability: 0.05 },
    ],
  },
  {
    name: 'Scales that lie',
    why: 'Readings get stuck, lose a part of a report, or come in the wrong unit.',
    rules: [
      { at: 'scale/*', fault: 'stuck', probability: 0.2 },
      { at: 'scale/*', fault: 'short-report', probability: 0.1 },
      { at: 'scale/*', fault: 'wrong-unit', probability: 0.1 },
    ],
  },
];
