/**
 * Simulated readings: PUT /scale gives the account's test scale a new one, which whoever subscribed hears of.
 */

import type { Operation } from './operation.ts';

const HEAVIEST_GRAMS = 25_000;
const MICROGRAMS_A_GRAM = 1e6;

export const putScale: Operation = (arrival, desk) => {
  const flight = desk.begin(arrival);
  if (!flight) return;
  const grams = arrival.draw % HEAVIEST_GRAMS;
  flight.request.method = 'PUT';
  flight.request.path = '/scale';
  flight.request.headers = flight.account.writeHeaders;
  flight.request.body = `{"mass":[${grams * MICROGRAMS_A_GRAM},null],"measurement":{"g":${grams * 1e9}}}`;
  desk.launch(flight);
};
