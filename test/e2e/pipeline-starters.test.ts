/**
 * The files that `platen init --pipeline` writes, filled in where they want it, with real programs, from submission to
 * paper.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { PIPELINE_STARTERS } from '../../src/cli/files/pipeline-starters.ts';
import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { loadPipeline, type Pipeline } from '../../src/pipeline/pipeline-file.ts';
import { playDay, tryPipeline } from '../../src/pipeline/play-day.ts';
import { Ports } from '../../src/pipeline/ports.ts';
import type { Step } from '../../src/pipeline/steps.ts';
import type { LoadRecord } from '../../src/record/load-record.ts';
import { platen, PROJECT } from '../support/command-line.ts';

const press = new Press(systemClock);
afterAll(async () => press[Symbol.asyncDispose]());
const surroundings = { press, ports: new Ports() };

const NODE = process.execPath;
const model = (name: string): string => `${NODE} ${path.join(PROJECT, 'test/pipelines', `model-${name}.ts`)}`;

/** What their owner would write in the place of each text. */
const FILLED_IN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agent: {
    '<your backend> --port {port.backend} --data {folder}': `${model('backend')} {port.backend} {folder}/jobs.log`,
    '<your agent> --api {between.api} --kitchen ': `${model('agent')} {between.api} {folder} none kitchen=`,
    '--bar ': 'bar=',
    '<your text that it prints once it polls, or leave this out>': 'polling',
    '<your path of jobs>': 'jobs',
    'content:': 'document:',
    'path: status': 'path: state',
  },
  push: {
    '<your backend> --port {port.backend} --data {folder}': `${model('push')} backend {port.backend}`,
    '<your agent> --backend ': `${model('push')} agent `,
    '--printer ': '',
    '<your path of jobs>': 'jobs',
  },
  'file-drop': { '<your spooler> --watch ': `${model('spooler')} `, '--printer ': '' },
  'port-9100': { 'node send.mjs': `${NODE} send.mjs` },
  cups: {},
  platen: { 'npx platen': `${NODE} ${path.join(PROJECT, 'bin/platen.js')}` },
};

const JOBS = 60;
const LOAD = `
title: Orders
why: Whether the account of a load is the same through the link and through a pipeline.
seed: 3
room: { computers: [{ name: Till, printers: [{ profile: receipt-80mm, name: Till }] }] }
traffic:
  documents: { order: { file: zpl-label.zpl } }
  streams: [{ name: orders, do: submit, document: order, pacer: { constant: { rate: 15 } }, for: 4s }]
  drain: 60s
`;

async function started(kind: string): Promise<Pipeline> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-starter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, { text }] of Object.entries(PIPELINE_STARTERS[kind] ?? {})) {
    const fills = Object.entries(FILLED_IN[kind] ?? {});
    const filledIn = fills.reduce((so, [place, fill]) => so.replaceAll(place, () => fill), text);
    writeFileSync(path.join(folder, name), name === 'pipeline.yaml' ? filledIn : text);
  }
  return loadPipeline(path.join(folder, 'pipeline.yaml'));
}

async function brokenOn(steps: readonly Step[], kind: string, within = 20_000): Promise<readonly string[]> {
  const { broken } = await playDay(steps, { ...(await started(kind)), within }, surroundings);
  return broken.map(({ promise }) => promise);
}

test('each starter is played here', () => {
  expect(Object.keys(FILLED_IN)).toEqual(expect.arrayContaining(Object.keys(PIPELINE_STARTERS)));
});

test.each(['agent', 'push', 'file-drop', 'port-9100'])(
  'the starter %s prints its first jobs',
  async (kind) => {
    const { broken, seen } = await tryPipeline(await started(kind), surroundings);
    expect(broken).toEqual([]);
    expect(seen.papers.length).toBe(seen.jobs.length);
  },
  60_000,
);

test('a websocket that is reset is opened again, and its job is printed once', async () => {
  const reset = { break: { between: 'push', fault: 'reset', times: 1 } };
  expect(await brokenOn([reset, { kill: 'agent' }, { start: 'agent' }, { submit: 'till' }], 'push')).toEqual([]);
}, 60_000);

test('a file is lost where its spooler takes it away after a connection that broke', async () => {
  const steps = [{ break: { between: 'line', fault: 'reset' } }, { submit: 'till' }, { wait: 2_000 }];
  expect(await brokenOn(steps, 'file-drop', 1_000)).toEqual(['untrue-state']);
}, 60_000);

describe('with CUPS', { tags: ['print-system'] }, () => {
  test.each(['cups', 'platen'])(
    'the starter %s prints its first jobs',
    async (kind) => {
      const { broken } = await tryPipeline(await started(kind), surroundings);
      expect(broken).toEqual([]);
    },
    60_000,
  );

  test('a load of the starter platen has the ledger that it has through the link', async () => {
    const { folder } = await started('platen');
    const load = path.join(folder, 'load.yaml');
    writeFileSync(load, LOAD);
    const played = [[], ['--target', path.join(folder, 'pipeline.yaml')]].map(async (target, index) => {
      const out = path.join(folder, `out-${index}`);
      const argv = ['run', load, ...target, '--json', '--no-calibration', '--out', out];
      const { stdout } = await platen(argv, { alone: true, limit: '110s' });
      return (JSON.parse(stdout) as LoadRecord).ledger.totals;
    });
    const [link, pipeline] = await Promise.all(played);
    expect(pipeline).toEqual(link);
    expect(pipeline?.classes['delivered-once']).toBe(JOBS);
  }, 120_000);

  test('a job that waits for paper is printed once there is some', async () => {
    const steps = [{ fail: { printer: 'till', fault: 'media-empty' } }, { submit: 'till' }, { wait: 1_000 }];
    expect(await brokenOn(steps, 'cups')).toEqual([]);
  }, 60_000);

  test('a queue is whole again once its CUPS that was killed is started', async () => {
    const steps = [{ kill: 'cups' }, { start: 'cups' }, { submit: 'till' }];
    expect(await brokenOn(steps, 'cups')).toEqual([]);
  }, 60_000);
});
