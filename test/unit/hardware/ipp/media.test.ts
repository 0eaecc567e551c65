import { describe, expect, it } from 'vitest';

import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { mediaOf } from '../../../../src/hardware/ipp/media.ts';

/** Self-describing names as PWG 5101.1 spells them. */
const SELF_DESCRIBING =
  /^(custom|na|oe|roc|iso|jis|jpn|prc|om)_[a-z0-9][-a-z0-9]*_(\d+(\.\d*[1-9])?)x(\d+(\.\d*[1-9])?)(in|mm)$/;

describe.each(PRINTER_PROFILES.names())('the media of %s', (name) => {
  const profile = PRINTER_PROFILES.load(name);
  const { media, sources, types } = mediaOf(profile);

  it('have a name of their own each, in the form of PWG 5101.1', () => {
    const names = media.map((medium) => medium.name);
    expect(names.filter((one) => !SELF_DESCRIBING.test(one))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are every paper of the profile that has a size, at least one', () => {
    const sized = Object.entries(profile.capabilities?.papers ?? {}).filter(([, [width, height]]) => width && height);
    const named = media.flatMap(({ paper }) => (paper === null ? [] : [paper]));
    expect(named.toSorted()).toEqual(sized.map(([paper]) => paper).toSorted());
    expect(media.length).toBeGreaterThan(0);
  });

  it('begin with the default paper, where it has a size', () => {
    const isFirst = media[0]?.paper === profile.defaults.paper;
    expect(isFirst || !media.some(({ paper }) => paper === profile.defaults.paper)).toBe(true);
  });

  it('have a keyword of their own for each tray and type', () => {
    for (const keywords of [sources, types]) {
      const words = keywords.map(({ keyword }) => keyword);
      expect(new Set(words).size).toBe(words.length);
      expect(words.filter((word) => !/^[a-z0-9][-a-z0-9]*$/.test(word))).toEqual([]);
    }
    expect(sources.map((source) => source.name)).toEqual(profile.capabilities?.bins ?? []);
  });
});
