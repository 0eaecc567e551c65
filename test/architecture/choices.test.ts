import { describe, expect, it } from 'vitest';

import { CHOICES } from '../../src/service/choices.ts';
import { GAPS } from '../../src/spec/gaps.ts';

describe('the choices of the reference service', () => {
  it('fill every gap of the specification, and no other', () => {
    expect(Object.keys(CHOICES).toSorted()).toEqual(GAPS.map(({ id }) => id).toSorted());
  });
});
