/**
 * Pipeline starters: what `platen init --pipeline` leaves in a project, by what the pipeline is like.
 */

import type { StarterFile } from './starter-files.ts';

const AGENT = `# A backend keeps jobs, and an agent polls it and sends them to receipt printers at port 9100.
# What stands in <your …> is yours. {port.backend} is a free port, {folder} an empty folder of each day.
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
    ready: <your text that it prints once it polls, or leave this out>
submit:
  url: http://127.0.0.1:{port.backend}/<your path of jobs>
  headers: { Idempotency-Key: '{key}' }
  body: { printer: '{printer}', title: '{title}', content: '{document}' }
  document: esc-pos
  id: id
state:
  url: http://127.0.0.1:{port.backend}/<your path of jobs>/{id}
  path: status
  done: [done]
  failed: [failed]
  # uncertain: [unknown]
`;

const PUSH = `# A backend pushes jobs to an agent over a websocket that the agent opens. What stands in <your …> is yours.
title: my print agent
printers: { till: raw }
# platen stands in the websocket as well: it cuts it and loses what is in it.
between:
  push: tcp://127.0.0.1:{port.backend}
  till: '{printer.till}'
start:
  backend:
    command: <your backend> --port {port.backend} --data {folder}
    ready: http://127.0.0.1:{port.backend}
  agent:
    command: <your agent> --backend ws://{between.push.host}:{between.push.port} --printer {between.till.host}:{between.till.port}
submit:
  url: http://127.0.0.1:{port.backend}/<your path of jobs>
  headers: { Idempotency-Key: '{key}' }
  body: { title: '{title}', content: '{document}' }
  id: id
state:
  url: http://127.0.0.1:{port.backend}/<your path of jobs>/{id}
  path: status
  done: [done]
  failed: [failed]
`;

const FILE_DROP = `# A program prints each file that comes into a folder, and takes it away. What stands in <your …> is yours.
title: file drop
printers: { till: raw }
between: { line: '{printer.till}' }
start:
  spooler:
    command: mkdir -p {folder}/drop && exec <your spooler> --watch {folder}/drop --printer {between.line.host}:{between.line.port}
submit:
  # Moved, so that nobody meets half a file. The same key is the same file.
  command: cp {file} {folder}/{key}.part && mv {folder}/{key}.part {folder}/drop/{key}.prn
state:
  command: test -e {folder}/drop/{key}.prn && echo waiting || echo gone
  done: [gone]
`;

const CUPS = `# CUPS alone: platen starts one with a queue that leads to the printer, and kills it as well.
title: CUPS
printers: { till: raw }
between: { line: '{printer.till}' }
queues: { till: '{between.line}' }
submit:
  command: lp -h {cups} -d till -t '{title}' {file}
within: 20s
`;

const OWN = `# The reference service of platen, whose client prints on a CUPS that platen starts.
title: platen
printers: { till: { protocol: raw, as: '1' } }
between:
  api: http://127.0.0.1:{port.service}
queues: { till: '{printer.till}' }
start:
  service:
    command: npx platen start --port {port.service} --data {folder}/service.db --room room.yaml --limits off
    ready: http://127.0.0.1:{port.service}
  client:
    command: CUPS_SERVER={cups} npx platen client {between.api} --name till --data {folder}/client
    ready: Connected to
submit:
  url: '{between.api}/printjobs'
  headers: { Authorization: Basic dGVzdC1rZXk6, Content-Type: application/json, X-Idempotency-Key: '{key}' }
  body: '{"printerId": {printer}, "title": "{title}", "contentType": "raw_base64", "content": "{document}"}'
  id: '.'
state:
  url: http://127.0.0.1:{port.service}/printjobs/{id}
  headers: { Authorization: Basic dGVzdC1rZXk6 }
  path: '0.state'
  done: [done]
  failed: [error, expired]
within: 20s
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
  agent: { [PIPELINE]: { about: 'a backend that an agent polls: fill in what stands in <your …>', text: AGENT } },
  push: { [PIPELINE]: { about: 'a backend that pushes to an agent: fill in what stands in <your …>', text: PUSH } },
  'file-drop': { [PIPELINE]: { about: 'files in a folder: fill in what stands in <your …>', text: FILE_DROP } },
  cups: { [PIPELINE]: { about: 'CUPS alone, which has to be installed', text: CUPS } },
  platen: {
    [PIPELINE]: { about: 'the reference service, its client and CUPS', text: OWN },
    'room.yaml': { about: 'no virtual computers beside that client', text: 'computers: []\n' },
  },
  'port-9100': {
    [PIPELINE]: { about: 'a program that sends to port 9100', text: PORT_9100 },
    'send.mjs': { about: 'such a program, which prints twice', text: SENDER },
  },
};
