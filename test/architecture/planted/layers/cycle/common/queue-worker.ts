import { start } from './clock.ts';

export const first = start;
