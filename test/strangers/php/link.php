<?php
// The device link: what computers say, what they get, and when they are believed to be gone.

final class BadMessage extends Exception {}

/** What a computer may say: kind of value by field, as docs/device-link.md prints it. */
final class Messages
{
    private const CLIENT = ['installationId' => 's1-100', 'computerName' => 's1-1000', 'hostname' => 's0-1000?', 'inet' => 's0-100?',
        'inet6' => 's0-100?', 'version' => 's0-100?', 'edition' => 's0-100?'];
    private const PRINTER = ['key' => 's1-200', 'name' => 's0-1000', 'description' => 's0-1000', 'default' => 'flag?',
        'state' => 's0-100?', 'capabilities' => 'o65536?'];
    private const SCALE = ['key' => 's1-400', 'deviceName' => 's0-1000', 'vendor' => 's0-1000?', 'product' => 's0-1000?',
        'vendorId' => 'i0', 'productId' => 'i0', 'port' => 's0-1000?'];
    private const TABLE = [
        'hello' => ['client' => self::CLIENT, 'holding' => 'ids'],
        'printers' => ['id' => 's1-100', 'printers' => [self::PRINTER]],
        'scales' => ['id' => 's1-100', 'scales' => [self::SCALE]],
        'job-state' => ['id' => 's1-100', 'jobId' => 'i1', 'state' => 's1-100', 'message' => 's0-10000?', 'data' => 'o65536?',
            'createTimestamp' => 'time'],
        'reading' => ['id' => 's1-100', 'scaleKey' => 's0-400', 'mass' => 'mass', 'measurement' => 'numbers',
            'clientReportedCreateTimestamp' => 'time'],
        'ack' => ['id' => 's1-100'],
    ];

    public static function read(string $text): stdClass
    {
        try {
            $message = json_decode($text, false, 32, JSON_THROW_ON_ERROR);
        } catch (JsonException $error) {
            throw new BadMessage('json: ' . $error->getMessage());
        }
        $left = 50_000;
        self::countValues($message, $left);
        $type = $message instanceof stdClass ? ($message->type ?? null) : null;
        if (!is_string($type) || !isset(self::TABLE[$type])) throw new BadMessage('type is none of this link');
        self::check($message, self::TABLE[$type], $type);
        return $message;
    }

    private static function countValues(mixed $value, int &$left): void
    {
        if (!is_array($value) && !$value instanceof stdClass) return;
        foreach ($value as $inner) {
            if (--$left < 0) throw new BadMessage('more than 50000 values');
            self::countValues($inner, $left);
        }
    }

    private static function check(mixed $value, array|string $kind, string $where): void
    {
        if (is_string($kind)) {
            if (!self::fits($value, $kind)) throw new BadMessage("$where is not as it has to be");
        } elseif (array_is_list($kind)) {
            if (!is_array($value) || count($value) > 1000) throw new BadMessage("$where is a list of at most 1000");
            foreach ($value as $index => $one) self::check($one, $kind[0], "{$where}[$index]");
        } else {
            if (!$value instanceof stdClass) throw new BadMessage("$where is an object");
            foreach ($kind as $name => $inner) {
                if (!property_exists($value, $name)) throw new BadMessage("$where.$name is missing");
                self::check($value->$name, $inner, "$where.$name");
            }
        }
    }

    private static function fits(mixed $value, string $kind): bool
    {
        if (str_ends_with($kind, '?')) return $value === null || self::fits($value, substr($kind, 0, -1));
        if (preg_match('/^s(\d+)-(\d+)$/', $kind, $bounds)) {
            return is_string($value) && units($value) >= $bounds[1] && units($value) <= $bounds[2];
        }
        return match ($kind) {
            'flag' => is_bool($value),
            'i0' => self::isInteger($value, 0),
            'i1' => self::isInteger($value, 1),
            'o65536' => $value instanceof stdClass && units(json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)) <= 65_536,
            'ids' => is_array($value) && count($value) <= 25_000 && array_filter($value, fn ($one) => !self::isInteger($one, 1)) === [],
            'mass' => is_array($value) && count($value) === 2
                && array_filter($value, fn ($one) => $one !== null && !self::isInteger($one, -(2 ** 53))) === [],
            'numbers' => $value instanceof stdClass && units(json_encode($value)) <= 10_000
                && array_filter((array) $value, fn ($one) => !is_int($one) && !is_float($one)) === [],
            'time' => is_string($value) && timeIn($value) !== null,
        };
    }

    private static function isInteger(mixed $value, int $least): bool
    {
        if (is_float($value)) return floor($value) === $value && abs($value) < 2 ** 53 && $value >= $least;
        return is_int($value) && $value >= $least && $value < 2 ** 53;
    }
}

