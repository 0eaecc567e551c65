/**
 * Target descriptor: a file that says where a service is, what it offers, and how to control it, so that a run needs
 * no flags and no file holds a secret.
 *
 *   text ─► YAML with positions ─► ${VARIABLES} ─► schema ─► TargetDescriptor, or problems at line and column
 *
 * docs/target.md is written from this schema.
 */

import { z } from 'zod';

import { duration } from '../common/duration-schema.ts';
import { isObject } from '../common/json-value.ts';
import { failure, type Outcome } from '../common/outcome.ts';
import type { Path, Problem } from '../common/problem.ts';
import { readFileAs } from '../common/schema-problems.ts';
import { readYaml, type YamlSource } from '../common/yaml-source.ts';
import { ENDPOINT_NAMES, OFFER_GROUPS, type EndpointName, type OfferGroup } from './offers.ts';
import { dialectSchema } from './dialect.ts';

const text = (what: string): z.ZodString => z.string().min(1).describe(what);

const hook = (what: string) =>
  z
    .union([
      z.strictObject({
        http: z.strictObject({
          url: text('where to'),
          method: z.string().optional().describe('`POST` by default'),
          headers: z.record(z.string(), z.string()).optional().describe('name and value'),
          body: z.string().optional().describe('sent unchanged'),
        }),
      }),
      z.strictObject({
        command: text('run by the shell, in the folder of this file and with the environment variables of platen'),
      }),
      z.strictObject({
        module: text('a module beside this file, whose export `hook` is called with `{ ms, url }`'),
      }),
    ])
    .optional()
    .describe(what);

/** What a target may lack beside parts of the API. */
const LACKABLE = [
  'computer',
  'second-account',
  'integrator',
  'child-account',
  'webhook-receiver',
  'document-host',
  'authentication-endpoint',
  'scale',
  'websocket',
] as const;

/** What a descriptor says of a service: whether a part of the API is there, by its name in src/targets/offers.ts. */
export type Declarable = (typeof LACKABLE)[number] | OfferGroup | EndpointName;

/** How it is known that a service has come up, which platen starts. */
const comingUp = {
  ready: z
    .string()
    .startsWith('/')
    .optional()
    .describe('path that is polled until the service answers with a status below 500; `/ping` by default'),
  startLimit: duration.optional().describe('how long the service may take to answer; `60s` by default'),
};

const imageSchema = z.strictObject({
  name: text('name of the image, as `docker run` takes it; `--image` wins'),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('port that the service listens on; the one that the image exposes by default'),
  environment: z
    .record(z.string(), z.string())
    .optional()
    .describe('environment variables of the service: name and value'),
  command: z.array(z.string()).min(1).optional().describe('command instead of that of the image, word by word'),
  ...comingUp,
});

export type ImageDescription = z.infer<typeof imageSchema>;

const startSchema = z.strictObject({
  command: text(
    'run by the shell, in the folder of this file; `--start` wins. `{port}`, `{folder}` and `{key}` stand for a free port, an empty folder for its data and the first key; it finds the same in its environment, as PORT, DATA_DIR and API_KEY',
  ),
  environment: z
    .record(z.string(), z.string())
    .optional()
    .describe('environment variables of the service: name and value, with the same in braces'),
  says: text(
    'JSON file that the service writes when it is up, such as `{folder}/ready.json`; in `url` and `keys` its fields may stand in braces, such as `{apiKey}`',
  ).optional(),
  ...comingUp,
});

export type StartDescription = z.infer<typeof startSchema>;

const clientSchema = z
  .strictObject({
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe(
        'the program and its arguments, word by word, run in the folder of this file; with `image` the command inside. `{url}`, `{key}`, `{computer}`, `{cups}` and `{folder}` stand for the address of the service, the key to connect with, the name that the computer is to have, the print system (CUPS_SERVER is set as well) and a folder that is kept while the computer exists',
      ),
    image: text('image of the client program, which is run by `docker` on the network of this machine').optional(),
    environment: z
      .record(z.string(), z.string())
      .optional()
      .describe('environment variables of the program: name and value, with the same variables in braces'),
  })
  .refine(({ command, image }) => (command ?? image) !== undefined, {
    message: 'a client has a `command` or an `image`',
  });

