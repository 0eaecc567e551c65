/**
 * Model spooler: prints each file that comes into a folder, and takes it away.
 *
 *   node model-spooler.ts FOLDER HOST:PORT
 */

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const [folder = '', printer = ''] = process.argv.slice(2);
const [host = '', port] = printer.split(':');

for (; ; await pause(50)) {
  for (const name of readdirSync(folder)) {
    const file = `${folder}/${name}`;
    const socket = connect({ host, port: Number(port) }, () => socket.end(readFileSync(file)));
    socket.on('error', () => undefined).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    rmSync(file);
  }
}
