import { TAGS } from './accounts/tags.ts';

export const LIST = [TAGS];
export const SIZE = 100;
