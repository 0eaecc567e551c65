import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { ON_BEHALF } from '../../../src/common/on-behalf.ts';
import {
  lacksToken,
  pageRefusal,
  printingRefusal,
  strangerRefusal,
  type GuardRules,
} from '../../../src/workbench/guard.ts';

const ON_LOOPBACK: GuardRules = { token: undefined, isKeyKnown: true, scheme: 'http' };
const WITH_OWN_KEY: GuardRules = { ...ON_LOOPBACK, isKeyKnown: false };
const EXPOSED: GuardRules = { ...WITH_OWN_KEY, token: 'secret-token' };

const EVIL = 'http://evil.example';

describe('the control API', () => {
  it.each(['localhost:8631', '127.0.0.1:8631', '127.0.0.1', '127.1.2.3:80', '[::1]:8631', 'workbench.localhost:80'])(
    'lets requests to %s pass',
    (host) => {
      expect(strangerRefusal({ host }, ON_LOOPBACK)).toBeUndefined();
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '192.0.2.7:8631', '', 'x@localhost'])(
    "refuses a request to '%s', which a foreign name may have led here",
    (host) => {
      for (const refusalOf of [strangerRefusal, pageRefusal]) {
        expect(refusalOf({ host }, ON_LOOPBACK)).toContain('not a name of this machine');
      }
    },
  );

  it('refuses pages of other origins, other ports of this machine among them', () => {
    const host = 'localhost:8631';
    for (const origin of [EVIL, 'http://localhost:3000', 'https://localhost:8631', 'null']) {
      expect(strangerRefusal({ host, origin }, ON_LOOPBACK)).toContain('may not use the control API');
    }
    expect(strangerRefusal({ host, origin: `http://${host}` }, ON_LOOPBACK)).toBeUndefined();
  });

  it('refuses what a page of another site can ask without an origin, and lets a person type', () => {
    const [cross, same, own, typed] = ['cross-site', 'same-site', 'same-origin', 'none'].map((site) =>
      strangerRefusal({ host: 'localhost', 'sec-fetch-site': site }, ON_LOOPBACK),
    );
    expect([cross, same]).not.toContain(undefined);
    expect([own, typed]).toEqual([undefined, undefined]);
  });

  it('refuses what platen asks because a caller said so, by whatever name it comes', () => {
    for (const [host, rules] of [
      ['localhost', ON_LOOPBACK],
      ['bench.example', EXPOSED],
    ] as const) {
      const headers = { ...ON_BEHALF, host, authorization: 'Bearer secret-token' };
      expect(strangerRefusal(headers, rules)).toContain('may not lead to the control API');
    }
  });

  it('wants the token when it is exposed, whole and exact', () => {
    const host = 'workbench.example:8631';
    const lacks = (authorization?: string): boolean =>
      lacksToken({ host, ...(authorization !== undefined && { authorization }) }, EXPOSED);
    expect(lacks('Bearer secret-token')).toBe(false);
    for (const wrong of [undefined, '', 'Bearer', 'Bearer secret-toke', 'Bearer secret-token ', 'Basic secret-token']) {
      expect(lacks(wrong)).toBe(true);
    }
    expect(strangerRefusal({ host }, EXPOSED)).toBeUndefined();
  });

  it('takes the token from the cookie of its own page as well', () => {
    const host = 'workbench.example:8631';
    const lacks = (cookie: string): boolean => lacksToken({ host, cookie }, EXPOSED);
    expect(lacks('platen-control-token=secret-token')).toBe(false);
    expect(lacks('other=1; platen-control-token=secret-token; more=2')).toBe(false);
    for (const wrong of ['platen-control-token=', 'platen-control-token=secret', 'other=secret-token', '']) {
      expect(lacks(wrong)).toBe(true);
    }
    const foreign = { host, origin: EVIL, cookie: 'platen-control-token=secret-token' };
    expect(strangerRefusal(foreign, EXPOSED)).toContain('may not use the control API');
  });
});

it('shows the page to a person who follows a link, and in no frame', () => {
  const [link, ...others] = [
    ['navigate', 'document'],
    ['navigate', 'iframe'],
    ['no-cors', 'script'],
    ['no-cors', 'image'],
  ].map(([mode, dest]) =>
    pageRefusal(
      { host: 'localhost', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      ON_LOOPBACK,
    ),
  );
  expect(link).toBeUndefined();
  expect(others).not.toContain(undefined);
});

function toPrint(headers: IncomingHttpHeaders, rules = ON_LOOPBACK, method = 'POST'): string | undefined {
  const request = new IncomingMessage(new Socket());
  return printingRefusal(Object.assign(request, { method, headers }), rules);
}

describe('the printing API', () => {
  it('is reached on loopback by names of this machine, and beyond it by any', () => {
    expect(toPrint({ host: 'localhost:8631' })).toBeUndefined();
    expect(toPrint({})).toBeUndefined();
    expect(toPrint({ host: 'rebound.example' }, WITH_OWN_KEY)).toContain('start with --host 0.0.0.0');
    expect(toPrint({ host: 'rebound.example' }, WITH_OWN_KEY, 'OPTIONS')).toContain('rebound.example');
    expect(toPrint({ host: 'rebound.example' }, EXPOSED)).toBeUndefined();
  });

  it.each([EVIL, 'https://localhost.evil.example', 'null', 'chrome-extension://abc'])(
    'refuses pages of %s while everybody knows its key',
    (origin) => {
      const headers = { host: '127.0.0.1:8631', origin, 'sec-fetch-site': 'cross-site' };
      expect(toPrint(headers)).toContain('start with another --key');
      expect(toPrint(headers, ON_LOOPBACK, 'OPTIONS')).toBeUndefined();
      expect(toPrint(headers, WITH_OWN_KEY)).toBeUndefined();
    },
  );

  it('refuses what a page of another site can ask without an origin', () => {
    const headers = { host: '127.0.0.1:8631', 'sec-fetch-site': 'cross-site' };
    expect(toPrint(headers)).toContain('pages of other sites');
    expect(toPrint(headers, WITH_OWN_KEY)).toBeUndefined();
  });

  it.each(['http://localhost:3000', 'https://127.0.0.1:5173', 'http://shop.localhost', 'capacitor://localhost'])(
    'serves the app at %s, which is on this machine',
    (origin) => {
      expect(toPrint({ host: '127.0.0.1:8631', origin, 'sec-fetch-site': 'cross-site' })).toBeUndefined();
    },
  );

  it('serves its own page beyond loopback, where the known key was given', () => {
    const rules = { ...EXPOSED, isKeyKnown: true };
    expect(toPrint({ host: 'bench.example:8631', origin: 'http://bench.example:8631' }, rules)).toBeUndefined();
    expect(toPrint({ host: 'bench.example:8631', origin: 'http://shop.example' }, rules)).toContain('shop.example');
  });
});
