import { expect, test } from 'vitest';

import { requestName } from '../../../src/common/request-name.ts';

test('a request is named by its method and its whole path', () => {
  expect(requestName({ method: 'GET', path: '/printers/7?limit=2' })).toBe('GET /printers/7?limit=2');
});

test('a path of hundreds of ids keeps its two ends', () => {
  const ids = Array.from({ length: 300 }, (_, index) => 7_000_000_000_000 + index);
  const name = requestName({ method: 'DELETE', path: `/printers/${ids.join(',')}/printjobs/150` });
  expect(name).toMatch(/^DELETE \/printers\/7000000000000,.*….*,7000000000299\/printjobs\/150$/);
  expect(name.length).toBeLessThan(180);
});
