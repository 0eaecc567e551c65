/** Every manner, in the order in which an answer is read. */

import { absentBodies, absentFields, absentHeaders } from './absences.ts';
import type { Manner } from './manner.ts';
import { otherKeys, otherTypes } from './names-and-types.ts';
import { otherOrder } from './order.ts';
import { otherShapes } from './shapes.ts';
import { otherCodes, otherErrors, otherRefusals, otherSuccess } from './statuses.ts';

export const MANNERS: readonly Manner[] = [
  otherErrors,
  otherRefusals,
  otherCodes,
  otherShapes,
  otherKeys,
  otherTypes,
  otherOrder,
  absentBodies,
  otherSuccess,
  absentFields,
  absentHeaders,
];
