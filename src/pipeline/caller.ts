/**
 * Caller: submits jobs to a pipeline and asks for their state, by HTTP or by a command, as its file says.
 */

import { NotJson, parseJson } from '../common/json-value.ts';
import { valueAt } from '../common/places.ts';
import { within } from '../common/waiter.ts';
import { GuardedChild } from '../targets/guarded-child.ts';
import { createHttpSender, type HttpSender } from '../wire/http-exchange.ts';
import type { Pipeline, StateQuestion, Submit } from './pipeline-file.ts';
import { filled, type Values } from './values.ts';

const LIMIT_MS = 5_000;
const SHOWN_CHARACTERS = 100;
/** Nothing in it means more to a shell or a program, quoted or not: the pipeline says what the id of a job is. */
const WORD_OF_COMMANDS = /^[\w.:/@+][\w.:/@+-]*$/;

/** What came of a submission; whether a job was taken is unknown where no answer came. */
export type Submitted =
  | { readonly outcome: 'taken'; readonly id: string; readonly said: string }
  | { readonly outcome: 'refused' | 'unknown'; readonly said: string };

/** What a pipeline says of a job. */
export interface Fate {
  readonly kind: 'done' | 'failed' | 'uncertain' | 'open';
  /** The word as it came, or why none did. */
  readonly word: string;
}

export class Caller {
  readonly #pipeline: Pipeline;
  readonly #values: Values;
  readonly #sender: HttpSender = createHttpSender({ limitMs: LIMIT_MS });

  /** @param values - what names stand for that are no job's */
  constructor(pipeline: Pipeline, values: Values) {
    this.#pipeline = pipeline;
    this.#values = values;
  }

  async submit(job: Values): Promise<Submitted> {
    const { submit } = this.#pipeline;
    const told = filled(submit, { ...this.#values, ...job });
    const answer = told.command === undefined ? await this.#request(told) : await this.#call(told.command);
    if (answer.kind !== 'answered') return { outcome: answer.kind, said: answer.text };
    return { outcome: 'taken', id: idIn(answer.text, submit.id) ?? job['key'] ?? '', said: shown(answer.text) };
  }

  /** Undefined where the file does not say how it is asked. */
  async fateOf(job: Values): Promise<Fate | undefined> {
    const { state } = this.#pipeline;
    if (state === undefined) return undefined;
    const { id = '' } = job;
    if (state.command?.includes('{id}') && !WORD_OF_COMMANDS.test(id)) {
      return { kind: 'open', word: `its id ${shown(JSON.stringify(id))} is no word for a command` };
    }
    const told = filled(state, { ...this.#values, ...job });
    const answer =
      told.command === undefined ? await this.#request({ method: 'GET', ...told }) : await this.#call(told.command);
    return answer.kind === 'answered' ? fateIn(answer.text, state) : { kind: 'open', word: answer.text };
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  async #request({ url = '', method = 'POST', headers = {}, body }: Partial<Submit>): Promise<Answer> {
    const { origin, pathname, search } = new URL(url);
    const isJson = typeof body === 'object';
    const outcome = await this.#sender.send({
      method,
      baseUrl: origin,
      path: pathname + search,
      headers: [...(isJson ? [['Content-Type', 'application/json'] as const] : []), ...Object.entries(headers)],
      body: isJson ? JSON.stringify(body) : body,
    });
    if (!outcome.ok) return { kind: 'unknown', text: outcome.error.message };
    const { status, body: answer } = outcome.value.response;
    const text = answer.toString('utf8');
    return status >= 200 && status < 300
      ? { kind: 'answered', text }
      : { kind: 'refused', text: `${status} ${shown(text)}` };
  }

  async #call(command: string): Promise<Answer> {
    const { folder: cwd } = this.#pipeline;
    const child = new GuardedChild({ command: ['sh', '-c', command], environment: process.env, cwd });
    await within(child.exited, { description: 'the end of a command', limit: LIMIT_MS }).catch(() => undefined);
    child.kill('SIGKILL');
    await child.exited;
    const text = child.lines.join('\n');
    return child.exitCode === 0
      ? { kind: 'answered', text }
      : { kind: 'unknown', text: `${text}\n${child.end}`.trim() };
  }
}

interface Answer {
  readonly kind: 'answered' | 'refused' | 'unknown';
  readonly text: string;
}

/** A number or a text at a place of JSON; the text as a whole without a place. */
function wordIn(text: string, place: string | undefined): string | undefined {
  if (place === undefined) return text.trim();
  const value = parseJson(Buffer.from(text));
  const found = value instanceof NotJson ? undefined : valueAt(value, place);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined;
}

function idIn(text: string, place: string | undefined): string | undefined {
  return place === undefined ? undefined : wordIn(text, place);
}

function fateIn(text: string, { path, done, failed = [], uncertain = [] }: StateQuestion): Fate {
  const word = wordIn(text, path);
  if (word === undefined) return { kind: 'open', word: `no state in ${shown(text)}` };
  const means = (all: StateQuestion['done']): boolean => all.some((one) => String(one) === word);
  const kind = means(done) ? 'done' : means(failed) ? 'failed' : means(uncertain) ? 'uncertain' : 'open';
  return { kind, word: shown(word) };
}

function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
