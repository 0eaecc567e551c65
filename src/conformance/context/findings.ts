/**
 * Findings: what a check says about its clauses while it runs.
 */

import { requestName } from '../../common/request-name.ts';
import { monotonicMs } from '../../common/stopwatch.ts';
import { BeyondProgram } from '../../link/device-link.ts';
import type { LinkClauseId } from '../../link/link-clauses.ts';
import { describeMismatch, type Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import type { Deviation } from '../../stage/deviation.ts';
import { firstOf } from '../expect/that.ts';
import type { Transport } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';
import type { JudgedId, Judgement, NumberedExchange } from './judgement.ts';
import type { MetDeviation } from './reader.ts';

/** What a check expected: of several expectations, the first one that does not hold counts. */
type Expected = [first: Mismatch | undefined, ...more: (Mismatch | undefined)[]];

/** The part of the context with which a check speaks. */
export interface Speaking {
  /** Judges a clause; true when it was kept. */
  readonly judge: (clause: ClauseId | LinkClauseId, ...expected: Expected) => boolean;
  /** Judges a clause, and ends the check when it was broken. */
  readonly demand: (clause: ClauseId | LinkClauseId, ...expected: Expected) => void;
  /** As `judge`, by what a client program may not show: then the clause is left out of the verdict, with a note. */
  readonly judgeIfSeen: (clause: ClauseId, look: () => Promise<Mismatch | undefined>) => Promise<void>;
  /** Records what the service does where the specification leaves it open. */
  readonly observe: (clause: JudgedId, observation: string) => void;
  /** Ends the check when something it builds on, and does not itself judge, did not work. */
  readonly require: (...expected: Expected) => void;
  /** Something a reader of the report wants to know. */
  readonly note: (text: string) => void;
}

export interface Findings {
  readonly speaking: Speaking;
  readonly judgements: readonly Judgement[];
  readonly notes: readonly string[];
  /** Clauses that could not be judged, in one place at least. */
  readonly unseen: ReadonlySet<string>;
}

export function createFindings({ signal, exchanges, met }: Transport): Findings {
  const judgements: Judgement[] = [];
  const notes: string[] = [];
  const unseen = new Set<string>();

  const judge = (clause: ClauseId | LinkClauseId, ...expected: Expected): boolean => {
    signal.throwIfAborted();
    const mismatch = firstOf(...expected);
    const counted = mismatch && countedAs(mismatch, clause, met);
    if (!mismatch || counted) {
      judgements.push({ clause, ...(counted && { countedIn: counted.id }) });
      return true;
    }
    judgements.push({ clause, mismatch: placed(mismatch, exchanges), atMs: monotonicMs() });
    return false;
  };

  return {
    judgements,
    notes,
    unseen,
    speaking: {
      judge,
      demand(clause, ...expected) {
        const mismatch = firstOf(...expected);
        if (!judge(clause, mismatch) && mismatch) throw new CheckEnded('pass', describeMismatch(mismatch));
      },
      async judgeIfSeen(clause, look) {
        try {
          judge(clause, await look());
        } catch (error) {
          if (!(error instanceof BeyondProgram)) throw error;
          unseen.add(clause);
          notes.push(`${clause} is not judged: ${error.message}`);
        }
      },
      observe: (clause, observation) => void judgements.push({ clause, observation }),
      require(...expected) {
        const mismatch = firstOf(...expected);
        const counted = mismatch && countedAs(mismatch, undefined, met);
        if (mismatch)
          throw new CheckEnded(
            'blocked',
            counted ? { kind: 'deviation', name: counted.id } : placed(mismatch, exchanges),
          );
      },
      note: (text) => void notes.push(text),
    },
  };
}

/** The deviation that a mismatch is met by, where another clause prints what is missing. */
function countedAs(
  mismatch: Mismatch,
  clause: string | undefined,
  met: readonly MetDeviation[],
): Deviation | undefined {
  return met
    .map(({ deviation }) => deviation)
    .find((deviation) => {
      const isOfAnother = !deviation.clauses.some((one) => one === clause);
      return isOfAnother && isAbout(mismatch, deviation);
    });
}

/**
 * A header is looked for by what stands elsewhere as well; and what is not there is not expected elsewhere. A place has
 * the names of fields and headers as the specification prints them.
 */
function isAbout({ at, expected, absent }: Mismatch, { missing, isUnknown }: Deviation): boolean {
  if (missing === undefined) return false;
  if (Array.isArray(absent) && absent.join() === missing) return true;
  const place = isUnknown || missing.includes('-') ? `${at} ${expected}` : at;
  const isNamed = new RegExp(String.raw`(^|[\s.])${missing}s?\b`, 'i').test(place);
  return isNamed && (isUnknown === true || absent === 'all');
}

/** A mismatch with the exchange that shows it: the one it names, or else the last one. */
function placed(mismatch: Mismatch, exchanges: readonly NumberedExchange[]): Mismatch {
  const named = exchanges.filter(({ exchange: { request } }) => names(mismatch.at, requestName(request)));
  const shown = (named.length > 0 ? named : exchanges).at(-1)?.position;
  return shown === undefined ? mismatch : { exchange: shown, ...mismatch };
}

/** Whether a text has this request in it, and not only the beginning of a longer one. */
function names(text: string, request: string): boolean {
  const start = text.indexOf(request);
  return start !== -1 && !/^(?:[\w/?&=.%-]|,\w)/.test(text.slice(start + request.length));
}
