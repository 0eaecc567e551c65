/**
 * Pipeline files: what is right in one, and what is said of what is not.
 */

import { expect, test } from 'vitest';

import { PIPELINE_STARTERS } from '../../../src/cli/files/pipeline-starters.ts';
import { isPipeline, readPipeline } from '../../../src/pipeline/pipeline-file.ts';
import { formatProblem } from '../../../src/common/problem.ts';

const SUBMIT = "submit: { url: 'http://127.0.0.1/jobs', body: '{document}' }";

function problems(text: string): string[] {
  const read = readPipeline(text);
  return read.ok ? [] : read.error.map((problem) => formatProblem('p.yaml', problem));
}

test('the least that a pipeline has is a printer and a way to submit', () => {
  expect(problems(`printers: { till: raw }\n${SUBMIT}\n`)).toEqual([]);
});

test.each(Object.entries(PIPELINE_STARTERS))('the file that init writes for %s is one, once filled in', (_, files) => {
  const text = files['pipeline.yaml']?.text ?? '';
  expect(problems(text.replaceAll(/<your [^>]+>/g, 'mine'))).toEqual([]);
  expect(isPipeline(text)).toBe(true);
});

test('what is left to be filled in is named with its place', () => {
  const start = 'start:\n  agent: <your agent> --till\n';
  expect(problems(`printers: { till: raw }\n${start}${SUBMIT}\n`)).toEqual([
    'p.yaml:3:10: start.agent: fill in <your agent>, which is yours',
  ]);
});

test('the CUPS that platen starts has an address where there are queues', () => {
  const submit = "submit: { command: 'lp -h {cups} {file}' }";
  expect(problems(`printers: { till: raw }\nqueues: { till: '{printer.till}' }\n${submit}\n`)).toEqual([]);
  expect(problems(`printers: { till: raw }\n${submit}\n`)).toHaveLength(1);
  expect(problems(`printers: { till: raw }\nqueues: { till: a }\nstart: { cups: b }\n${submit}\n`)).toEqual([
    'p.yaml:3:16: start.cups: the CUPS of queues has this name',
  ]);
});

test('a pipeline is known by any key that is its own, whatever else is wrong with it', () => {
  expect(isPipeline('printers: { till: raw }\nsumbit: { url: a }\n')).toBe(true);
  expect(isPipeline('title: a\nstate: {}\nstart:\n\tagent: a\n')).toBe(true);
});

test('the descriptor of a service is no pipeline', () => {
  expect(isPipeline('url: http://127.0.0.1\nkeys: { main: a }\n')).toBe(false);
  expect(isPipeline(': [')).toBe(false);
});

test('a name in braces that stands for nothing is named with its place', () => {
  expect(problems("printers: { till: raw }\nstart: { agent: 'a {printer.bar}' }\n" + SUBMIT)).toEqual([
    'p.yaml:2:17: start.agent: nothing is called {printer.bar} here; there are {folder}, {printer.till} and {port.NAME} for a free port',
  ]);
});

test('other braces are left to those that they are for', () => {
  const body = 'body: \'{"a": {"b": "{document}"}}\'';
  expect(problems(`printers: { till: raw }\nsubmit: { url: 'http://x/', ${body} }\n`)).toEqual([]);
});

test('a submission that brings no mark to the paper is refused', () => {
  expect(problems("printers: { till: raw }\nsubmit: { url: 'http://x/', body: '{key}' }\n")).toEqual([
    'p.yaml:2:9: submit: a job is known on paper by its mark: put one of {document}, {file}, {title}, {mark} in it',
  ]);
});

test('with several printers a submission names one', () => {
  expect(problems(`printers: { till: raw, bar: ipp }\n${SUBMIT}\n`)).toEqual([
    'p.yaml:2:9: submit: nothing names the printer of a job: put {printer} in it',
  ]);
});

test('a job is submitted in one way', () => {
  const both = "submit: { url: 'http://x/{mark}', command: 'x {mark}' }";
  expect(problems(`printers: { till: raw }\n${both}\n`)).toEqual([
    'p.yaml:2:9: submit: a job is submitted to a `url` or by a `command`, one of them',
  ]);
});

test('a key that there is not is said with the one that is meant', () => {
  expect(problems(`printers: { till: raw }\nsubmitt: {}\n${SUBMIT}\n`)).toEqual([
    "p.yaml:2:1: there is no key 'submitt' here; did you mean 'submit'?",
  ]);
});
