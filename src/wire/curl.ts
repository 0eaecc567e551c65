/**
 * curl: a request as a command that a person can paste into a POSIX shell.
 *
 * It shows no key: Basic credentials that carry one become `-u "$PLATEN_API_KEY:"`, and a key anywhere else
 * becomes its variable.
 */

import { shellWord } from '../common/shell-word.ts';
import type { HeaderPair } from '../common/header-pairs.ts';
import { requestTarget, type HttpRequest } from './http-exchange.ts';

/** Bodies beyond this are named, not shown. */
const BODY_SHOWN_MAX_BYTES = 4_096;

/** A secret and the shell variable that stands for it. */
export interface ShellSecret {
  readonly value: string;
  readonly variable: string;
}

/** The command that sends this request again; `-i` shows status and headers of the answer. */
export function curlCommand(request: HttpRequest, secrets: readonly ShellSecret[]): string {
  const { origin, path } = requestTarget(request);
  const { before, option } = bodyPart(request.body, secrets);
  const parts = ['curl -sS -i --path-as-is --globoff', ...methodPart(request)];
  parts.push(...request.headers.map((header) => headerPart(header, secrets)));
  // curl would call it a form.
  if (option && !hasContentType(request.headers)) parts.push("-H 'Content-Type:'");
  if (option) parts.push(option);
  parts.push(quote(origin + path, secrets));
  return before + parts.join(' ');
}

function hasContentType(headers: readonly HeaderPair[]): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'content-type');
}

/** Text with a secret in it → the text in single quotes, the secret as its variable in double quotes. */
function quote(text: string, secrets: readonly ShellSecret[]): string {
  const [secret, ...others] = secrets;
  if (!secret) return shellWord(text);
  const parts = secret.value === '' ? [text] : text.split(secret.value);
  return parts.map((part) => quote(part, others)).join(`"$${secret.variable}"`);
}

function methodPart(request: HttpRequest): readonly string[] {
  if (request.method === 'HEAD') return ['-I'];
  const implied = request.body === undefined ? 'GET' : 'POST';
  return request.method === implied ? [] : [`-X ${request.method}`];
}

function headerPart([name, value]: HeaderPair, secrets: readonly ShellSecret[]): string {
  const credentials = name.toLowerCase() === 'authorization' ? basicCredentials(value) : undefined;
  const alone = secrets.find((secret) => credentials === `${secret.value}:`);
  const [scheme = ''] = value.split(/\s/);
  if (alone && scheme === 'Basic') return `-u "$${alone.variable}:"`;
  const used = secrets.find((secret) => secret.value !== '' && credentials?.includes(secret.value));
  if (used && credentials !== undefined) {
    // Not `-u`: curl would ask for a password where there is no colon.
    return `-H "Authorization: ${scheme} $(printf %s ${quote(credentials, secrets)} | base64 | tr -d '\\n')"`;
  }
  // curl drops a header that is written `Name:`; `Name;` sends it empty.
  return value === '' ? `-H ${shellWord(`${name};`)}` : `-H ${quote(`${name}: ${value}`, secrets)}`;
}

/** The decoded `user:password` of a Basic header, or undefined for another header. */
function basicCredentials(value: string): string | undefined {
  const match = /^basic\s+([A-Za-z0-9+/=_-]*)\s*$/i.exec(value);
  return match ? Buffer.from(match[1] ?? '', 'base64').toString('utf8') : undefined;
}

interface BodyPart {
  /** What precedes the command: a pipe that makes the bytes. */
  readonly before: string;
  readonly option?: string;
}

function bodyPart(body: HttpRequest['body'], secrets: readonly ShellSecret[]): BodyPart {
  if (body === undefined) return { before: '' };
  const bytes = Buffer.from(body);
  if (bytes.length > BODY_SHOWN_MAX_BYTES) {
    return {
      before: `# body.bin: the ${bytes.length} bytes of the body, not shown\n`,
      option: '--data-binary @body.bin',
    };
  }
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes) && !text.includes('\0');
  if (isText && !text.startsWith('@')) return { before: '', option: `--data-binary ${quote(text, secrets)}` };
  // Octal escapes: the only ones that every printf knows.
  const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  return { before: `printf '${octal}' | `, option: '--data-binary @-' };
}
