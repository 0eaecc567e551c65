import { TABLE } from '../store/table.ts';

export const LIMIT = TABLE.limit;
