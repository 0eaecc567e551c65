// First afternoon: everything in memory, one printer that is always there.
const http = require('node:http');
const { randomUUID } = require('node:crypto');

const KEY = process.env.API_KEY;
const account = {
  id: 1,
  firstname: 'A',
  lastname: 'B',
  email: 'a@example.com',
  canCreateSubAccounts: false,
  creatorEmail: null,
  creatorRef: null,
  childAccounts: [],
  credits: 0,
  numComputers: 1,
  totalPrints: 0,
  versions: [],
  connected: [],
  Tags: [],
  state: 'active',
  permissions: [],
};
const computer = {
  id: 1,
  name: 'shop',
  inet: null,
  inet6: null,
  hostname: null,
  version: null,
  jre: null,
  createTimestamp: new Date().toISOString(),
  state: 'disconnected',
};
const printer = {
  id: 1,
  computer,
  name: 'Label printer',
  description: '',
  capabilities: null,
  default: null,
  createTimestamp: new Date().toISOString(),
  state: 'online',
};
const jobs = new Map();
const usedKeys = new Map();
let lastJob = 0;

function send(res, status, body) {
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Request-Id': res.requestId,
    Elapsed: '0.001',
    'Response-Time': '1ms',
    'Api-Version': '1.0.0',
    'Access-Control-Allow-Origin': '*',
  });
  res.end(JSON.stringify(body));
}
const fail = (res, status, code, message) => send(res, status, { code, message });

function list(res, query, records) {
  const limit = Number(query.get('limit') ?? 100);
  const page = Number(query.get('page') ?? 1);
  send(res, 200, { data: records.slice((page - 1) * limit, page * limit), total: records.length });
}
const pick = (records, set) =>
  set === undefined ? records : records.filter(({ id }) => set.split(',').includes(String(id)));

const routes = [
  ['GET', /^\/whoami$/, (req, res) => send(res, 200, account)],
  ['GET', /^\/noop$/, (req, res) => send(res, 200, res.requestId)],
  ['GET', /^\/computers(?:\/([\d,]+))?$/, (req, res, [set], query) => list(res, query, pick([computer], set))],
  [
    'GET',
    /^(?:\/computers\/[\d,]+)?\/printers(?:\/([\d,]+))?$/,
    (req, res, [set], query) => list(res, query, pick([printer], set)),
  ],
  [
    'GET',
    /^\/printjobs\/(?:([\d,]+)\/)?states$/,
    (req, res, [set]) =>
      send(
        res,
        200,
        pick([...jobs.values()], set).flatMap(({ states }) => states),
      ),
  ],
  [
    'GET',
    /^\/printjobs(?:\/([\d,]+))?$/,
    (req, res, [set], query) =>
      list(
        res,
        query,
        pick([...jobs.values()], set).map(({ states, ...job }) => ({ ...job, state: states.at(-1).state })),
      ),
  ],
  [
    'POST',
    /^\/printjobs$/,
    (req, res) => {
      const body = JSON.parse(req.text);
      const key = req.headers['x-idempotency-key'];
      if (usedKeys.has(key)) return fail(res, 409, 'Conflict', 'That key was used');
      if (body.printerId !== printer.id) return fail(res, 400, 'BadPrinter', 'There is no such printer');
      if (!body.contentType || !body.content)
        return fail(res, 400, 'BadRequest', 'contentType and content are required');
      const createTimestamp = new Date().toISOString();
      const id = ++lastJob;
      if (key) usedKeys.set(key, id);
      jobs.set(id, {
        id,
        printer,
        title: body.title,
        contentType: body.contentType,
        source: body.source,
        expireAt: new Date(Date.now() + (body.expireAfter ?? 1209600) * 1000),
        createTimestamp,
        states: [{ printJobId: id, state: 'new', message: '', data: {}, clientVersion: null, createTimestamp, age: 0 }],
      });
      send(res, 201, { id });
    },
  ],
  [
    'DELETE',
    /^\/printjobs(?:\/([\d,]+))?$/,
    (req, res, [set]) => {
      const gone = pick([...jobs.values()], set).map(({ id }) => id);
      for (const id of gone) jobs.delete(id);
      send(res, 200, gone);
    },
  ],
];

http
  .createServer(async (req, res) => {
    res.requestId = randomUUID();
    const url = new URL(req.url, 'http://localhost');
    if (url.pathname === '/ping') return res.end('pong');
    const [, encoded = ''] = (req.headers.authorization ?? '').split(' ');
    if (Buffer.from(encoded, 'base64').toString().split(':')[0] !== KEY)
      return fail(res, 401, 'Unauthorized', 'Wrong key');
    req.text = '';
    for await (const chunk of req) req.text += chunk;
    for (const [method, pattern, handler] of routes) {
      const match = pattern.exec(url.pathname);
      if (match && method === req.method) {
        try {
          return handler(req, res, match.slice(1), url.searchParams);
        } catch (error) {
          return fail(res, 500, 'InternalError', error.message);
        }
      }
    }
    res.writeHead(404, { 'Content-Type': 'text/html' });
    res.end(`<pre>Cannot ${req.method} ${url.pathname}</pre>`);
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
