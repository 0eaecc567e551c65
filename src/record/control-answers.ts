/**
 * Control answers: what the schemas of the control API are made of. Each answer has the name that the OpenAPI document
 * gives it.
 *
 * Times are milliseconds since 1970 on the clock of the workbench, unless a name says otherwise.
 */

import { z } from 'zod';

/** Answers by the name that the OpenAPI document gives them. */
export const answers = z.registry<{ readonly id: string }>();

export function answer<Shape extends z.ZodRawShape>(name: string, shape: Shape): z.ZodObject<Shape> {
  return z.object(shape).register(answers, { id: name });
}

export const id = z.number().int();
export const ms = z.number().describe('milliseconds since 1970 on the clock of the workbench');
export const count = z.number().int();
export const text = z.string();
export const anything = z.record(z.string(), z.unknown());
export const headers = z.record(z.string(), z.string());
export const named = z.object({ id, name: text });