/** Milliseconds since 1970; null for what is no time. */
function timeIn(string $text): ?int
{
    $pattern = '/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)$/Di';
    if (!preg_match($pattern, $text, $found)) return null;
    [, $day, $minute, $second, $fraction, $zone] = $found;
    $time = date_create("{$day}T$minute:" . ($second === '' ? '00' : $second) . ($zone === 'z' ? 'Z' : $zone));
    if ($time === false || date_get_last_errors() !== false) return null;
    return $time->getTimestamp() * 1000 + (int) substr($fraction . '000', 0, 3);
}

final class Link
{
    private const HEARTBEAT_MS = 10_000;
    private const HALVES = 5;
    private const WINDOW = 8;
    public ?stdClass $computer = null;
    /** @var array<string, int> deliveries that wait to be acknowledged, with their jobs */
    public array $pending = [];
    /** @var int[] jobs to deliver */
    public array $queue = [];
    public string $since = '';
    public ?stdClass $client = null;
    private int $silent = 0;
    private int $halves = 0;
    private int $sent = 0;
    private bool $isWrong = false;
    private int $timer;

    public function __construct(
        private Loop $loop,
        private Links $links,
        private WebSocket $socket,
        public readonly stdClass $account,
        public readonly string $key,
    ) {
        $socket->onText = fn (string $text) => $this->hear($text);
        $socket->onEnd = function (): void {
            $this->loop->cancel($this->timer);
            $this->links->ended($this);
        };
        $this->timer = $loop->after(self::HEARTBEAT_MS / 2, fn () => $this->beat());
    }

    private function beat(): void
    {
        $this->silent = $this->socket->isAlive || $this->socket->isDraining() ? 0 : $this->silent + 1;
        $this->socket->isAlive = false;
        if ($this->silent >= self::HALVES) {
            $this->socket->cut();
            return;
        }
        if ($this->computer === null && $this->silent === 3) $this->close(4400, 'no hello came');
        if (++$this->halves % 2 === 0) $this->socket->ping();
        $this->timer = $this->loop->after(self::HEARTBEAT_MS / 2, fn () => $this->beat());
    }

    public function say(array $message): void
    {
        $this->socket->send(json_encode($message, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES));
    }

    public function close(int $code, string $reason): void
    {
        $this->isWrong = true;
        $this->socket->close($code, $reason);
    }

    private function hear(string $text): void
    {
        if ($this->isWrong) return;
        try {
            $this->take(Messages::read($text));
        } catch (BadMessage $bad) {
            $this->close(4400, $bad->getMessage());
        }
    }

    private function take(stdClass $message): void
    {
        if (($message->type === 'hello') !== ($this->computer === null)) throw new BadMessage("$message->type comes at the wrong time");
        if ($message->type === 'hello') {
            $this->client = $message->client;
            $this->links->greet($this, $message);
            return;
        }
        if ($message->type === 'ack') {
            if (!isset($this->pending[$message->id])) throw new BadMessage("nothing waits for an ack of $message->id");
            unset($this->pending[$message->id]);
            $this->pump();
            return;
        }
        match ($message->type) {
            'printers' => $this->links->takePrinters($this->computer, $message->printers),
            'scales' => $this->loop->scales->report($this->computer, $message->scales),
            'reading' => $this->loop->scales->read($this->computer, $message),
            'job-state' => $this->links->takeState($this->computer, $message),
        };
        $this->say(['type' => 'ack', 'id' => $message->id]);
    }

