/**
 * Hook: how a run controls a service: by an HTTP call, a command or a module.
 */

import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ActionableError, usageError } from '../common/actionable-error.ts';
import { messageOf } from '../common/error-message.ts';
import { foundAt } from '../common/named-place.ts';
import { within } from '../common/waiter.ts';
import { createHttpSender, type HttpSender } from '../wire/http-exchange.ts';
import type { HookDescription } from './descriptor.ts';

/** Calls a hook; only a clock uses `ms`. @throws ActionableError when it fails */
export type Hook = (ms: number) => Promise<void>;

interface HookCall {
  readonly ms: number;
  readonly url: string;
}

/** Replaces placeholders in braces by values. */
type Fill = (text: string) => string;

const LIMIT_MS = 60_000;
const IN_DESCRIPTOR = 'Correct it in the target descriptor: docs/target.md describes hooks.';

export interface HookPlace {
  /** The folder of the descriptor: commands run and modules are found there. */
  readonly folder: string;
  /** The address of the service. */
  readonly url: string;
}

export function createHook(name: string, description: HookDescription, place: HookPlace): Hook {
  const call = callOf(description, place);
  return async (ms) => {
    try {
      await within(call(ms), { description: `the hook ${name}`, limit: LIMIT_MS });
    } catch (error) {
      if (error instanceof ActionableError) throw error;
      const reason = messageOf(error);
      throw new ActionableError(
        'unreachable',
        `the hook ${name} failed: ${reason}`,
        'Run it alone, exactly as the target descriptor says.',
        { cause: error },
      );
    }
  };
}

function callOf(description: HookDescription, { folder, url }: HookPlace): Hook {
  const fillFor =
    (ms: number): Fill =>
    (text) =>
      text
        .replaceAll('{ms}', String(ms))
        .replaceAll('{seconds}', String(ms / 1_000))
        .replaceAll('{url}', url);
  if ('http' in description) {
    // Kept between calls: a clock is moved thousands of times.
    const sender = createHttpSender({ limitMs: LIMIT_MS });
    return (ms) => callHttp(sender, description.http, fillFor(ms));
  }
  if ('command' in description) return (ms) => callCommand(fillFor(ms)(description.command), folder);
  return (ms) => callModule(path.resolve(folder, description.module), { ms, url });
}

async function callHttp(
  sender: HttpSender,
  { url, method = 'POST', headers = {}, body }: Extract<HookDescription, { http: unknown }>['http'],
  fill: Fill,
): Promise<void> {
  const address = fill(url);
  if (!URL.canParse(address)) throw usageError(`a hook has no valid address: '${address}'`, IN_DESCRIPTOR);
  const target = new URL(address);
  const outcome = await sender.send({
    method,
    baseUrl: target.origin,
    path: target.pathname + target.search,
    headers: Object.entries(headers).map(([name, value]) => [name, fill(value)] as const),
    body: body && fill(body),
  });
  if (!outcome.ok) throw new Error(`no answer (${outcome.error.kind}: ${outcome.error.message})`);
  const { status } = outcome.value.response;
  if (status >= 300) throw new Error(`${method} ${target.origin}${target.pathname} answered ${status}`);
}

function callCommand(command: string, folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, { cwd: folder, shell: true, timeout: LIMIT_MS }, (error) => {
      // Its message ends with what the command wrote to stderr.
      if (error) reject(new Error(error.message.trim()));
      else resolve();
    });
  });
}

async function callModule(file: string, call: HookCall): Promise<void> {
  if (!foundAt(file)?.isFile()) throw usageError(`there is no module ${file} for a hook`, IN_DESCRIPTOR);
  const found = (await import(pathToFileURL(file).href)) as { readonly hook?: unknown };
  if (typeof found.hook !== 'function') throw usageError(`${file} exports no function \`hook\``, IN_DESCRIPTOR);
  await (found.hook as (call: HookCall) => unknown)(call);
}
