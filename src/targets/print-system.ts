/**
 * Print system: a CUPS of our own, for as long as it is needed. It has its own configuration, spool, port and
 * log in a temporary folder, needs no systemd, and touches nothing of the machine's own CUPS.
 *
 *   cupsd ─► listens on loopback ─► queue for each printer (lpadmin, driverless) ─► prints ─► closed: folder gone
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { ActionableError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { programPath, widePath } from '../common/program-path.ts';
import { freePort } from './free-port.ts';
import { GuardedChild } from './guarded-child.ts';
import { GuardedFolder } from './guarded-folder.ts';

const run = promisify(execFile);

const START_MS = 20_000;
const LOOK_EVERY_MS = 50;
const COMMAND_MS = 30_000;
const DRIVER_TRIES = 3;

const PACKAGES = 'apt-get install cups cups-client cups-ipp-utils cups-filters';

/** What is missing on this machine to run a print system; empty when nothing is. */
export function missingForPrintSystem(): string[] {
  return ['cupsd', 'lpadmin', 'lp', 'driverless'].filter((program) => programPath(program) === undefined);
}

export type QueueKind = 'driverless' | 'pdf' | 'everywhere' | 'raw';

/** The lines of a printer description that name formats in which a page is pixels. */
const PIXEL_FORMATS = /^\*cupsFilter2: "image\/.*\n/gm;

export class PrintSystem {
  readonly port: number;
  readonly #folder: GuardedFolder;
  #daemon: GuardedChild;

  private constructor(port: number, folder: GuardedFolder) {
    this.port = port;
    this.#folder = folder;
    this.#daemon = startDaemon(folder.path);
  }

  /**
   * @param keeping - `at-once`: what it has accepted survives its death; else half a minute later, as CUPS is set up
   * @throws ActionableError when CUPS is not installed or does not come up
   */
  static async start(keeping: 'at-once' | 'later' = 'later'): Promise<PrintSystem> {
    const missing = missingForPrintSystem();
    if (missing.length > 0) {
      throw new ActionableError('usage', `there is no ${missing.join(', no ')} on this machine`, `${PACKAGES}.`);
    }
    const port = await freePort();
    const folder = await GuardedFolder.make('platen-cups-');
    writeConfiguration(folder.path, port, keeping);
    const system = new PrintSystem(port, folder);
    try {
      await system.#ready();
      return system;
    } catch (error) {
      await system.close();
      throw error;
    }
  }

  /** What programs of CUPS need in their environment to speak with this one. */
  get environment(): Record<string, string> {
    return { CUPS_SERVER: `127.0.0.1:${this.port}`, PATH: widePath() };
  }

  /**
   * Makes a queue for the printer at an address: without a driver, by what the printer says of itself, or `raw`.
   *
   * `everywhere` is described by cupsd itself, in a thread of its own: CUPS 2.4.2 crashes now and then when another
   * queue comes soon after. `driverless` is described by the program of that name, and sends no `copies`; it sends
   * pages as pixels of 600 dpi, which `pdf` does not: that is much faster, and leaves the text in them.
   */
  async addQueue(name: string, uri: string, kind: QueueKind = 'driverless'): Promise<void> {
    const queue = ['-p', name, '-E', '-v', uri, '-o', 'printer-error-policy=retry-job'];
    if (kind === 'driverless' || kind === 'pdf') {
      const description = path.join(this.#folder.path, `${createHash('sha1').update(name).digest('hex')}.ppd`);
      const driver = await this.#driverOf(uri);
      writeFileSync(description, kind === 'pdf' ? driver.replaceAll(PIXEL_FORMATS, '') : driver);
      await this.run('lpadmin', [...queue, '-P', description]);
      return;
    }
    await this.run('lpadmin', [...queue, '-m', kind]);
    if (kind === 'everywhere') await this.#described(name);
  }

  async removeQueue(name: string): Promise<void> {
    await this.run('lpadmin', ['-x', name]);
  }

  /** Runs a program of CUPS against this print system; answers what it printed. @throws Error with what it said */
  async run(program: string, args: readonly string[]): Promise<string> {
    const environment = { ...process.env, ...this.environment };
    const { stdout } = await run(programPath(program) ?? program, [...args], {
      env: environment,
      timeout: COMMAND_MS,
    });
    return stdout;
  }

  /** Ends it as a crash does, which loses what it has not written to its disk; with SIGTERM in good order. */
  kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
    this.#daemon.kill(signal);
  }