    public function welcome(): void
    {
        $this->say(['type' => 'welcome', 'computerId' => $this->computer->id, 'accountId' => $this->account->id,
            'heartbeatMs' => self::HEARTBEAT_MS, 'lingua' => 'latina']);
    }

    public function pump(): void
    {
        while (count($this->pending) < self::WINDOW && $this->queue !== []) {
            $job = $this->loop->store->get('jobs', array_shift($this->queue));
            if ($job !== null && $job->end === null) $this->deliver($job);
        }
    }

    private function deliver(stdClass $job): void
    {
        $id = 'D' . ++$this->sent . "of$job->id";
        $this->pending[$id] = $job->id;
        markSent($this->loop, $job);
        addState($this->loop, $job, 'sent_to_client', '');
        $this->say([
            'type' => 'job',
            'id' => $id,
            'jobId' => $job->id,
            'printerKey' => $job->printerKey,
            'title' => $job->title,
            'source' => $job->source,
            'contentType' => $job->contentType,
            'content' => $this->loop->store->get('documents', $job->id)->content,
            'options' => $job->options,
            'qty' => $job->qty,
            'authentication' => $job->access,
            'createTimestamp' => utc($job->createdMs),
            'expireAt' => null,
        ]);
    }
}

function markSent(Loop $loop, stdClass $job): void
{
    unset($loop->waiting[$job->id]);
    if ($job->wasSent) return;
    $job->wasSent = true;
    $loop->store->save('jobs', $job->id, $job);
}

final class Links
{
    private const PROTOCOL = 'platen.link.v1';
    private const OF_SERVICE = ['new', 'sent_to_client', 'expired'];
    /** @var Link[] of greeted computers, oldest first */
    private array $links = [];

    public function __construct(private Loop $loop) {}

    public function accept(Peer $peer, stdClass $request): void
    {
        $store = $this->loop->store;
        [$user, $password] = basicOf($request->headers['authorization'] ?? null);
        $key = $user === null || $password !== '' ? null : $store->get('keys', $user) ?? $store->get('clientKeys', $user);
        $account = $key === null ? null : $store->get('accounts', $key->accountId);
        if ($account?->state !== 'active' || array_intersect_key($request->headers, SELECTORS) !== []) throw unknownCaller('clavis ignota');
        $offered = array_map('trim', explode(',', $request->headers['sec-websocket-protocol'] ?? ''));
        if (!in_array(self::PROTOCOL, $offered, true)) {
            throw new Failure(426, 'OtherLink', 'another version of the link', ['sec-websocket-protocol' => self::PROTOCOL]);
        }
        new Link($this->loop, $this, new WebSocket($peer, $request, self::PROTOCOL), $account, $user);
    }

    /** @return Link[] */
    private function of(stdClass $computer): array
    {
        return array_values(array_filter($this->links, fn ($link) => $link->computer === $computer));
    }

    public function greet(Link $link, stdClass $hello): void
    {
        $computer = $this->computer($link->account, $hello->client);
        $before = $this->of($computer);
        if (count($before) >= 32) {
            $link->close(1013, 'too many connections');
            return;
        }
        $link->computer = $computer;
        $link->since = utc(nowMs());
        $this->links[] = $link;
        $computer->isHere = true;
        foreach ($before as $older) $older->queue = [];
        $link->welcome();
        $held = array_flip($hello->holding);
        [$again, $fresh] = [[], []];
        foreach ($this->loop->store->all('jobs') as $job) {
            if ($job->computerId !== $computer->id || $job->end !== null) continue;
            if (!$job->wasSent) $fresh[] = $job->id;
            elseif (!isset($held[$job->id])) $again[] = $job->id;
        }
        sort($again);
        sort($fresh);
        $link->queue = [...$again, ...$fresh];
        $this->announce($computer, $link, null);
        $link->pump();
    }

