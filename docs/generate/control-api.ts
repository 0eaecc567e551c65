/**
 * docs/control-api.md: the routes of the control API.
 */

import { z } from 'zod';

import type { RouteDescription } from '../../src/workbench/control/control-route.ts';
import { ACCOUNT_ROUTES } from '../../src/workbench/control/routes/account-routes.ts';
import { CONTROL_ROUTES } from '../../src/workbench/control/routes/all-routes.ts';
import { FAULT_ROUTES } from '../../src/workbench/control/routes/fault-routes.ts';
import { JOB_ROUTES } from '../../src/workbench/control/routes/job-routes.ts';
import { PRINTING_API_ROUTES } from '../../src/workbench/control/routes/printing-api-routes.ts';
import { PRINTOUT_ROUTES } from '../../src/workbench/control/routes/printout-routes.ts';
import { ROOM_ROUTES } from '../../src/workbench/control/routes/room-routes.ts';
import { RUN_ROUTES } from '../../src/workbench/control/routes/run-routes.ts';
import { TRAFFIC_ROUTES } from '../../src/workbench/control/routes/traffic-routes.ts';
import { WORKBENCH_ROUTES } from '../../src/workbench/control/routes/workbench-routes.ts';
import { CONTROL_PREFIX } from '../../src/workbench/defaults.ts';

const FAMILIES: readonly (readonly [string, readonly RouteDescription[]])[] = [
  ['The workbench', [...CONTROL_ROUTES.slice(0, 1), ...WORKBENCH_ROUTES]],
  ['Print jobs', JOB_ROUTES],
  ['Printouts of operating systems', PRINTOUT_ROUTES],
  ['The room', ROOM_ROUTES],
  ['Faults', FAULT_ROUTES],
  ['Traffic', TRAFFIC_ROUTES],
  ['Accounts', ACCOUNT_ROUTES],
  ['Runs', RUN_ROUTES],
  ['The printing API', PRINTING_API_ROUTES],
];

const INTRODUCTION = `# The control API

<!-- Written by npm run docs: change src/workbench, not this page. -->

What a workbench answers and does, below \`${CONTROL_PREFIX}\` on the service's own port. It answers JSON, and errors
with \`code\` and \`message\`. The same as an OpenAPI document: \`GET ${CONTROL_PREFIX}/openapi.json\`; the types of all
answers: \`import type { JobDetail } from 'platen'\`.

On loopback it wants no key, but a \`Host\` that names this machine and no page of another origin. Bound beyond
loopback (\`--host\`), it wants \`Authorization: Bearer TOKEN\`; the token is made at each start and shown by
\`platen start\`, or given with \`--control-token\`. Only \`${CONTROL_PREFIX}/health\` answers everybody. No key is in any
answer but that of \`${CONTROL_PREFIX}/key\`, and of \`POST ${CONTROL_PREFIX}/accounts\`.

\`\`\`sh
curl 'http://127.0.0.1:8631/_platen/jobs?q=invoice+printer:Laser+state:done'
curl 'http://127.0.0.1:8631/_platen/jobs/wait?state=done,error&timeout=10s'
curl -X POST http://127.0.0.1:8631/_platen/faults --json '{"at": "printer/Laser", "fault": "media-jam"}'
curl -X DELETE http://127.0.0.1:8631/_platen/faults
curl -X POST http://127.0.0.1:8631/_platen/room/computers/FRONT-DESK/printers/printer-1 --json '{"toner": "low"}'
curl -X POST http://127.0.0.1:8631/_platen/reset
\`\`\`

With \`account\` a request is about one account: an isolated one of \`POST ${CONTROL_PREFIX}/accounts\`, or the main one.
Without it jobs and traffic are those of all accounts, and the room is that of the main one.`;

const STARTED_RUNS = `## Starting and showing runs

A run that is started here is a process of its own. What it runs goes to it as a value: a scenario by its name, a finding
by the id of a run that this workbench started or that its reports folder has, an address of \`http\` or \`https\`
without a password. It gets no key but that of the request. On a service of another machine it only checks what can be
read. While one is under way another is refused with 409, unless it says \`"beside": true\`; both records then say so.

A record that arrives with \`PUT\` is shown and compared. It is never played, and never shown in place of one that is in
the reports folder or of a run that was started here. It may have 32 MB, a million values and 64 levels.`;

const EVENTS = `## Events

\`GET ${CONTROL_PREFIX}/events\` is a stream of server-sent events, at most 500 a second: \`job\`, \`request\`, \`delivery\`,
\`room\`, \`clock\`, \`faults\`, \`workbench\` and \`run\`, each with JSON as its data. What changes several times between two of
them is sent once, in its latest state. With \`Last-Event-ID\` a client resumes where it was; one that missed more than the
last 2,000 gets \`reset\`, and reads everything anew.`;

function familyOf([title, routes]: (typeof FAMILIES)[number]): string {
  const rows = routes.map((route) => {
    const line = `\`${route.method} ${CONTROL_PREFIX}${route.path}\``;
    return `| ${line} | ${route.summary}${fieldsOf(route)} |`;
  });
  return [`## ${title}`, '', '| request | what it is |', '|---|---|', ...rows].join('\n');
}

/** What the query and the body may name. */
function fieldsOf({ query, body }: RouteDescription): string {
  const inQuery = namesIn(query);
  const inBody = namesIn(body);
  const parts = [
    ...(inQuery.length > 0 ? [`query: ${inQuery.join(', ')}`] : []),
    ...(inBody.length > 0 ? [`body: ${inBody.join(', ')}`] : []),
  ];
  return parts.length === 0 ? '' : `<br>${parts.join('; ')}`;
}

function namesIn(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.keys(properties).map((name) => `\`${name}\``);
}

/** docs/control-api.md, as it should be. @throws Error when a route is in no family */
export function controlApiPage(): string {
  const described = new Set(FAMILIES.flatMap(([, routes]) => routes));
  const left = CONTROL_ROUTES.find((route) => !described.has(route));
  if (left) throw new Error(`${left.method} ${left.path} is in no family of the page`);
  return `${[INTRODUCTION, ...FAMILIES.map(familyOf), STARTED_RUNS, EVENTS].join('\n\n')}\n`;
}
