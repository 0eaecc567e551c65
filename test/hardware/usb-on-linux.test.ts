/**
 * An unmodified Linux kernel attaches the devices of a room, and plain programs read and write them. The figures are
 * those of `npm run prove usb`.
 *
 * A guest that does not start says nothing of platen: its packages may be out of reach, or the machine too busy to
 * emulate a kernel. The tests are skipped then, with the reason.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { messageOf } from '../../src/common/error-message.ts';
import { SCALE_PROFILES } from '../../src/devices/scale/scale-profile.ts';
import { expectParcelLabel, PARCEL_LABEL } from '../support/parcel-label.ts';
import { GRAM, GuestRoom, outOfOrder, ReadReports, recordReports } from './guest-room.ts';
import { untilTrue } from './kernel-guest/kernel-guest.ts';
import { soon } from '../support/soon.ts';

const REPUBLISH_MS = 200;
/** A second is enough; a busy machine gives the guest little of its time. */
const LIMIT_MS = 120_000;
/** Enough for the swing and for a fault that begins after five reports. */
const REPORTS = 8;

describe('Linux', { tags: ['kernel-guest'], timeout: LIMIT_MS }, () => {
  let opened: GuestRoom | Error;
  let room: GuestRoom;
  beforeAll(async () => {
    opened = await GuestRoom.open(REPUBLISH_MS).catch((error: unknown) => new Error(messageOf(error)));
  }, 480_000);
  beforeEach(({ skip }) => {
    if (opened instanceof Error) skip(`the guest did not start: ${opened.message}`);
    else room = opened;
  });
  afterEach(() => room?.guest.detach(), LIMIT_MS);
  afterAll(() => room?.[Symbol.asyncDispose](), LIMIT_MS);

  it.each(SCALE_PROFILES.names())('takes %s for the scale that it is, and reads its weight', async (name) => {
    const profile = SCALE_PROFILES.load(name);
    const scale = await room.attachScale(name);
    const about = await room.guest.run('cat /sys/class/hidraw/hidraw0/device/uevent');
    expect(about).toContain(`HID_ID=0003:${hex(profile.vendorId)}:${hex(profile.productId)}`);
    expect(about).toContain(`HID_NAME=${[profile.vendor, profile.product].filter(Boolean).join(' ')}`);
    const read = await room.guest.run('timeout 30 dd if=/dev/hidraw0 bs=64 count=1 2>/dev/null | xxd -p');
    expect(read.trim()).toBe(Buffer.from(scale.report).toString('hex'));
  });

  it.each(['stuck', 'negative', 'over-capacity', 'wrong-unit', 'drift'])(
    'reads the bytes of %s as the scale sends them',
    async (fault) => {
      const scale = await room.attachScale('dymo-m25');
      const idle = Buffer.from(scale.report);
      const id = room.plan.add({ at: 'scale/dymo-m25', fault, after: 5, times: REPORTS });
      const read = new ReadReports(idle.length);
      const { sent, stop } = recordReports(scale);
      await room.guest.stream(
        'cat /dev/hidraw0',
        (bytes) => read.take(bytes),
        async () => {
          await until('a report of the empty scale', () => read.reports.length > 0);
          scale.load(500 * GRAM);
          await until('the last report', () => sent.length > REPORTS && read.reports.at(-1) === sent.at(-1));
        },
      );
      stop();
      room.plan.remove(id);
      scale.load(0);
      // A busy machine may miss one; none comes that was not sent, and none too late.
      expect(outOfOrder(read.reports, [idle.toString('hex'), ...sent])).toEqual([]);
    },
  );

  it('zeroes a scale by writing to it', async () => {
    const scale = await room.attachScale('dymo-m25');
    scale.load(500 * GRAM);
    await until('a scale at rest', () => !scale.moving);
    await room.guest.run("printf '\\002\\001' > /dev/hidraw0");
    expect(scale.reading()?.mass[0]).toBe(0);
    scale.load(0);
  });

  it('loses a scale whose plug is pulled, and finds it again', async () => {
    const scale = await room.attachScale('dymo-m25');
    scale.unplug();
    await room.guest.run(untilTrue('! [ -e /dev/hidraw0 ]'));
    scale.plug();
    await room.attachScale('dymo-m25');
    expect(await room.guest.run('ls /dev/hidraw*')).toBe('/dev/hidraw0\n');
  });

  it('prints a label by writing to /dev/usb/lp0', async () => {
    await room.attachPrinter();
    const printed = room.desk.printed();
    await room.guest.run(`printf '${PARCEL_LABEL}' > /dev/usb/lp0`);
    const printout = await printed;
    expect(printout).toMatchObject({ kind: 'raw', origin: { protocol: 'usb' } });
    expect(printout.kind === 'raw' && Buffer.from(printout.bytes).toString()).toBe(PARCEL_LABEL);
    await expectParcelLabel(printout);
    const about = await room.guest.run('cat /sys/class/usbmisc/lp0/device/ieee1284_id');
    expect(about).toMatch(/^MFG:.*;CMD:ZPL;/);
  });
});

function until(description: string, isTrue: () => boolean): Promise<true> {
  const probe = (): true | undefined => isTrue() || undefined;
  return soon(description, '30s', probe, { every: '20ms' });
}

/** As the kernel writes an id. */
function hex(id: number): string {
  return id.toString(16).padStart(8, '0').toUpperCase();
}
