import { SIZE } from '../list.ts';

export const KEYS = SIZE;
