/**
 * Starter files: what `platen init` leaves in a project.
 */

import { isLoopback } from '../../common/loopback.ts';

export interface StarterFile {
  /** A few words. */
  readonly about: string;
  readonly text: string;
}

/** What a service was found to be like. */
export interface FoundService {
  /** Names of the parts of the API that it does not have. */
  readonly missing: readonly string[];
  /** The name of a printer of the account. */
  readonly printer: string | undefined;
  /** Whether it speaks the device link of platen. */
  readonly hasLink: boolean;
}

/** The service to check: at an address, or started by a command. */
export type ServicePlace = { readonly url: string } | { readonly start: string };

/**
 * By path.
 *
 * @param place - of the service to check; undefined for the reference service
 * @param found - undefined where it was not asked
 */
export function starterFiles(
  place: ServicePlace | undefined,
  found?: FoundService,
): Readonly<Record<string, StarterFile>> {
  return {
    'target.yaml': {
      about: 'the service to check',
      text: place === undefined ? OWN_TARGET : targetOf(place, found),
    },
    ...(place !== undefined && { 'known.yaml': { about: 'failures that are known and do not count', text: KNOWN } }),
    'scenario.yaml': { about: "a printer's bad day, to play and to change", text: SCENARIO },
    'printing.test.ts': { about: 'a test of an app that prints', text: TEST },
    '.github/workflows/printing.yml': { about: 'all three in CI', text: workflowFor(place) },
  };
}

const OWN_TARGET = `# The service that \`platen check --target target.yaml\` checks: the one that \`platen exec\` starts, or that \`npx platen\`
# runs in another terminal. Name yours in its place.
url: \${PLATEN_URL:-http://127.0.0.1:8631}
keys:
  main: \${PLATEN_API_KEY:-test-key}
# How virtual computers reach it, so that checks can print.
link: websocket
`;

const KNOWN = `# Failures that are known. Each run writes known-template.yaml beside its reports, with an entry for each failure to fill
# in and to put here; an entry whose check passes has to go.
known: []
`;

function linkLines(found: FoundService | undefined): string {
  if (found?.hasLink) return 'link: websocket\n';
  const use =
    found?.printer === undefined ? '# use: { printer: Office }' : `use: { printer: ${JSON.stringify(found.printer)} }`;
  return `# How virtual computers reach it, so that checks can print. Remove the # if it speaks the device link of platen; a
# service with a link of its own needs an adapter.
# link: websocket
# A printer of the account, by name or id, that jobs of checks may go to where there is no link.
${use}
`;
}

const START_LINES = `# Or the command with which platen starts it for the run, in place of the address: docs/target.md.
# start:
#   command: python3 app.py --port {port} --data {folder}
`;

function capabilityLines(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  const lines = missing.map((name) => `  ${JSON.stringify(name)}: false\n`).join('');
  return `# What it answers 404, 405 or 501 to. Take a line out when that part is built.\ncapabilities:\n${lines}`;
}

function targetOf(place: ServicePlace, found: FoundService | undefined): string {
  return `# The service that \`platen check --target target.yaml\` checks.
${placeLines(place)}keys:
  # Of an account that platen may write to: checks create computers, jobs and webhooks in it, and remove them again.
  main: ${'url' in place ? '${PLATEN_API_KEY}' : '${PLATEN_API_KEY:-test-key}'}
${linkLines(found)}${capabilityLines(found?.missing ?? [])}`;
}

/** A command runs in the folder of the descriptor. */
function placeLines(place: ServicePlace): string {
  if ('url' in place) return `url: ${JSON.stringify(place.url)}\n${isLoopback(place.url) ? START_LINES : ''}`;
  return `# Run in this folder; it finds PORT, DATA_DIR and API_KEY in its environment: docs/target.md.
start:
  command: ${JSON.stringify(place.start)}
`;
}

export function checkCommand(place: ServicePlace): string {
  return `npx platen check --target target.yaml --known known.yaml${'url' in place ? ' --allow-writes' : ''}`;
}

const SCENARIO = `title: Paper jams on page two, and the rest comes when the jam is cleared
why: |
  The app shows "done" and one sheet lies in the tray. Does it notice that two more are missing?
room:
  computers:
    - name: OFFICE
      printers: [{ profile: laser-a4, name: Laser }]
steps:
  - fault: { at: printer/Laser, fault: media-jam, after: 1 }
  - submit: { as: letter, printer: Laser, document: three-pages.pdf }
  - wait: { job: letter, state: done }
  - advance: 1m
  - expect: { sheets: { letter: 1 }, printers: { Laser: error } }
  - clear-fault: { at: printer/Laser }
  - wait: { job: letter, sheets: 3, within: 5m }
expect:
  jobs: { letter: done }
  sheets: { letter: 3 }
`;

const TEST = `import { expect, test } from 'platen/vitest';

// Each test has its own printing service, with printers: platen.url and platen.apiKey are what your app needs.
test('prints a label', async ({ platen }) => {
  // Stands for your app.
  await fetch(\`\${platen.url}/printjobs\`, {
    method: 'POST',
    headers: { authorization: \`Basic \${btoa(\`\${platen.apiKey}:\`)}\`, 'content-type': 'application/json' },
    body: JSON.stringify({
      printerId: await platen.printer('Label 4x6').id(),
      title: 'Label 12',
      contentType: 'raw_base64',
      content: btoa('^XA^FDhello^FS^XZ'),
    }),
  });

  const job = await platen.jobs.wait({ title: 'Label 12', state: ['done', 'error'] });
  expect(job).toHaveState('done');
});
`;

const KEY_OF_WORKFLOW = `
        env:
          PLATEN_API_KEY: \${{ secrets.PLATEN_API_KEY }}`;

function workflowFor(place: ServicePlace | undefined): string {
  const check =
    place === undefined
      ? '      - run: npx platen exec -- npx platen check --target target.yaml --profile smoke'
      : `      - run: ${checkCommand(place)}${'url' in place ? KEY_OF_WORKFLOW : ''}`;
  return `name: printing
on: [push, pull_request]
jobs:
  printing:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
${check}
      - run: npx platen run scenario.yaml
      - run: npx vitest run printing.test.ts
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: printing, path: reports }
`;
}