export type ClientDescription = z.infer<typeof clientSchema>;

const descriptorSchema = z.strictObject({
  url: text(
    'base address of the service; an address on the command line wins; required without `start` or `image`',
  ).optional(),
  start: startSchema
    .optional()
    .describe(
      'command that starts the service for the run, at `http://127.0.0.1:{port}` or at `url`; it is stopped after the run with all that it started. An address on the command line wins',
    ),
  clock: z
    .enum(['moved', 'real'])
    .optional()
    .describe(
      'time of a service that `start` starts: `moved` by libfaketime, without a hook; by default it is moved where that works, and else real',
    ),
  image: imageSchema
    .optional()
    .describe(
      'image that is started in a container for the run, which is removed after it; wins over `url`, not over an address on the command line',
    ),
  keys: z
    .strictObject({
      main: text(
        'API key of the account that the checks work in, `PLATEN_API_KEY` where it is left out; that of an Integrator Account gives checks accounts of their own',
      ),
      second: z.string().min(1).optional().describe('API key of an unrelated account'),
      integrator: z
        .string()
        .min(1)
        .optional()
        .describe('API key of an Integrator Account, if `main` is not one: checks of Child Accounts use it'),
    })
    .describe('write them as `${VARIABLE}`, so that the file holds no secret; flags of the command line win'),
  link: z
    .union([
      z.literal('websocket'),
      z.strictObject({ module: text('a module beside this file, whose export `link` is a DeviceLink') }),
    ])
    .optional()
    .describe('how virtual computers reach the service: `websocket` where it speaks device-link.md'),
  client: clientSchema
    .optional()
    .describe(
      "the service's own client program, which platen starts for each virtual computer beside a print system; instead of `link`",
    ),
  use: z
    .strictObject({
      printer: z
        .union([z.int().min(1), z.string().min(1)])
        .describe('id or name of a printer of the account; what they submit to it may be printed'),
    })
    .optional()
    .describe(
      'what the account has already and checks, scenarios, days and loads may use, instead of `link` and `client`: checks that need the end of a computer are untestable then',
    ),
  capabilities: z
    .partialRecord(z.enum([...LACKABLE, ...OFFER_GROUPS, ...ENDPOINT_NAMES]), z.boolean())
    .optional()
    .describe(
      'what the service offers: checks of what is `false` are not applicable instead of untestable; a contradiction is reported, and the run does not pass',
    ),
  dialect: dialectSchema
    .optional()
    .describe(
      'how the service answers what the specification leaves open; what is left out is asked when it is needed',
    ),
  callback: z
    .strictObject({
      host: text(
        'name or address under which the service reaches this machine; webhook receivers then listen on all interfaces, else on loopback alone',
      ),
    })
    .optional()
    .describe('where the service sends webhooks to'),
  rate: z
    .strictObject({
      requestsPerSecond: z
        .number()
        .min(0.1)
        .max(1_000)
        .describe('requests a second that a run may send to one account; 9.8 by default'),
    })
    .optional()
    .describe('request budget'),
  waits: duration
    .optional()
    .describe(
      'how long a check may wait on a real clock, such as `60s`: what would take longer is reported as not judged, and does not make the run incomplete',
    ),
  tolerance: duration
    .optional()
    .describe(
      'how much later than due something may happen, such as `3s`, where that is more than tolerances.md grants',
    ),
  hooks: z
    .strictObject({
      reset: hook('called once before the run; with an image, once the service in it answers'),
      advanceClock: hook(
        'advances the clock of the service by `{ms}` milliseconds or `{seconds}` seconds, and answers when everything that came due is done; all waits of a run use it, and checks run one after the other. What the specification times has to follow it: times that are shown, ages, expiry, retries of webhooks, retention, idempotency keys. The heartbeats of the link and the request limit may stay on real time',
      ),
      restart: hook(
        'kills the service and starts it again on what it has stored, and answers when it is up: the step `restart` of a scenario and days of `platen explore` use it',
      ),
    })
    .optional()
    .describe('how to control the service; `{url}` is its address'),
});

