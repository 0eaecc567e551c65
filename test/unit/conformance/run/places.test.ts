import { expect, it } from 'vitest';

import { createPlaces, inPlace } from '../../../../src/conformance/run/places.ts';
import type { DeviceLink, LinkRequest, LinkSession, ProgramLink } from '../../../../src/link/device-link.ts';

type ProgramDeviceLink = DeviceLink & { readonly program: ProgramLink };

/** A link that notes what is done with it. */
function notingLink(name: string, notes: string[]): ProgramDeviceLink {
  const link: ProgramDeviceLink = {
    open() {
      notes.push(`${name} opens`);
      return Promise.resolve({} as LinkSession);
    },
    program: {
      submitted: () => undefined,
      crash: () => undefined,
      scope: () => link,
      close() {
        notes.push(`${name} closes`);
        return Promise.resolve();
      },
    },
  };
  return link;
}

const REQUEST = {} as LinkRequest;

it('lets the computers of a check wait until those of another one are taken down', async () => {
  const notes: string[] = [];
  const places = createPlaces(1);
  const first = inPlace(notingLink('first', notes), places.take);
  const second = inPlace(notingLink('second', notes), places.take);
  await first.open(REQUEST);
  const waiting = second.open(REQUEST);
  await first.open(REQUEST);
  await first.program.close();
  await waiting;
  expect(notes).toEqual(['first opens', 'first opens', 'first closes', 'second opens']);
});

it('gives back the place of a check that ended while it waited for one', async () => {
  const notes: string[] = [];
  const places = createPlaces(1);
  const giveBack = await places.take();
  const late = inPlace(notingLink('late', notes), places.take);
  const waiting = late.open(REQUEST);
  await late.program.close();
  giveBack();
  await waiting;
  const next = inPlace(notingLink('next', notes), places.take);
  await next.open(REQUEST);
  expect(notes).toEqual(['late closes', 'late opens', 'next opens']);
});
