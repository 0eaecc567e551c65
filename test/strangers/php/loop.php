<?php
// One process, one loop: sockets, what is due, and what is to happen soon.

final class Peer
{
    public string $in = '';
    public ?Closure $onData = null;
    public ?Closure $onClose = null;
    public bool $isGone = false;
    private string $out = '';
    private int $written = 0;
    private bool $isEnding = false;

    public function __construct(public $stream, private Loop $loop)
    {
        stream_set_blocking($stream, false);
        stream_set_read_buffer($stream, 0);
        stream_set_write_buffer($stream, 0);
        $loop->add($this);
    }

    public function hasMore(): bool { return $this->written < strlen($this->out); }

    public function send(string $bytes): void
    {
        if ($this->isGone || $this->isEnding) return;
        $this->out = $this->hasMore() ? substr($this->out, $this->written) . $bytes : $bytes;
        $this->written = 0;
        $this->flush();
    }

    public function flush(): void
    {
        if ($this->isGone) return;
        if ($this->hasMore()) {
            $count = @fwrite($this->stream, substr($this->out, $this->written, 262_144));
            if ($count === false) {
                $this->destroy();
                return;
            }
            $this->written += $count;
        }
        if (!$this->hasMore() && $this->isEnding) $this->destroy();
    }

    public function read(): void
    {
        $bytes = @fread($this->stream, 262_144);
        if ($bytes === false || $bytes === '') {
            if ($bytes === false || feof($this->stream)) $this->destroy();
            return;
        }
        $this->in .= $bytes;
        if ($this->onData) ($this->onData)();
    }

    /** Once all is written. */
    public function end(): void
    {
        $this->isEnding = true;
        $this->flush();
    }

    /** Once the other end has, or after a while. */
    public function endSlowly(): void
    {
        $this->loop->soon(function (): void {
            if (!$this->isGone && !$this->hasMore()) stream_socket_shutdown($this->stream, STREAM_SHUT_WR);
        });
        $this->loop->after(3000, fn () => $this->destroy());
    }

    public function destroy(): void
    {
        if ($this->isGone) return;
        $this->isGone = true;
        $this->loop->remove($this);
        @fclose($this->stream);
        if ($this->onClose) ($this->onClose)();
    }
}

final class Loop
{
    private const LONGEST_MS = 600_000;
    public readonly Scales $scales;
    public readonly Webhooks $webhooks;
    public readonly Links $links;
    public readonly Rates $rates;
    /** @var array<int, stdClass> jobs that wait for their computer */
    public array $waiting = [];
    /** @var array<int, Peer> */
    private array $peers = [];
    /** @var Closure[] */
    private array $soon = [];
    /** @var array<int, array{int, Closure}> */
    private array $timers = [];
    private int $lastTimer = 0;
    private $listening;
    private bool $isOver = false;

    public function __construct(public readonly Store $store, int $port)
    {
        $this->scales = new Scales();
        $this->webhooks = new Webhooks($this);
        $this->links = new Links($this);
        $this->rates = new Rates();
        foreach ($store->all('jobs') as $job) if (isWaiting($job)) $this->waiting[$job->id] = $job;
        $context = stream_context_create(['socket' => ['backlog' => 511, 'tcp_nodelay' => true]]);
        $this->listening = stream_socket_server("tcp://127.0.0.1:$port", $errno, $why, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context);
        stream_set_blocking($this->listening, false);
        fwrite(STDOUT, "paratum: http://127.0.0.1:$port\n");
    }

    public function add(Peer $peer): void { $this->peers[(int) $peer->stream] = $peer; }
    public function remove(Peer $peer): void { unset($this->peers[(int) $peer->stream]); }
    public function soon(Closure $task): void { $this->soon[] = $task; }

    public function after(int $ms, Closure $task): int
    {
        $this->timers[++$this->lastTimer] = [nowMs() + $ms, $task];
        return $this->lastTimer;
    }

    public function cancel(int $timer): void { unset($this->timers[$timer]); }

    public function end(): void
    {
        $this->links->closeWhere(fn () => true, 1001, 'the service ends');
        $this->isOver = true;
    }

    public function run(): void
    {
        while (!$this->isOver) {
            [$soon, $this->soon] = [$this->soon, []];
            foreach ($soon as $task) $task();
            $this->doWhatIsDue();
            $this->wait();
        }
    }

