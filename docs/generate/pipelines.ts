/**
 * docs/pipelines.md: how a print pipeline of any make is judged by its paper, with the keys of its file.
 */

import { z } from 'zod';

import { PROMISES } from '../../src/pipeline/judge-paper.ts';
import { pipelineSchema } from '../../src/pipeline/pipeline-file.ts';
import { TCP_FAULTS } from '../../src/pipeline/tcp-proxy.ts';
import { rowsOf, type SchemaNode } from './target.ts';

const EXAMPLE = `title: my print agent
printers: { kitchen: raw, bar: raw }
between:
  api: http://127.0.0.1:{port.backend}
  kitchen: '{printer.kitchen}'
start:
  backend:
    command: node backend.js --port {port.backend} --data {folder}
    ready: http://127.0.0.1:{port.backend}
  agent:
    command: node agent.js --api {between.api} --kitchen {between.kitchen.host}:{between.kitchen.port}
    ready: polling
submit:
  url: http://127.0.0.1:{port.backend}/jobs
  headers: { Idempotency-Key: '{key}' }
  body: { printer: '{printer}', content: '{document}' }
  id: id
state:
  url: http://127.0.0.1:{port.backend}/jobs/{id}
  path: status
  done: [done]
  failed: [failed]
`;

const NAMES: Readonly<Record<string, string>> = {
  '{printer.NAME}':
    'the address of a printer: `socket://127.0.0.1:40123`; with `.host` and `.port` behind it, that part',
  '{between.NAME}': 'the address at which platen stands in a connection; with `.host` and `.port` as well',
  '{port.NAME}': 'a free port, the same wherever the name is the same',
  '{cups}': 'the address of the CUPS that platen starts for `queues`, for `lp -h` and `CUPS_SERVER`',
  '{folder}': 'an empty folder for each day',
  '{document}': 'in `submit`: the document, as base64',
  '{file}': 'in `submit`: the path of a file with the document',
  '{mark}, {title}':
    'in `submit`: the mark alone, and a title that has it, for a pipeline that renders its own documents',
  '{printer}': 'in `submit` and `state`: what the pipeline calls the printer of the job',
  '{address}': 'in `submit`: the address of that printer',
  '{key}': 'in `submit` and `state`: a key of the job; a submission that was not answered is repeated with it',
  '{id}': 'in `state`: the id that the answer gave; in a `command` it has to be one plain word',
};

export function pipelinesPage(): string {
  const schema = z.toJSONSchema(pipelineSchema, { io: 'input', reused: 'inline' }) as SchemaNode;
  return [
    '# Pipelines',
    '',
    '<!-- Written by npm run docs: change docs/generate/pipelines.ts and src/pipeline, not this page. -->',
    '',
    'Was it printed once? platen asks that of any print system: a backend with a job API of its own, an agent that polls it,',
    'printers at port 9100. It needs no code in your programs and knows nothing of them but this file:',
    '',
    '```yaml',
    EXAMPLE.trimEnd(),
    '```',
    '',
    '    platen init --pipeline agent         # writes such a file to fill in; also push, file-drop, port-9100, cups and platen',
    '    platen explore --target pipeline.yaml --for 2m',
    '',
    'The file runs its commands with your rights: give platen only those that you trust.',
    '',
    '## What happens',
    '',
    'First a job is printed on each printer, and nothing goes wrong. If its mark cannot be read on the paper, no paper comes, or nothing known is reported of it,',
    'platen says so, with what came out, and stops.',
    '',
    'Then days are drawn from seeds, and several are played at a time, each with programs, ports, printers and a folder of its',
    'own. Jobs are submitted; printers run out of paper, jam, are switched off, are slow or drop connections; answers are',
    'lost, late or cut short in the connections in which platen stands; programs are ended with SIGKILL and started again.',
    'At the end all faults end, what does not run is started, and everything has to get through `within` its time.',
    '',
    'A job is known on paper by its mark, a word such as `PLT7K2MX9QHLG` at the beginning and the end of its document, as text',
    'and as a QR code. Where a pipeline draws documents anew, scaled, turned or in another language, the codes are read from',
    'the pictures of the paper: [how well](../reports/baseline/marks.md).',
    '',
    '| promise | what is judged |',
    '|---|---|',
    ...Object.entries(PROMISES).map(([promise, statement]) => `| \`${promise}\` | ${statement} |`),
    '',
    'A job that is reported as failed or uncertain may be without paper on a day on which something went wrong: a',
    'sender cannot see what a printer did before their connection broke, and saying so is right. Paper that came twice is',
    'never excused. What your system does not promise, such as the order, is written into a file, a promise on each line, for `--known`.',
    '',
    '## What is found',
    '',
    'Each broken promise is one finding. Its day is played again with fewer steps, until no step can be left out, and then three',
    'times more to see how often it repeats: programs on a real clock do not repeat to the millisecond. In the report folder',
    '`found/PROMISE/` has `scenario.yaml`, `story.md` with all that happened, and the paper as text and pictures.',
    '',
    '    platen run reports/explore-…/found/printed-twice/scenario.yaml --target pipeline.yaml',
    '',
    '```yaml',
    'title: printed-twice',
    'steps:',
    '  - break: { between: kitchen, fault: lost-answer, times: 1 }',
    '  - submit: kitchen',
    '  - wait: 500ms',
    '```',
    '',
    'The steps submit a job for a printer (`submit`) and submit the last one there `again` with its key, `break` and `restore`',
    'connections, `fail` and `fix` printers, `kill` and `start` programs, and `wait`. `break` counts requests or connections',
    'with `after` and `times`, and on HTTP `on` names a method. HTTP connections have the faults of requests that',
    '`platen faults` lists; others have these:',
    '',
    '| fault | what it does |',
    '|---|---|',
    ...Object.entries(TCP_FAULTS).map(([fault, { does }]) => `| \`${fault}\` | ${does} |`),
    '',
    '## Loads',
    '',
    '    platen run ten-seconds --target pipeline.yaml',
    '',
    'A [load](load.md) submits its jobs to the pipeline at the times of its streams, one printer after the other, and every job is',
    'accounted for by its paper: printed once, twice, never, elsewhere or cut short. Its computers and documents are',
    "platen's own and are not used; thresholds on `ledger` and on the streams hold. Streams with a `pacer` and",
    '`do: submit` are played; a file with anything else is refused.',
    '',
    '## The file',
    '',
    '| key | needed | value | meaning |',
    '|---|---|---|---|',
    ...rowsOf(schema, ''),
    '',
    'A name under `printers`, `between` and `start` is yours. A service that platen does not start needs printers at',
    'a fixed `port`, and then one day is played at a time. The CUPS of `queues` is killed and started as `cups`. A program that ends by itself is started again when the faults end, as a',
    'supervisor would.',
    '',
    '| in braces | stands for |',
    '|---|---|',
    ...Object.entries(NAMES).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
    '',
    'How well this finds faults: [the model agent](../reports/baseline/pipelines.md).',
    '',
  ].join('\n');
}
