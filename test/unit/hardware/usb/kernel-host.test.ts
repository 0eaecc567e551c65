import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { attachToKernel, forgetAttached, lackOfKernelHost } from '../../../../src/hardware/usb/kernel-host.ts';

describe('the kernel of a machine', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-kernel-host-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('attaches nothing without a virtual host controller', () => {
    const machine = { controller: path.join(folder, 'none'), userId: 0, notes: folder };
    expect(lackOfKernelHost(machine)).toBe('its kernel has no vhci_hcd (`modprobe vhci-hcd` loads it)');
  });

  it.each([1_000, undefined])('attaches nothing for user %s, who is not root', (userId) => {
    expect(lackOfKernelHost({ controller: folder, userId, notes: folder })).toBe(
      'only root may attach devices (`sudo`)',
    );
  });

  it('lacks nothing with all three', { tags: ['usbip'] }, () => {
    expect(lackOfKernelHost({ controller: folder, userId: 0, notes: folder })).toBeUndefined();
  });

  it('says what usbip said where nothing listens at the address', { tags: ['usbip'] }, async () => {
    await expect(attachToKernel('usbip://127.0.0.1:1/1-1')).rejects.toThrow(
      /^the kernel did not attach usbip:\/\/127\.0\.0\.1:1\/1-1: .*tcp connect/s,
    );
  });

  it('keeps no note of a device that was withdrawn, and keeps those of others', () => {
    writeFileSync(path.join(folder, 'port0'), '127.0.0.1 3240 1-1\n');
    writeFileSync(path.join(folder, 'port1'), '127.0.0.1 3240 1-11\n');
    writeFileSync(path.join(folder, 'port2'), '127.0.0.1 3241 1-1\n');
    const machine = { controller: folder, userId: 0, notes: folder };
    forgetAttached('usbip://127.0.0.1:3240/1-1', machine);
    forgetAttached('usbip://127.0.0.1:3240/1-1', { ...machine, notes: path.join(folder, 'none') });
    expect(readdirSync(folder)).toEqual(['port1', 'port2']);
  });
});
