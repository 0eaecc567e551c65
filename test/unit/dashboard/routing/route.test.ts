import { describe, expect, it } from 'vitest';

import { hrefOf, isPage, readRoute, type RouteTo } from '../../../../src/dashboard/routing/route.ts';

describe('the address of a view', () => {
  it.each<[string, RouteTo]>([
    ['/_platen/jobs', { page: 'jobs' }],
    ['/_platen/jobs/7?side=2', { page: 'jobs', id: '7', query: { side: '2' } }],
    ['/_platen/jobs?q=printer%3ALaser', { page: 'jobs', query: { q: 'printer:Laser' } }],
    ['/_platen/runs/a%20b%2Fc', { page: 'runs', id: 'a b/c' }],
    ['/_platen/traffic?show=deliveries', { page: 'traffic', query: { show: 'deliveries' } }],
  ])('is %s, and leads back to it', (href, view) => {
    expect(hrefOf(view)).toBe(href);
    const [pathname = '', search = ''] = href.split('?');
    expect(readRoute(pathname, search)).toEqual({ id: '', query: {}, ...view });
  });

  it('leaves out what is empty', () => {
    expect(hrefOf({ page: 'jobs', query: { q: '', side: undefined } })).toBe('/_platen/jobs');
  });

  it.each(['/_platen/', '/_platen', '/_platen/nothing/here'])('%s is the list of jobs', (pathname) => {
    expect(readRoute(pathname, '').page).toBe('jobs');
  });

  it.each([
    ['/_platen', true],
    ['/_platen/', true],
    ['/_platen/runs/some-run', true],
    ['/_platen/nothing/here', false],
  ])('%s being one is %s', (pathname, is) => {
    expect(isPage(pathname)).toBe(is);
  });

  it('that is badly escaped is taken as it stands', () => {
    expect(readRoute('/_platen/runs/%E0%A4%A', '').id).toBe('%E0%A4%A');
  });
});
