/**
 * Changes that no test kills, with the reason: what they change cannot be observed.
 */

const PLACES_DIFFER = 'two things are never seen at one place';
const ANY_SIGN = 'any text that is the same for both does';

/** By file, then by change as `npm run prove judges` prints it. */
export const REASONED_SURVIVORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/conformance/verdict/conclude.ts': {
    "describeJudgement: urn mismatch ? describeMismatch(mismatch) : (observation ?? «'' → 'changed'»);":
      'a judgement that says neither is a pass, which is not described',
  },
  'src/conformance/verdict/baseline.ts': {
    "readBaseline: line: source.value.problemAt(['known', index], «'' → 'changed'»).line,":
      'only the line of the problem is read, not what it says',
    'problemOf: const outcome = outcomes.«find → findLast»(({ check }) => check.id === entry.check);':
      'a run has one outcome of each check',
  },
  'src/record/signs.ts': {
    'signsOf: const seen = exchanges.«find → findLast»(({ position }) => position === exchange);':
      'each exchange has a position of its own',
    "signsOf: ...(mismatch.differs === 'order' ? [«'records in another order' → ''»] : []),": ANY_SIGN,
    "seenIn: onst part = seen ? place.replace(requestName(seen.request), «'' → 'changed'») : place;":
      'what stands for the request is the same in both that are compared',
    "kindOf: .replaceAll(/(?<=\\bwith )\\d«+ → »/g, '#')": 'the digits that follow are replaced as well',
    "saidBy: function saidBy({ response: { body = «'' → 'changed'» } }: SeenExchange): string {":
      'neither is JSON, and nothing else is asked of it',
    "kindOf: .replaceAll(/(?<=\\bwith )\\d+/g, «'#' → ''»)": ANY_SIGN,
    "kindOf: .replaceAll(/\\d+ ms/g, «'# ms' → ''»)": ANY_SIGN,
  },
  'src/load/merge.ts': {
    "tookUs: return name === 'delivered-once' ? printed - intendedUs : «0 → 1»;":
      'jobs of another class keep their order with any number, as long as it is the same',
  },
  'src/load/verdict/compare.ts': {
    'compareLoad: const before = baseline.streams.«find → findLast»(({ name }) => name === stream.name);':
      'no two streams of a plan have one name',
    'overSeconds: t middle: Range = [sorted[Math.floor(RESAMPLES * 0.025)] ?? «1 → 2», sorted[Math.ceil(RESAMPLES * 0.975) - 1] ?? 1];':
      'there are always resamples: the default is for the compiler',
    'overSeconds: * 0.025)] ?? 1, sorted[Math.ceil(RESAMPLES * 0.975) - 1] ?? «1 → 2»];':
      'there are always resamples: the default is for the compiler',
    'rangeOf: if (low «< → <=» 1 || high > count) return undefined;': 'no number of requests makes it exactly 1',
    'rangeOf: if (low < 1 || high «> → >=» count) return undefined;': 'no number of requests makes it exactly all',
    "changeOf: return high / low «<= → <» WIDEST_SAME ? 'same' : 'not-enough';":
      'a ratio of floats that is exactly the bound does not occur',
  },
  'src/load/verdict/find-knee.ts': {
    'densestRate: mesMs.length * 1_000) / Math.max(1, pacer.timesMs.at(-1) ?? «1 → 2»);':
      'a trace without times has the rate 0, whatever it is divided by',
    "findKnee: if (above !== undefined && above - kept «<= → <» above * NEAR_ENOUGH) return end('found');":
      'factors are halves of halves: their gap is never a twentieth exactly',
    'keptUpShareOf:  < SHORTEST_HALF_S || rates.length < streams.length) return «1 → 2»;':
      'any share that is enough will do where there is none to compute',
  },
  'src/load/verdict/thresholds.ts': {
    "parseThreshold: const [, lead = «'' → 'changed'», name = '', gap = '', sign = '', gap2 = '', value = '', gap":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: const [, lead = '', name = «'' → 'changed'», gap = '', sign = '', gap2 = '', value = '', gap3 = '', wor":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: const [, lead = '', name = '', gap = «'' → 'changed'», sign = '', gap2 = '', value = '', gap3 = '', word, gap4 = ":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: const [, lead = '', name = '', gap = '', sign = «'' → 'changed'», gap2 = '', value = '', gap3 = '', word, gap4 = '', wait] =":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: const [, lead = '', name = '', gap = '', sign = '', gap2 = «'' → 'changed'», value = '', gap3 = '', word, gap4 = '', wait] = match;":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: ad = '', name = '', gap = '', sign = '', gap2 = '', value = «'' → 'changed'», gap3 = '', word, gap4 = '', wait] = match;":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: me = '', gap = '', sign = '', gap2 = '', value = '', gap3 = «'' → 'changed'», word, gap4 = '', wait] = match;":
      'a group that takes part in every match: the default is for the compiler',
    "parseThreshold: const after = afterOf(word, wait, wordAt, wordAt + (word ?? «'' → 'changed'»).length + gap4.length);":
      'where there is no word, nothing follows it whose place is asked for',
    "findMetric: d: string = here.find(rest) ? rest : (rest.split('.')[0] ?? «'' → 'changed'»);":
      'a string has at least one part: the default is for the compiler',
    "bytesOf: return match ? Number(match[1]) * (BYTES[match[2] ?? «'' → 'changed'»] ?? 1) : undefined;":
      'a group that takes part in every match: the default is for the compiler',
    "bytesOf: return match ? Number(match[1]) * (BYTES[match[2] ?? ''] ?? «1 → 2») : undefined;":
      'the pattern has no other units than the table: the default is for the compiler',
  },
  'src/oracle/account/account-judge.ts': {
    "partsOf: const [path = «'' → 'changed'», query = ''] = target.split('?');":
      'a string has at least one part: the default is for the compiler',
    'accountNamedIn: return http.response.headers.«find → findLast»(([name]) => name.toLowerCase() === ACCOUNT)?.[1];':
      'no request or answer has two such headers',
  },
  'src/oracle/account/credential-judge.ts': {
    'valueOf: headers.«find → findLast»(([name]) => name.toLowerCase() === wanted)?.[1];':
      'no request or answer has two such headers',
  },
  'src/oracle/account/event-judge.ts': {
    '#judgeOccurrences: hook.versions.«find → findLast»((version) => isInForce(version, first)),':
      'the versions of a webhook follow one another: only one is in force',
    '#isLongAgo: return toPlace «< → <=» endPlace && (this.findings.circumstances.isVirtual || toMs ': PLACES_DIFFER,
    'isInForce: return fromPlace «< → <=» beganPlace && toPlace <= untilPlace;': PLACES_DIFFER,
  },
  'src/oracle/account/job-facts.ts': {
    'idempotencyKeyOf: const given = http.request.headers.«find → findLast»(([name]) => name.toLowerCase() === IDEMPOTENCY_KEY)?.[1];':
      'no request or answer has two such headers',
    '#followDelivery: const mayBeEarlier = asleep !== undefined && job.place «< → <=» asleep.backPlace;': PLACES_DIFFER,
  },
  'src/oracle/account/job-judge.ts': {
    '#judgeCancelled: if (job.place «> → >=» place || job.openSince < place) return;': PLACES_DIFFER,
    '#judgeCancelled: if (job.place > place || job.openSince «< → <=» place) return;': PLACES_DIFFER,
    '#judgeRepetition: const newest = this.#newestDelivered.get(computerId) ?? «0 → 1»;':
      'no id of a job is less than 1',
    '#judgeCancelled: const wasDelivered = job.deliveries.some((one) => one.place «< → <=» place);': PLACES_DIFFER,
    '#judgeQuiet: const isOver = (job.cancelledAt ?? Infinity) «< → <=» place || job.openSince < place || atMs >= job.expiresFromMs':
      PLACES_DIFFER,
    '#judgeQuiet: er = (job.cancelledAt ?? Infinity) < place || job.openSince «< → <=» place || atMs >= job.expiresFromMs;':
      PLACES_DIFFER,
  },
  'src/oracle/account/list-judge.ts': {
    "#connect: .facts.identities.accountOfKey(apiKey) ?? known?.account ?? «'' → 'changed'»;":
      'no account has this name: the default is for the compiler',
    '#judgeJobs: const there = named.filter((job) => job.place «< → <=» place);': PLACES_DIFFER,
    'isOn: (last === undefined || (isDescending ? id «>= → >» last : id <= last));': 'the last id is on the page',
    'isOn: (last === undefined || (isDescending ? id >= last : id «<= → <» last));': 'the last id is on the page',
  },
  'src/oracle/account/occurrences.ts': {
    'Occurrences: endMs = «0 → 1»;': 'what is played ends when all is quiet',
    'Occurrences: endPlace = «0 → 1»;': 'what is played ends when all is quiet',
  },
  'src/oracle/account/parties.ts': {
    "keysIn: tringify(value ?? null).matchAll(MAY_BE_KEY)].map(([, key = «'' → 'changed'»]) => key);":
      'a group that takes part in every match: the default is for the compiler',
    "ofKey: .get(made ?? this.#facts.identities.accountOfKey(apiKey) ?? «'' → 'changed'»);":
      'no account has this name: the default is for the compiler',
    'childOf: return http.request.headers.«find → findLast»(([name]) => name.toLowerCase() === CHILD_BY_ID)?.[1];':
      'no request has two such headers',
  },
  'src/oracle/account/scale-judge.ts': {
    '#add: const scale = this.#scales.get(computerId)?.«find → findLast»(({ key }) => key === reading.scaleKey);':
      'no computer has two scales of one key',
  },
  'src/oracle/account/state-judge.ts': {
    'StateJudge: #settledPlace = «0 → 1»;': 'nothing is delivered at the first place',
    '#judgeHistory: if (job.openSince «< → <=» place) return;': PLACES_DIFFER,
    '#judgeHistory: const wasDelivered = job.deliveries.some((one) => one.place «< → <=» place);': PLACES_DIFFER,
    'wasBefore: return one.place «< → <=» settledPlace && one.atMs < beforeMs;': PLACES_DIFFER,
    '#judgeHistory: const wasCancelled = (job.cancelledAt ?? Infinity) «< → <=» place;': PLACES_DIFFER,
    '#judgeSent: const wasSent = job.deliveries.some((one) => one.place «< → <=» asked.place);': PLACES_DIFFER,
  },
  'src/oracle/account/statistic-judge.ts': {
    '#judgeFall: const holds = measuredMs «>= → >» scaleMs / SCALE_FACTOR && measuredMs <= scaleMs * SCALE_FAC':
      'a ratio of floats that is exactly the bound does not occur',
    '#judgeFall:  holds = measuredMs >= scaleMs / SCALE_FACTOR && measuredMs «<= → <» scaleMs * SCALE_FACTOR;':
      'a ratio of floats that is exactly the bound does not occur',
  },
  'src/oracle/account/webhook-requests.ts': {
    'retryMs: (dueMs, restartMs) => (restartMs «>= → >» endedMs && restartMs <= dueMs ? restartMs + RETRY_DELAY_MS ':
      'a restart at the end of a request begins the delay when it began anyway',
  },
  'src/oracle/exchange-rules.ts': {
    'askedIn: if («last?.request !== request → true») last = { request, endpoint: endpointFor(request.method, re':
      'it only saves looking up the same endpoint again',
  },
  'src/oracle/invariant.ts': {
    'valueOf: if («last?.body !== body → true») last = { body, value: parseJson(body) };':
      'it only saves reading the same body again',
    'headerIn: if («pair[0].length === name.length &&  → »pair[0].toLowerCase() === name.toLowerCase()) return pair[1]':
      'names of another length are passed over to save time',
  },
  'src/oracle/job-index.ts': {
    'EMPTY: const EMPTY = -«1 → 2»;': 'any number that is not a row stands for an empty cell',
    'put: if (this.#count «>= → >» this.#cells.length * FULLEST) this.#grow();':
      'three quarters of an odd number are never a count',
    '#cellFor: cell = (cell + «1 → 2») % length;': 'steps of two reach every cell as well: their number is odd',
  },
  'src/oracle/ledger-classes.ts': {
    'FLAG: webhook: «8_192 → 16384»,': 'any bit does that no other flag has',
  },
  'src/oracle/ledger.ts': {
    '#slowest: for (let row = 0; row «< → <=» this.rows; row++) {': 'there is nothing after the last row',
    '#slowest: if («found.length === most && tookUs <= (found.at(-1)?.tookUs ?? … → false») continue;':
      'it only saves the sorting of a row that falls out again',
    '#slowest: if (found.length === most && tookUs «<= → <» (found.at(-1)?.tookUs ?? 0)) continue;':
      'it only saves the sorting of a row that falls out again',
    '#slowest: if (found.length === most && tookUs <= («found.at(-1)?.tookUs ??  → »0)) continue;':
      'it only saves the sorting of a row that falls out again',
    '#slowest: if (found.length === most && tookUs <= (found.at(«-1 → 1»)?.tookUs ?? 0)) continue;':
      'it only saves the sorting of a row that falls out again',
    '#slowest: if (found.length === most && tookUs <= (found.at(-«1 → 2»)?.tookUs ?? 0)) continue;':
      'it only saves the sorting of a row that falls out again',
    '#slowest: found.length === most && tookUs <= (found.at(-1)?.tookUs ?? «0 → 1»)) continue;':
      'it only saves the sorting of a row that falls out again',
  },
  'src/oracle/linearizability.ts': {
    'STATES_MOST: const STATES_MOST = «200_000 → 400000»;': 'how long is looked before giving up, unless a caller says',
  },
  'src/oracle/response-watch.ts': {
    'wants: return seen «<= → <» ALL_OF_THE_FIRST || seen % ONE_IN === 0;': 'the hundredth is one in four as well',
  },
  'src/oracle/webhook-account.ts': {
    'UNSEEN_TWICE: const UNSEEN_TWICE = «1_024 → 2048»;': 'any bit does that no other flag has',
    'WebhookAccount: #rows = «0 → 1»;': 'a row of which nothing was told counts for nothing',
    'totals: for (let cell = 0; cell «< → <=» this.#rows * STATES; cell++) {':
      'a cell after the last row counts for nothing',
    '#count: for (let cell = 0; cell «< → <=» this.#rows * STATES; cell++) if (accepts(cell)) count++;':
      'a cell after the last row counts for nothing',
    'numberAt: return cells[cell] ?? «0 → 1»;':
      'cells are asked for after they were made: the default is for the compiler',
    '#grow: if (rows * STATES «> → >=» this.#flags.length) {': 'how many cells are free is not observed',
    '#grow: const cells = Math.max(«1_024 → 2048», rows * 2) * STATES;': 'how many cells are free is not observed',
    '#grow: const cells = Math.max(1_024, rows * «2 → 3») * STATES;': 'how many cells are free is not observed',
  },
  'src/scenario/expect/sheets.ts': {
    "judgePaper: paper ?? «'' → 'changed'»,": 'wrong is the paper that was asked for: the default is for the compiler',
    'isNear: return Math.abs(points / POINTS_PER_MM - mm) «<= → <» TOLERANCE_MM;':
      'no size in points is off by exactly half a millimetre',
  },
};

export function reasonFor(file: string, change: string): string | undefined {
  return REASONED_SURVIVORS[file]?.[change];
}