/** Ways to a printer, of which a target has one. */
const WAYS = ['link', 'client', 'use'] as const;

export const targetSchema = descriptorSchema
  .refine(({ url, start, image }) => (url ?? start ?? image) !== undefined, {
    message: 'a target has a `url`, a `start` or an `image`',
  })
  .refine(({ start, image }) => (start && image) === undefined, {
    message: 'a service is started by `start` or from an `image`, not by both',
    path: ['image'],
  })
  .superRefine((target, context) => {
    const [way, other] = WAYS.filter((key) => target[key] !== undefined);
    if (other === undefined) return;
    const message = `printers are reached by \`${way}\` or by \`${other}\`, not by both`;
    context.addIssue({ code: 'custom', message, path: [other] });
  });

export type TargetDescriptor = z.infer<typeof targetSchema>;
export type HookDescription = NonNullable<NonNullable<TargetDescriptor['hooks']>['reset']>;

/** Keys that win over those of the file. */
export type KeysGiven = Readonly<Partial<TargetDescriptor['keys']>>;

/** Reads a descriptor; variables come from `environment`. */
export function readDescriptor(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  given: KeysGiven = {},
): Outcome<TargetDescriptor, readonly Problem[]> {
  const source = readYaml(file);
  if (!source.ok) return source;
  const problems: Problem[] = [];
  const value = interpolate(withKeys(source.value.value, {}, given), [], {
    environment,
    source: source.value,
    problems,
  });
  const parsed = readFileAs(targetSchema, { ...source.value, value: withKeys(value, mainKeyOf(environment), {}) });
  if (parsed.ok && problems.length === 0) return parsed;
  return failure([...problems, ...(parsed.ok ? [] : parsed.error)]);
}

/** The variable that holds the key on a command line and in workflows. */
const MAIN_KEY = 'PLATEN_API_KEY';

function mainKeyOf({ [MAIN_KEY]: main }: Interpolation['environment']): KeysGiven {
  return main === undefined ? {} : { main };
}

/** A descriptor with keys: where it names none, where it names others. */
function withKeys(value: unknown, missing: KeysGiven, given: KeysGiven): unknown {
  if (Object.keys({ ...missing, ...given }).length === 0 || !isObject(value)) return value;
  const { keys = {} } = value;
  return isObject(keys) ? { ...value, keys: { ...missing, ...keys, ...given } } : value;
}

interface Interpolation {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly source: YamlSource;
  readonly problems: Problem[];
}

const REFERENCE = /\$\{([^}]*)\}/g;
/** `NAME`, or `NAME:-its default`. */
const VARIABLE = /^([A-Za-z_]\w*)(?::-(.*))?$/s;

function interpolate(value: unknown, path: Path, context: Interpolation): unknown {
  if (Array.isArray(value)) return value.map((item, index) => interpolate(item, [...path, index], context));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, interpolate(item, [...path, key], context)]),
    );
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(REFERENCE, (written: string, inside: string) => {
    const [, name = '', instead] = VARIABLE.exec(inside) ?? [];
    const found = context.environment[name] ?? instead;
    if (found !== undefined) return found;
    // A shell knows more of them, such as `${NAME%.html}`.
    const isForShell = name === '' && path.includes('command');
    if (!isForShell) context.problems.push(context.source.problemAt(path, missingVariable(written, name)));
    // What stands there goes on to the schema: all problems of a file are reported at once.
    return written;
  });
}

function missingVariable(written: string, name: string): string {
  if (name !== '') return `the environment variable ${name} is not set`;
  return `'${written}' names no variable: write \${NAME}, or \${NAME:-text} for one that may be missing`;
}