  /** Starts it again after `kill`, with what is on its disk. @throws ActionableError when it does not come up */
  async restart(): Promise<void> {
    await this.#daemon.exited;
    this.#daemon = startDaemon(this.#folder.path);
    await this.#ready();
  }

  async close(): Promise<void> {
    await this.#daemon.stop();
    await this.#folder.close();
  }

  /** What `driverless` says of a printer: now and then it says nothing where the machine is busy. */
  async #driverOf(uri: string): Promise<string> {
    let said = '';
    for (let attempt = 1; attempt <= DRIVER_TRIES; attempt++) {
      said = await this.run('driverless', [uri]).catch(messageOf);
      if (said.startsWith('*PPD-Adobe')) return said;
    }
    throw undescribed(uri, `driverless says '${said.trim()}'`);
  }

  /** Resolves when CUPS has the description that it makes of a driverless printer. */
  async #described(queue: string): Promise<void> {
    const url = `http://127.0.0.1:${this.port}/printers/${encodeURIComponent(queue)}.ppd`;
    const untilMs = systemClock.now() + COMMAND_MS;
    while (systemClock.now() < untilMs) {
      const answer = await fetch(url).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) return;
      await sleep(systemClock, LOOK_EVERY_MS);
    }
    throw undescribed(queue, `nothing came within ${COMMAND_MS / 1_000} s`);
  }

  async #ready(): Promise<void> {
    let failure: unknown;
    const untilMs = systemClock.now() + START_MS;
    while (systemClock.now() < untilMs && this.#daemon.end === undefined) {
      try {
        // Not by `lpstat -r`, which may say that it is not running, and succeed.
        const answer = await fetch(`http://127.0.0.1:${this.port}/`);
        await answer.body?.cancel();
        return;
      } catch (error) {
        failure = error;
        await sleep(systemClock, LOOK_EVERY_MS);
      }
    }
    throw new ActionableError(
      'unreachable',
      `cupsd did not come up on port ${this.port}: ${messageOf(failure)}`,
      'Does `cupsd -f` start on this machine?',
    );
  }
}

function undescribed(what: string, why: string): ActionableError {
  return new ActionableError(
    'unreachable',
    `CUPS has no description of the printer ${what}: ${why}`,
    'Does the printer answer? `ipptool -tv URI get-printer-attributes.test` says so.',
  );
}

function startDaemon(folder: string): GuardedChild {
  const files = ['-c', path.join(folder, 'cupsd.conf'), '-s', path.join(folder, 'cups-files.conf')];
  const command = [programPath('cupsd') ?? 'cupsd', '-f', ...files];
  return new GuardedChild({ command, environment: process.env, cwd: folder });
}

function writeConfiguration(folder: string, port: number, keeping: 'at-once' | 'later'): void {
  const inside = (name: string): string => path.join(folder, name);
  for (const name of ['spool', 'spool/tmp', 'cache', 'state', 'ppd', 'log']) mkdirSync(inside(name));
  // Its filters run as another user, who has to get to their files.
  for (const name of ['', 'spool', 'spool/tmp', 'cache', 'state', 'ppd', 'log']) chmodSync(inside(name), 0o755);
  writeFileSync(
    inside('cupsd.conf'),
    `Listen 127.0.0.1:${port}
Browsing Off
DefaultAuthType None
WebInterface No
LogLevel warn
DirtyCleanInterval ${keeping === 'at-once' ? 0 : 30}
JobRetryInterval 1
JobRetryLimit 100000
<Location />
  Order allow,deny
  Allow 127.0.0.1
</Location>
<Location /admin>
  Order allow,deny
  Allow 127.0.0.1
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  <Limit All>
    Order allow,deny
    Allow 127.0.0.1
  </Limit>
</Policy>
`,
  );
  writeFileSync(
    inside('cups-files.conf'),
    `ServerRoot ${folder}
RequestRoot ${inside('spool')}
TempDir ${inside('spool/tmp')}
CacheDir ${inside('cache')}
StateDir ${inside('state')}
ErrorLog ${inside('log/error_log')}
AccessLog ${inside('log/access_log')}
PageLog ${inside('log/page_log')}
SystemGroup root
FileDevice Yes
Sandboxing relaxed
`,
  );
}
