/**
 * Pipeline starters: what `platen init --pipeline` leaves in a project, by what the pipeline is like.
 */

import type { StarterFile } from './starter-files.ts';

const AGENT = `# A backend keeps jobs, and an agent polls it and sends them to receipt printers at port 9100.
# What stands in <…> is yours. {port.backend} is a free port, {folder} an empty folder of each day.
title: my print agent
printers: { kitchen: raw, bar: raw }
# Connections in which platen stands, to break them. Give the programs the addresses {between.…} instead of the real ones.
between:
  api: http://127.0.0.1:{port.backend}
  kitchen: '{printer.kitchen}'
# The programs, in this order; each is killed and started again in the middle of its work.
start:
  backend:
    command: <your backend> --port {port.backend} --data {folder}
    ready: http://127.0.0.1:{port.backend}
  agent:
    command: <your agent> --api {between.api} --kitchen {between.kitchen.host}:{between.kitchen.port} --bar {printer.bar.host}:{printer.bar.port}
    ready: <a text that it prints once it polls, or leave this out>
submit:
  url: http://127.0.0.1:{port.backend}/<path of jobs>
  headers: { Idempotency-Key: '{key}' }
  body: { printer: '{printer}', title: '{title}', content: '{document}' }
  document: esc-pos
  id: id
state:
  url: http://127.0.0.1:{port.backend}/<path of jobs>/{id}
  path: status
  done: [done]
  failed: [failed]
  # uncertain: [unknown]
`;

const PORT_9100 = `# A program that sends receipts to a printer at port 9100: put yours in the place of send.mjs.
title: sender to port 9100
printers: { till: raw }
between: { line: '{printer.till}' }
submit:
  command: node send.mjs {between.line.host} {between.line.port} {file}
  document: esc-pos
within: 5s
`;

const SENDER = `// Sends a file to a printer, and tries again where that fails: the usual way to print twice.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [host, port, file] = process.argv.slice(2);

function send() {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) }, () => socket.end(readFileSync(file)));
    socket.on('end', resolve).on('error', reject).resume();
  });
}

for (let attempt = 1; ; attempt++) {
  try {
    await send();
    break;
  } catch (error) {
    if (attempt === 3) throw error;
  }
}
`;

const PIPELINE = 'pipeline.yaml';

export const PIPELINE_STARTERS: Readonly<Record<string, Readonly<Record<string, StarterFile>>>> = {
  agent: { [PIPELINE]: { about: 'a backend that an agent polls: fill in what stands in <…>', text: AGENT } },
  'port-9100': {
    [PIPELINE]: { about: 'a program that sends to port 9100', text: PORT_9100 },
    'send.mjs': { about: 'such a program, which prints twice', text: SENDER },
  },
};
