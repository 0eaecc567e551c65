/**
 * Examples: the words that people type most, for `platen --help` and for the help of each command.
 */

/** The words after `platen`, and what they do. */
export type Example = readonly [words: string, what: string];

/** What a newcomer tries, in that order. */
export const FIRST_EXAMPLES: readonly Example[] = [
  ['', 'a printing service with printers, on port 8631'],
  ['print letter.pdf --wait --out sheets', 'print on it and save the sheets'],
  ['exec -- npm test', 'your tests, with a service and printers to print on'],
  ['check', 'does the reference service conform?'],
  ['check https://service.example --key KEY', 'does yours?'],
  ['run edge-cases', "a printer's bad days, again, in seconds"],
  ['explore --for 1m', 'bad days that no one has reported yet'],
];

export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  start: [
    ['start --data shop.db --port 9000', 'keep all data in a file'],
    ['start --expose ipp,raw', 'printers for this machine and its programs'],
  ],
  printers: [
    ['printers', 'on ports 9100 and 9101'],
    ['printers --expose raw:9200,ipp', 'on other ports, and by IPP'],
  ],
  check: [
    ["check --start 'python3 app.py'", 'start your service, and judge all of it'],
    ['check --target service.yaml --grep webhooks', 'one chapter of a service at an address'],
    ['check http://127.0.0.1:9000 -x', 'stop at the first failure'],
    ["check --start 'python3 app.py' --watch", 'what failed again, whenever you save a file'],
    ['check --target service.yaml --baseline reports/monday', 'what is fixed since then, and what is new'],
  ],
  replay: [['replay reports/monday', 'what failed then, again']],
  diff: [['diff reports/monday reports/tuesday', 'what broke between them']],
  analyze: [
    ['analyze traffic.har', 'judge recorded traffic'],
    ['analyze --caller traffic.har', 'judge the app that sent it'],
  ],
  run: [
    ['run jam-on-page-three', 'one scenario that ships with platen'],
    ['run scenarios/shop.yaml --target service.yaml', 'one of yours, on your service'],
    ['run ten-seconds --find-knee', 'how much load is too much?'],
  ],
  explore: [
    ['explore --for 10m --target service.yaml', 'ten minutes of days on your service'],
    ['explore --target pipeline.yaml', 'days of a print system of any make'],
  ],
  report: [['report reports/monday --reporter html', 'a page of that run']],
  room: [
    ['room http://127.0.0.1:9000 --room shop.yaml', 'computers and printers for your service'],
    ['room --expose ipp', 'printers for this machine, without a service'],
  ],
  client: [['client http://127.0.0.1:8631', 'print its jobs on the printers of this machine']],
  clone: [['clone ipp://printer.local/ipp/print --out our-laser.json', 'a printer like that one']],
  exec: [
    ['exec -- npm test', 'your tests, with a service and printers'],
    ['exec --provoke -- npm test', 'does your app print twice when an answer is lost?'],
  ],
  worker: [['worker --nats nats://10.0.0.1', 'this machine takes part in loads']],
  print: [
    ['print letter.pdf --wait --out sheets', 'print it, and save the sheets as PDF and PNG'],
    ['print invoice --option duplex=long-edge', 'a document that ships, on both sides'],
  ],
  jobs: [['jobs --limit 5', 'the newest five']],
  fault: [
    ['fault printer/Laser media-jam --after 2', 'jams on the third sheet'],
    ['fault --clear', 'all is well again'],
  ],
  faults: [['faults printer', 'all that can happen to a printer']],
  clock: [['clock advance 14d', 'two weeks later, at once']],
  reset: [['reset', 'as it was when it started']],
  ready: [['ready --wait 30s', 'wait until it answers']],
  init: [
    ['init --service http://127.0.0.1:9000', 'files that check your service'],
    ['init --pipeline agent', 'a file that describes a print system of any make'],
  ],
  openapi: [['openapi --html > api.html', 'a page for people']],
  completion: [['completion bash', 'for bash']],
};

/** Lines to stand below the help of a command, the words in one column. */
export function examplesText(examples: readonly Example[]): string {
  const typed = examples.map(([words]) => `platen ${words}`.trimEnd());
  const width = Math.max(...typed.map(({ length }) => length));
  const lines = examples.map(([, what], index) => `  ${(typed[index] ?? '').padEnd(width)}  ${what}`);
  return ['', 'Examples:', ...lines].join('\n');
}
