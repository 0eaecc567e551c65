import { EventEmitter } from 'node:events';

import { expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { ClientSocket, type ServerSocket } from '../../../../src/service/delivery/client-socket.ts';

/** A socket whose other end reads as slowly as a test says. */
class SlowSocket extends EventEmitter implements ServerSocket {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  isCut = false;
  readonly send = (): void => undefined;
  readonly ping = (): void => undefined;
  readonly pause = (): void => undefined;
  readonly resume = (): void => undefined;
  readonly close = (): void => undefined;
  terminate(): void {
    this.isCut = true;
  }
}

class SilentClient extends ClientSocket {
  protected readonly client = 'a client';
  protected notIntroduced(): void {}
  protected receive(): void {}
  protected left(): void {}
}

it.each([
  ['stays while what waits for it grows less', [900, 500, 100], false],
  ['is cut once nothing goes out any more', [900, 500, 500], true],
  ['is cut once all is sent and the ping is still unanswered', [900, 500, 0], true],
])('a client behind a large frame %s', (_, waiting, isCut) => {
  const socket = new SlowSocket();
  const client = new SilentClient(socket, new VirtualClock());
  for (const bytes of waiting) {
    socket.bufferedAmount = bytes;
    client.beat();
  }
  expect(socket.isCut).toBe(isCut);
});
