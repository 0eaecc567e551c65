/**
 * Places: how many checks have computers at the same time where client programs run them. Each computer is a print
 * system and a program: more of them than a machine carries are late, and checks would fail for that.
 */

import { availableParallelism } from 'node:os';

import type { DeviceLink, ProgramLink } from '../../link/device-link.ts';

/** Checks, of which most have one computer and some have two. */
const OF_A_CORE = 3;

export interface Places {
  /** Resolves when there is a place, with what gives it back. */
  readonly take: () => Promise<() => void>;
}

export function createPlaces(count: number = OF_A_CORE * availableParallelism()): Places {
  const waiting: ((giveBack: () => void) => void)[] = [];
  let free = count;
  const giveBack = (): void => {
    const next = waiting.shift();
    if (next) next(giveBack);
    else free++;
  };
  return {
    take() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free--;
      return Promise.resolve(giveBack);
    },
  };
}

type ProgramDeviceLink = DeviceLink & { readonly program: ProgramLink };

/** The same link, whose first computer waits for a place. It is free again when the link is closed. */
export function inPlace(link: ProgramDeviceLink, take: Places['take']): ProgramDeviceLink {
  let place: Promise<() => void> | undefined;
  return {
    async open(request) {
      await (place ??= take());
      return link.open(request);
    },
    program: {
      ...link.program,
      async close() {
        await link.program.close();
        // One that comes too late is given back when it comes.
        void place?.then((giveBack) => giveBack());
      },
    },
  };
}
