import { expect, it } from 'vitest';

import { npmAncestor, type ProcessFacts } from '../../../src/cli/npm-parent.ts';

const OWN = 30;

/** npx 10 ─► sh 20 ─► platen 30, in the group of npx. */
function facts(changes: Readonly<Record<number, Partial<ProcessFacts>>> = {}) {
  const plain: Readonly<Record<number, ProcessFacts>> = {
    1: { parent: 0, group: 1, commandLine: 'init', ignoresInterrupts: false },
    10: { parent: 1, group: 10, commandLine: 'npm exec platen start', ignoresInterrupts: false },
    20: { parent: 10, group: 10, commandLine: 'sh -c platen start', ignoresInterrupts: false },
    30: { parent: 20, group: 10, commandLine: 'node bin/platen.js start', ignoresInterrupts: false },
  };
  return (pid: number): ProcessFacts | undefined => plain[pid] && { ...plain[pid], ...changes[pid] };
}

it('finds the npm above it, with or without a shell between', () => {
  expect(npmAncestor(OWN, facts())).toBe(10);
  expect(npmAncestor(OWN, facts({ 30: { parent: 10 } }))).toBe(10);
  expect(npmAncestor(OWN, facts({ 10: { commandLine: '/usr/bin/node /usr/bin/npx platen start' } }))).toBe(10);
});

it.each([
  ['in a group of its own', { 30: { group: OWN } }],
  ['in the background of a script', { 30: { ignoresInterrupts: true } }],
  ['below a process that is not npm', { 10: { commandLine: 'bash' } }],
  ['whose shell is gone', { 30: { parent: 1 } }],
])('leaves alone a process %s', (_, changes) => {
  expect(npmAncestor(OWN, facts(changes))).toBeUndefined();
});
