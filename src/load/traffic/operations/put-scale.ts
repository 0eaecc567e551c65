/**
 * Simulated readings: PUT /scale gives the account's test scale a new reading, which is sent to subscribers.
 */

import type { Operation } from '../request-sender.ts';

const HEAVIEST_GRAMS = 25_000;
const MICROGRAMS_A_GRAM = 1e6;

export const putScale: Operation = (arrival, sender) => {
  const attempt = sender.begin(arrival);
  if (!attempt) return;
  const grams = arrival.draw % HEAVIEST_GRAMS;
  const body = `{"mass":[${grams * MICROGRAMS_A_GRAM},null],"measurement":{"g":${grams * 1e9}}}`;
  attempt.ask('PUT', '/scale', body);
  sender.send(attempt);
};
