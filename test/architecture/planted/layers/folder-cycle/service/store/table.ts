import { Page } from '../gate/paging.ts';

export const TABLE: Page = { limit: 1 };