    private function computer(stdClass $account, stdClass $client): stdClass
    {
        $store = $this->loop->store;
        $known = null;
        foreach ($store->of('computers', $account) as $one) if ($one->installationId === $client->installationId) $known = $one;
        $known ??= (object) ['id' => $store->nextId('computers'), 'accountId' => $account->id, 'createdMs' => nowMs(), 'isHere' => false,
            'installationId' => $client->installationId];
        $known->name = $client->computerName;
        foreach (['hostname', 'inet', 'inet6', 'version'] as $name) $known->$name = $client->$name;
        return $store->save('computers', $known->id, $known);
    }

    public function ended(Link $link): void
    {
        $at = array_search($link, $this->links, true);
        if ($at === false) return;
        $computer = $link->computer;
        $all = $this->of($computer);
        $wasNewest = end($all) === $link;
        array_splice($this->links, $at, 1);
        $left = $this->of($computer);
        $computer->isHere = $left !== [];
        $this->announce($computer, $link, utc(nowMs()));
        if (!$wasNewest || $left === []) return;
        $next = end($left);
        $due = array_diff(array_unique([...array_values($link->pending), ...$link->queue]), array_values($next->pending));
        sort($due);
        $next->queue = $due;
        $next->pump();
    }

    private function announce(stdClass $computer, Link $link, ?string $until): void
    {
        $account = $this->loop->store->get('accounts', $computer->accountId);
        if ($account === null || $this->loop->store->get('computers', $computer->id) === null) return;
        $this->loop->webhooks->emit($account, 'computer state', [
            'computer' => ['id' => $computer->id, 'name' => $computer->name],
            'computerId' => $computer->id,
            'state' => $computer->isHere ? 'online' : 'disconnected',
            'connection' => ['from' => $link->since, 'until' => $until, 'version' => $link->client->version],
        ]);
    }

    /** What is not in the list is gone, and comes back as another one. */
    public function takePrinters(stdClass $computer, array $reported): void
    {
        $store = $this->loop->store;
        $there = [];
        foreach ($store->all('printers') as $one) if ($one->computerId === $computer->id) $there[$one->key] = $one;
        $listed = [];
        foreach ($reported as $one) $listed[$one->key] = $one;
        foreach (array_diff_key($there, $listed) as $gone) $store->remove('printers', $gone->id);
        foreach ($listed as $key => $one) {
            $printer = $there[$key] ?? (object) ['id' => $store->nextId('printers'), 'key' => (string) $key,
                'accountId' => $computer->accountId, 'computerId' => $computer->id, 'createdMs' => nowMs()];
            foreach (['name', 'description', 'default', 'state', 'capabilities'] as $name) $printer->$name = $one->$name;
            $store->save('printers', $printer->id, $printer);
        }
    }

    /** Each report is recorded once. */
    public function takeState(stdClass $computer, stdClass $report): void
    {
        $store = $this->loop->store;
        $job = $store->get('jobs', (int) $report->jobId);
        $id = "$computer->id $report->id";
        if ($job?->computerId !== $computer->id || in_array($report->state, self::OF_SERVICE, true)) return;
        if ($store->get('reports', $id) !== null) return;
        $store->save('reports', $id, new stdClass());
        if (isWaiting($job)) markSent($this->loop, $job);
        $job->isDone = $job->isDone || $report->state === 'done';
        addState($this->loop, $job, $report->state, $report->message ?? '',
            (object) ['version' => $computer->version, 'data' => $report->data, 'atMs' => timeIn($report->createTimestamp)]);
        if ($report->state === 'done' || $report->state === 'error') endJob($this->loop, $job, $report->state);
    }

    /** A new job goes to the newest connection of its computer. */
    public function offer(stdClass $job): void
    {
        foreach (array_reverse($this->links) as $link) {
            if ($link->computer->id !== $job->computerId) continue;
            $link->queue[] = $job->id;
            $link->pump();
            return;
        }
    }

    public function refresh(stdClass $account): void
    {
        foreach ($this->links as $link) if ($link->account === $account) $link->say(['type' => 'refresh']);
    }

    public function closeWhere(Closure $isMeant, int $code, string $why): void
    {
        foreach ($this->links as $link) if ($isMeant($link)) $link->close($code, $why);
    }
}