    private function doWhatIsDue(): void
    {
        expireJobs($this);
        $this->webhooks->sendDue();
        foreach ($this->timers as $id => [$dueMs, $task]) {
            if ($dueMs > nowMs()) continue;
            unset($this->timers[$id]);
            $task();
        }
    }

    private function waitMs(): int
    {
        if ($this->soon !== []) return 0;
        $due = min($this->webhooks->dueMs(), nowMs() + self::LONGEST_MS);
        foreach ($this->waiting as $job) $due = min($due, $job->expireMs);
        foreach ($this->timers as [$dueMs]) $due = min($due, $dueMs);
        return max(0, $due - nowMs());
    }

    private function wait(): void
    {
        $read = [$this->listening];
        $write = [];
        $broken = null;
        foreach ($this->peers as $peer) {
            $read[] = $peer->stream;
            if ($peer->hasMore()) $write[] = $peer->stream;
        }
        $ms = $this->waitMs();
        if (@stream_select($read, $write, $broken, intdiv($ms, 1000), $ms % 1000 * 1000) === false) return;
        foreach ($write as $stream) ($this->peers[(int) $stream] ?? null)?->flush();
        foreach ($read as $stream) {
            if ($stream === $this->listening) $this->accept();
            else ($this->peers[(int) $stream] ?? null)?->read();
        }
    }

    private function accept(): void
    {
        while (($stream = @stream_socket_accept($this->listening, 0, $address)) !== false) {
            new HttpConnection(new Peer($stream, $this), $this, preg_replace('/:\d+$/', '', $address));
        }
    }

    /** @param Closure $heard with status (0 for no answer) and headers, once */
    public function request(string $url, array $headers, string $body, int $patienceMs, Closure $heard): void
    {
        $parts = parse_url($url);
        $isSafe = strtolower($parts['scheme']) === 'https';
        $port = $parts['port'] ?? ($isSafe ? 443 : 80);
        $host = $parts['host'];
        $stream = @stream_socket_client(($isSafe ? 'ssl' : 'tcp') . "://$host:$port", $errno, $why, 5, $isSafe ? STREAM_CLIENT_CONNECT : STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
        if ($stream === false) {
            $this->soon(fn () => $heard(0, []));
            return;
        }
        $peer = new Peer($stream, $this);
        $isHeard = false;
        $finish = function (int $status, array $answer) use (&$isHeard, &$timer, $peer, $heard): void {
            if ($isHeard) return;
            $isHeard = true;
            $this->cancel($timer);
            $peer->destroy();
            $heard($status, $answer);
        };
        $timer = $this->after($patienceMs, fn () => $finish(0, []));
        $peer->onClose = fn () => $finish(...answerIn($peer->in, true));
        $peer->onData = function () use ($peer, $finish): void {
            $answer = answerIn($peer->in, false);
            if ($answer !== null) $finish(...$answer);
        };
        $path = ($parts['path'] ?? '/') . (isset($parts['query']) ? "?$parts[query]" : '');
        $lines = ["POST $path HTTP/1.1", "host: $host:$port", 'content-length: ' . strlen($body), 'connection: close'];
        foreach ($headers as $name => $value) $lines[] = "$name: $value";
        $this->soon(fn () => $peer->send(implode("\r\n", $lines) . "\r\n\r\n$body"));
    }
}

/** @return ?array{int, array} status and headers of a whole answer; null where more has to come */
function answerIn(string $bytes, bool $isClosed): ?array
{
    $none = $isClosed ? [0, []] : null;
    $end = strpos($bytes, "\r\n\r\n");
    if ($end === false) return $none;
    $lines = explode("\r\n", substr($bytes, 0, $end));
    if (!preg_match('~^HTTP/1\.\d (\d{3})~', array_shift($lines), $found)) return [0, []];
    $status = (int) $found[1];
    if ($status < 200) return answerIn(substr($bytes, $end + 4), $isClosed);
    $headers = [];
    foreach ($lines as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower(trim($name))] = trim($value);
    }
    $has = strlen($bytes) - $end - 4;
    if ($status === 204 || $status === 304) return [$status, $headers];
    if (isset($headers['transfer-encoding'])) return str_ends_with($bytes, "0\r\n\r\n") ? [$status, $headers] : $none;
    if (isset($headers['content-length'])) return $has >= (int) $headers['content-length'] ? [$status, $headers] : $none;
    return $isClosed ? [$status, $headers] : null;
}
