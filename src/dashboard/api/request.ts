/**
 * Request: one call of the control API. What is refused becomes a WorkbenchProblem with the message of the
 * workbench, which says what to do.
 */

const PREFIX = '/_platen';

export class WorkbenchProblem extends Error {
  override readonly name = 'WorkbenchProblem';
  /** By which the workbench names it; empty where it names none. */
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

type Headers = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of something below /_platen. */
export function pathTo(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return `${PREFIX}${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

export function get<T>(path: string, query: Query = {}, headers: Headers = {}): Promise<T> {
  return call<T>('GET', pathTo(path, query), undefined, headers);
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return call<T>('POST', pathTo(path), body);
}

export function remove<T>(path: string, query: Query = {}): Promise<T> {
  return call<T>('DELETE', pathTo(path, query), undefined);
}

async function call<T>(method: string, url: string, body: unknown, headers: Headers = {}): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new WorkbenchProblem('The workbench does not answer. Is platen still running?');
  });
  const text = await response.text();
  if (!response.ok) throw problemOf(text, response.status);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function problemOf(text: string, status: number): WorkbenchProblem {
  try {
    const answer = JSON.parse(text) as Readonly<Record<'message' | 'problem' | 'code', unknown>>;
    const { message, problem = message, code } = answer;
    if (typeof problem === 'string') return new WorkbenchProblem(problem, String(code));
  } catch {
    // Not ours, or cut off: the status has to do.
  }
  return new WorkbenchProblem(`the workbench answered with status ${status}`);
}
