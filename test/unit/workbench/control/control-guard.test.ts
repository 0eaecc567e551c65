import { expect, it } from 'vitest';

import { isLoopbackName, refusalOf } from '../../../../src/workbench/control/control-guard.ts';

const ON_LOOPBACK = { token: undefined };
const EXPOSED = { token: 'secret-token' };

it.each(['localhost:8631', '127.0.0.1:8631', '127.0.0.1', '127.1.2.3:80', '[::1]:8631', 'workbench.localhost:80'])(
  'lets requests to %s pass',
  (host) => {
    expect(refusalOf({ host }, ON_LOOPBACK)).toBeUndefined();
  },
);

it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '192.0.2.7:8631', '', 'x@localhost'])(
  "refuses a request to '%s', which a foreign name may have led here",
  (host) => {
    expect(refusalOf({ host }, ON_LOOPBACK)).toContain('not a name of this machine');
  },
);

it('refuses pages of other origins, other ports of this machine among them', () => {
  const host = 'localhost:8631';
  for (const origin of ['http://evil.example', 'http://localhost:3000', 'https://localhost:8631', 'null']) {
    expect(refusalOf({ host, origin }, ON_LOOPBACK)).toContain('may not use the control API');
  }
  expect(refusalOf({ host, origin: `http://${host}` }, ON_LOOPBACK)).toBeUndefined();
});

it('wants the token when it is exposed, whole and exact', () => {
  const host = 'workbench.example:8631';
  const ask = (authorization?: string): string | undefined =>
    refusalOf({ host, ...(authorization !== undefined && { authorization }) }, EXPOSED);
  expect(ask('Bearer secret-token')).toBeUndefined();
  for (const wrong of [undefined, '', 'Bearer', 'Bearer secret-toke', 'Bearer secret-token ', 'Basic secret-token']) {
    expect(ask(wrong)).toContain('control token');
  }
});

it('takes the token from the cookie of its own page as well', () => {
  const host = 'workbench.example:8631';
  const ask = (cookie: string): string | undefined => refusalOf({ host, cookie }, EXPOSED);
  expect(ask('platen-control-token=secret-token')).toBeUndefined();
  expect(ask('other=1; platen-control-token=secret-token; more=2')).toBeUndefined();
  for (const wrong of ['platen-control-token=', 'platen-control-token=secret', 'other=secret-token', '']) {
    expect(ask(wrong)).toContain('control token');
  }
  const foreign = { host, origin: 'http://evil.example', cookie: 'platen-control-token=secret-token' };
  expect(refusalOf(foreign, EXPOSED)).toContain('may not use the control API');
});

it('knows addresses that only mean this machine', () => {
  expect(['localhost', '127.0.0.1', '::1', '[::1]'].map(isLoopbackName)).toEqual([true, true, true, true]);
  expect(['0.0.0.0', '::', '10.0.0.1', 'example.test'].map(isLoopbackName)).not.toContain(true);
});
