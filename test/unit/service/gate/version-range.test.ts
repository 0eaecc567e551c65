import { describe, expect, it } from 'vitest';

import { satisfies } from '../../../../src/service/gate/version-range.ts';
import { runService } from '../../../support/running-service.ts';

describe('a range of versions', () => {
  it.each([
    ['', '1.2.3'],
    ['*', '0.0.1'],
    ['x', '9.9.9'],
    ['1', '1.9.0'],
    ['1.x', '1.0.0'],
    ['1.2.*', '1.2.9'],
    ['v1.2.3', '1.2.3'],
    ['=1.2.3', '1.2.3'],
    ['1.2.3+build.5', '1.2.3'],
    ['~1.2.3', '1.2.9'],
    ['~1', '1.9.9'],
    ['^1.2', '1.9.0'],
    ['^0.2.3', '0.2.9'],
    ['^0.0', '0.0.9'],
    ['^0', '0.9.0'],
    ['>=1.0.0-beta', '1.0.0'],
    ['>1.0.0-beta', '1.0.0'],
    ['>= 1.0 < 2', '1.5.0'],
    ['1.0 - 1.2', '1.2.9'],
    ['2 || 1', '1.0.0'],
    ['>1', '2.0.0'],
    ['<=1', '1.9.9'],
  ])("'%s' has %s", (range, version) => {
    expect(satisfies(version, range)).toBe(true);
  });

  it.each([
    ['2', '1.9.9'],
    ['1.2.3', '1.2.4'],
    ['~1.2.3', '1.3.0'],
    ['~1.2.3', '1.2.2'],
    ['^1.2.3', '2.0.0'],
    ['^0.2.3', '0.3.0'],
    ['^0.0.3', '0.0.4'],
    ['>1', '1.9.9'],
    ['<1.0.0-beta', '1.0.0'],
    ['=1.0.0-beta', '1.0.0'],
    ['>=1 <1.5', '1.5.0'],
    ['1.0 - 1.2', '1.3.0'],
    ['<*', '1.0.0'],
    ['>*', '1.0.0'],
    ['2 || 3', '1.0.0'],
  ])("'%s' has no %s", (range, version) => {
    expect(satisfies(version, range)).toBe(false);
  });

  it.each(['latest', '1.2.3.4', '>', '1 - 2 - 3', '^^1', '1.0 -', ' '.repeat(100_000) + '-', '1 || new'])(
    '%j is none',
    (range) => {
      expect(satisfies('1.0.0', range)).toBeUndefined();
    },
  );
});

describe('Accept-Version', () => {
  it('is served when this version is in the range, and refused when it is not', async () => {
    await using service = await runService();
    for (const [range, status] of [
      ['1.0.0', 200],
      ['~1.0', 200],
      ['>=1', 200],
      ['*', 200],
      ['2', 400],
      ['newest', 400],
    ] as const) {
      const answer = await service.call('GET', '/noop', { headers: { 'Accept-Version': range } });
      expect({ range, status: answer.status }).toEqual({ range, status });
    }
  });

  it('set to the version that the service shows is served', async () => {
    await using service = await runService();
    const shown = String((await service.call('GET', '/noop')).headers['api-version']);
    expect((await service.call('GET', '/noop', { headers: { 'Accept-Version': shown } })).status).toBe(200);
  });
});
