import { expect, it } from 'vitest';

import { faultRule } from '../../../../src/common/fault-rule.ts';
import { BAD_DAYS } from '../../../../src/dashboard/faults/bad-days.ts';
import { ruleInWords } from '../../../../src/dashboard/faults/rule-in-words.ts';
import { start } from '../../../../src/workbench/start.ts';

it.each(BAD_DAYS.map((day) => [day.name, day] as const))(
  '%s is made of rules that a workbench takes',
  async (_, day) => {
    await using platen = await start({ port: 0, clock: 'virtual' });
    for (const rule of day.rules) {
      expect(faultRule.safeParse(rule).error).toBeUndefined();
      const answer = await fetch(`${platen.url}/_platen/faults`, { method: 'POST', body: JSON.stringify(rule) });
      expect(answer.status).toBe(201);
    }
  },
);

it.each([
  [{}, ''],
  [{ after: 2 }, 'after 2'],
  [{ after: 0, times: 1 }, 'once'],
  [{ times: 3, probability: 0.2 }, 'at most 3 times, with probability 0.2'],
  [{ for: '1m', with: { delay: '5s' } }, 'for 1m, delay 5s'],
  [{ for: 500 }, 'for 500ms'],
])('says %o as %o', (settings, words) => {
  expect(ruleInWords({ at: 'link/A', fault: 'drop', ...settings })).toBe(words);
});
