/**
 * Sends bytes to a server as they are and collects what comes back until the connection ends.
 */

import { connect } from 'node:net';
import { within } from '../../../src/common/waiter.ts';

/** How the connection ended, and what was received until then, as Latin-1 text. */
export interface RawAnswer {
  readonly text: string;
  readonly ended: 'closed' | 'reset';
}

export function rawExchange(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const exchange = new Promise<RawAnswer>((resolve) => {
    let text = '';
    let ended: RawAnswer['ended'] = 'closed';
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', () => {
      ended = 'reset';
    });
    socket.on('close', () => resolve({ text, ended }));
    socket.write(bytes);
  });
  return within(exchange, { description: `the end of a raw exchange with ${url}`, limit: '5s' });
}
