/** A request is known by its method and path, whatever stands behind them. */

import { describe, expect, it } from 'vitest';

import { endpointFor } from '../../../src/oracle/endpoint-for.ts';
import { ENDPOINTS } from '../../../src/specification/endpoints.ts';

const placesOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('set') ? '1,2' : 'x'));

describe('an endpoint', () => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
    'is known by its request: %s %s',
    (method, path, endpoint) => {
      const asked = placesOf(path);
      for (const end of ['', '/', '?limit=1']) expect(endpointFor(method, asked + end)).toBe(endpoint);
      expect(endpointFor(method, `/x${asked}`)).toBeUndefined();
    },
  );

  it('is not one whose set has no number', () => {
    expect(endpointFor('GET', '/printers/refresh')).toBeUndefined();
  });
});
