/** Every question, in the order in which reports show them. */

import type { QuestionId } from '../../targets/dialect.ts';
import { ACCOUNT_QUESTIONS } from './account-questions.ts';
import { EVENT_QUESTIONS } from './event-questions.ts';
import { JOB_QUESTIONS } from './job-questions.ts';
import { LIST_QUESTIONS } from './list-questions.ts';
import type { Questions } from './question.ts';

export const QUESTIONS: Questions<QuestionId> = {
  ...LIST_QUESTIONS,
  ...ACCOUNT_QUESTIONS,
  ...JOB_QUESTIONS,
  ...EVENT_QUESTIONS,
};
