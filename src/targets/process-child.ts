/**
 * The child process of a process target: the reference service alone, on real time, until it is ended.
 *
 * Usage: node process-child.ts '{"port": 0, "dataFile": …, "limits": …, "apiKey": …, "seed": …}'
 * Prints {"url", "apiKey", "secondApiKey"} on one line when it is ready. It ends with its input: its parent
 * is gone then.
 */

import { once } from 'node:events';
import { enableCompileCache } from 'node:module';

import type { StartOptions } from '../workbench/workbench.ts';

// Makes a restart after a kill faster.
enableCompileCache();
const { start } = await import('../workbench/start.ts');

const options = JSON.parse(process.argv[2] ?? '{}') as StartOptions;
await using workbench = await start({ ...options, clock: 'real', room: 'none' });
const { url, apiKey, secondApiKey } = workbench;
// Who would read it may be gone by now: the end of the input tells.
process.stdout.on('error', () => undefined);
process.stdout.write(`${JSON.stringify({ url, apiKey, secondApiKey })}\n`);
process.stdin.resume();
await Promise.race([once(process, 'SIGTERM'), once(process.stdin, 'end')]);
