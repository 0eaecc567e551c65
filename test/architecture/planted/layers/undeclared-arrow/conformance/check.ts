import { jobs } from '../service/store.ts';
import {
  answer,
  // A list over several lines is one import all the same.
} from '../targets/remote.ts';

export const agrees = jobs.length === answer;
