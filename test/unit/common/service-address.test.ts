import { expect, it } from 'vitest';

import { addressOf, shownAddress } from '../../../src/common/service-address.ts';

const read = (text: string): string => addressOf(text, 'a service', 'Write it whole.').href;

it.each([
  ['http://127.0.0.1:8631', 'http://127.0.0.1:8631/'],
  ['HTTPS://Print.example/api', 'https://print.example/api'],
  ['http://[::1]:80/a/b/', 'http://[::1]/a/b/'],
])('takes %s', (text, href) => {
  expect(read(text)).toBe(href);
});

it.each([
  'http://user@host',
  'http://:word@host',
  'http://u:p@a-very-long-host',
  'http://u:/word@host',
  'http://h/?a',
  'http://h/#a',
])('refuses %s, which says more than where', (text) => {
  expect(() => read(text)).toThrow(/^the address of a service has no user, query or fragment$/);
});

it.each(['host:80', 'ftp://host', 'http://', '//host', ''])("refuses '%s' as no address", (text) => {
  expect(() => read(text)).toThrow(`'${text}' is not the address of a service`);
});

it.each([
  ['nats://host:4222', 'nats://host:4222'],
  ['nats://user:word@host:4222', 'nats://host:4222'],
  [' nats://u:w@one:1,nats://u:w@two:2', ' nats://two:2'],
  ["user:a 'b\n@host", 'host'],
  ['http://host/?key=word', 'http://host/'],
  ['http://host/#word', 'http://host/'],
])('shows %j as %j', (text, shown) => {
  expect(shownAddress(text)).toBe(shown);
});
