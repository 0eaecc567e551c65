/** Questions about lists and sets. */

import { LIST_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { CheckContext } from '../context/context.ts';
import { UNKNOWN_ID } from '../context/unknown-ids.ts';
import { expectRefusal, expectStatus, expectSuccess, type Answer } from '../expect/answer.ts';
import { asRecords, isId } from '../expect/records.ts';
import { untold, type Questions } from './question.ts';

/** The greatest first. The last one is the default page size, which is printed. */
const LIMITS_TRIED = [1_000_000, 1_000, 500, 250, 200, LIMITS.pageSize.value];

/** `done` of a success, `refused` of a 4xx. Ends the asking for anything else. */
export function deedOf<Done extends string>(
  { require }: Pick<CheckContext, 'require'>,
  answer: Answer,
  done: Done,
): Done | 'refused' {
  if (expectRefusal(answer) === undefined) return 'refused';
  require(expectSuccess(answer));
  return done;
}

/** A printer of the account: one of its own where computers can be connected, else one that is there. */
async function somePrinter({ api, computers, target }: CheckContext): Promise<number> {
  if (target.link) return (await computers.away()).printerId;
  const id = asRecords((await api.get('/printers')).value)?.[0]?.['id'];
  return isId(id) ? id : untold('the account has no printer, and the target no link for computers');
}

export const LIST_QUESTIONS: Questions<'greatest-limit' | 'after-unlisted'> = {
  'greatest-limit': {
    gap: 'gap/limit-upper-bound',
    async ask({ api, require }) {
      const [first] = LIMITS_TRIED;
      for (const limit of LIMITS_TRIED) {
        const answer = await api.get(`/printers?limit=${limit}`);
        if (expectRefusal(answer) === undefined) continue;
        require(expectStatus(answer, 200));
        const used = Number(answer.header(LIST_HEADERS.limit.name));
        // Without the header there is no telling whether it was cut, and the default page size is printed.
        if (!isId(used)) return { most: LIMITS.pageSize.value, above: 'cut' };
        if (used < limit) return { most: used, above: 'cut' };
        return { most: limit, above: limit === first ? 'taken' : 'refused' };
      }
      return untold('every limit was refused');
    },
    words: ({ most, above }) => {
      if (above === 'taken') return `a limit of ${most} is taken`;
      return above === 'cut' ? `a limit above ${most} is cut` : `a limit of ${most} is taken, and much more is refused`;
    },
  },
  'after-unlisted': {
    gap: 'gap/after-without-record',
    async ask(context) {
      const id = await somePrinter(context);
      return deedOf(context, await context.api.get(`/printers/${id}?after=${UNKNOWN_ID}`), 'taken');
    },
    words: (answer) => `after with an id that is not in the list is ${answer}`,
  },
};
