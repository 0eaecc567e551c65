/**
 * Operations that read: a GET whose answer needs no further handling.
 */

import type { LoadAccount } from '../load-account.ts';
import type { Operation } from '../request-sender.ts';

/** @param pathOf - the path for an account; `draw` is 32 random bits */
function readOperation(pathOf: (account: LoadAccount, draw: number) => string, isAuthenticated = true): Operation {
  return (arrival, sender) => {
    const attempt = sender.begin(arrival);
    if (!attempt) return;
    attempt.ask('GET', pathOf(attempt.account, arrival.draw));
    if (!isAuthenticated) attempt.request.headers = [];
    sender.send(attempt);
  };
}

/** One of the jobs that the account submitted last; before the first, its newest. */
export const job = readOperation((account, draw) => {
  const id = account.recentJob(draw);
  return id === undefined ? '/printjobs?limit=1' : `/printjobs/${id}`;
});

/** States of one of the jobs that the account submitted last; before the first, of its newest jobs. */
export const states = readOperation((account, draw) => {
  const id = account.recentJob(draw);
  return id === undefined ? '/printjobs/states?limit=10' : `/printjobs/${id}/states`;
});

/** Scales of one of the account's computers; computer 0 has the test scale of every account. */
export const readScales = readOperation(({ computerIds }, draw) => {
  const computer = computerIds[draw % Math.max(1, computerIds.length)] ?? 0;
  return `/computer/${computer}/scales`;
});

export const whoami = readOperation(() => '/whoami');
export const noop = readOperation(() => '/noop');
export const ping = readOperation(() => '/ping', false);
