/**
 * What ships with platen is found by its name, from any folder.
 */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PLACE_FAULTS } from '../../src/scenario/setup/place-faults.ts';
import { documentNames } from '../../src/devices/document/shipped-documents.ts';
import { shippedScenarios } from '../../src/workbench/runs/shipped-scenarios.ts';
import { platen, PROJECT, startWorkbench, type Finished, type RunningWorkbench } from '../support/command-line.ts';

let elsewhere: string;
beforeAll(() => {
  elsewhere = mkdtempSync(path.join(tmpdir(), 'platen-names-'));
});
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

function there(...argv: readonly string[]): Promise<Finished> {
  return platen(argv, { cwd: elsewhere });
}

describe('platen run', () => {
  it.each([
    'jam-on-page-three',
    'jam-on-page-three.yaml',
    'edge-cases/jam-on-page-three',
    'scenarios/edge-cases/jam-on-page-three.yaml',
  ])('plays %s from any folder', async (name) => {
    const { code, stdout } = await there('run', name);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Paper jams on page three') });
  });

  it.each(['edge-cases', 'load', 'scenarios'])('takes the name of a folder: %s', async (name) => {
    const { code, stdout } = await there('run', '--list', name, '--json');
    const listed = (JSON.parse(stdout) as readonly { readonly name: string }[]).map((one) => one.name);
    const shipped = (await shippedScenarios()).filter(({ group }) => name === 'scenarios' || group === name);
    expect({ code, listed }).toEqual({ code: 0, listed: shipped.map((one) => one.name) });
  });

  it('has no two scenarios of one name', async () => {
    const names = (await shippedScenarios()).flatMap(({ name, group }) => [name, group]);
    const groups = new Set((await shippedScenarios()).map(({ group }) => group));
    expect(new Set(names).size).toBe((await shippedScenarios()).length + groups.size);
  });

  it('lists what ships by folder, with titles', async () => {
    const { code, stdout } = await there('run', '--list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^edge-cases:\n/);
    expect(stdout).toMatch(/\n\nload:\n/);
    expect(stdout).toMatch(/\n {2}jam-on-page-three +Paper jams on page three/);
  });

  it('prefers a folder of the caller to a name that ships', async () => {
    const own = path.join(elsewhere, 'own');
    mkdirSync(path.join(own, 'edge-cases'), { recursive: true });
    cpSync(path.join(PROJECT, 'scenarios/edge-cases/blank-page.yaml'), path.join(own, 'edge-cases/mine.yaml'));
    const { stdout } = await platen(['run', '--list', 'edge-cases'], { cwd: own });
    expect(stdout).toMatch(/^edge-cases:\n {2}mine {2}/);
  });

  it('suggests the nearest name', async () => {
    const { code, stderr } = await there('run', 'jam-on-page-thre');
    expect(code).toBe(64);
    expect(stderr).toContain("no file, folder or scenario jam-on-page-thre; did you mean 'jam-on-page-three'?");
    expect(stderr).toContain('platen run --list');
  });

  it('asks for a scenario where none is named', async () => {
    const { code, stderr } = await there('run');
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('platen run --list') });
  });
});

describe('platen print', () => {
  let workbench: RunningWorkbench;
  beforeAll(async () => {
    workbench = await startWorkbench();
  });
  afterAll(() => workbench.stop());

  const print = (...argv: readonly string[]): Promise<Finished> =>
    platen(['print', ...argv], { cwd: elsewhere, env: workbench.env });

  it.each(['invoice', 'invoice.pdf', 'fixtures/documents/invoice.pdf'])('prints %s from any folder', async (name) => {
    const { code, stdout } = await print(name, '--printer', 'Laser', '--wait');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Laser (FRONT-DESK): done') });
  });

  it('prefers a file of the caller, and takes a name for nothing else', async () => {
    writeFileSync(path.join(elsewhere, 'receipt'), 'neither');
    const own = await print('receipt');
    expect(own.stderr).toContain('receipt is neither a PDF');
    const missing = await print('letters/invoice.pdf');
    expect(missing.stderr).toContain('there is no file letters/invoice.pdf');
    expect(missing.code).toBe(64);
  });

  it('suggests the nearest name, and has one for each document', async () => {
    const { stderr } = await print('invioce');
    expect(stderr).toContain("did you mean 'invoice'?");
    const names = documentNames().map((name) => path.basename(name, path.extname(name)));
    expect(new Set(names).size).toBe(names.length);
    expect(stderr).toContain(names.join(', '));
  });

  it.each([
    [['printer/Laser', 'media-jam', '--after', '2'], 'after 2'],
    [['link/FRONT-DESK', 'latency', '--with', 'delay=5s', '--for', '1m'], 'for 1m, delay 5s'],
  ])('takes the example of platen faults: %j', async (argv, shown) => {
    const { stdout: faults } = await there('faults');
    expect(faults).toContain(`platen fault ${argv.join(' ')}`);
    const { code, stdout } = await platen(['fault', ...argv], { env: workbench.env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(shown) });
  });
});

describe('platen faults', () => {
  it('shows every fault of every place, with what it does', async () => {
    const { code, stdout } = await there('faults', '--json');
    expect(code).toBe(0);
    const places = JSON.parse(stdout) as readonly {
      readonly place: string;
      readonly faults: readonly { readonly fault: string; readonly does: string }[];
    }[];
    const shown = places.map(({ place, faults }) => [place, faults.map(({ fault }) => fault)]);
    expect(shown).toEqual(Object.entries(PLACE_FAULTS).map(([place, faults]) => [place, Object.keys(faults)]));
    for (const { does } of places.flatMap(({ faults }) => faults)) expect(does).toMatch(/^\S.{10,}[^.]$/);
  });

  it('shows those of one place, also of a device there', async () => {
    expect((await there('faults', 'scale/Parcel scale')).stdout).toMatch(/^scale {2}such as/);
    expect((await there('faults', 'scale')).stdout).not.toContain('toner-low');
  });

  it('suggests the nearest place', async () => {
    const { code, stderr } = await there('faults', 'prnter');
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("did you mean 'printer'?") });
  });
});

it.each(['-v', '-V', '--version'])('says its version with %s', async (flag) => {
  const { code, stdout } = await there(flag);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
