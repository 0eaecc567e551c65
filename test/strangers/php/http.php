<?php
// HTTP/1.1: requests in, answers out, with the headers that all of them have.

const BODY_MOST = 50_000_000;

function encoded(mixed $value): string
{
    return json_encode($value, JSON_PRETTY_PRINT | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR);
}

/** A page of records, as an answer. */
function listed(stdClass $call, array $records, Closure $show): array
{
    $one = function (string $name, string $pattern) use ($call): string {
        $value = $call->query[$name] ?? '';
        if (is_array($value) || ($value !== '' && !preg_match($pattern, $value))) throw unfit("the parameter $name");
        return $value;
    };
    $limit = $one('limit', '/^\d{1,9}$/D');
    $limit = $limit === '' ? 100 : min(500, (int) $limit);
    $sign = $one('dir', '/^(asc|desc)$/D') === 'asc' ? 1 : -1;
    $after = $one('after', '/^\d{1,18}$/D');
    usort($records, fn ($left, $right) => $sign * ($left->id <=> $right->id));
    $from = 0;
    if ($after !== '') while ($from < count($records) && $sign * ($records[$from]->id <=> (int) $after) <= 0) $from++;
    $shown = array_map($show, array_slice($records, $from, $limit));
    return [200, $shown, [
        'records-returned' => (string) count($shown),
        'records-returned-limit' => (string) $limit,
        'records-returned-offset' => (string) $from,
        'records-total' => (string) count($records),
    ]];
}

final class HttpConnection
{
    private ?stdClass $request = null;
    private bool $isUpgraded = false;

    public function __construct(private Peer $peer, private Loop $loop, private string $address)
    {
        $peer->onData = fn () => $this->take();
    }

    private function take(): void
    {
        while (!$this->isUpgraded && !$this->peer->isGone) {
            $this->request ??= $this->head();
            if ($this->request === null || !$this->body($this->request)) return;
            [$request, $this->request] = [$this->request, null];
            $this->answer($request);
        }
    }

    /** Undefined until the head is whole. */
    private function head(): ?stdClass
    {
        $this->peer->in = ltrim($this->peer->in, "\r\n");
        $end = strpos($this->peer->in, "\r\n\r\n");
        if ($end === false) {
            if (strlen($this->peer->in) > 65_536) $this->peer->destroy();
            return null;
        }
        $lines = explode("\r\n", substr($this->peer->in, 0, $end));
        $this->peer->in = substr($this->peer->in, $end + 4);
        $first = explode(' ', array_shift($lines));
        if (count($first) !== 3) {
            $this->peer->destroy();
            return null;
        }
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        if (strtolower($headers['expect'] ?? '') === '100-continue') $this->peer->send("HTTP/1.1 100 Perge\r\n\r\n");
        $isChunked = str_contains(strtolower($headers['transfer-encoding'] ?? ''), 'chunked');
        return (object) ['method' => $first[0], 'target' => $first[1], 'headers' => $headers, 'isOld' => $first[2] === 'HTTP/1.0',
            'isChunked' => $isChunked, 'left' => $isChunked ? 0 : (int) ($headers['content-length'] ?? 0), 'body' => '', 'length' => 0];
    }

    /** Takes what is there of the body; whether it is whole. What is too much is counted and thrown away. */
    private function body(stdClass $request): bool
    {
        while (true) {
            if ($request->left > 0) {
                $part = substr($this->peer->in, 0, $request->left);
                $this->peer->in = substr($this->peer->in, strlen($part));
                $request->left -= strlen($part);
                $request->length += strlen($part);
                if ($request->length <= BODY_MOST) $request->body .= $part;
                if ($request->left > 0) return false;
                if ($request->isChunked) $request->isBetween = true;
            }
            if (!$request->isChunked) return true;
            if (isset($request->isBetween) && str_starts_with($this->peer->in, "\r\n")) {
                $this->peer->in = substr($this->peer->in, 2);
                unset($request->isBetween);
            }
            $end = strpos($this->peer->in, "\r\n");
            if ($end === false || isset($request->isBetween)) return false;
            $size = (int) hexdec(trim(explode(';', substr($this->peer->in, 0, $end))[0]));
            if ($size === 0) {
                $last = strpos($this->peer->in, "\r\n\r\n");
                if ($last === false) return false;
                $this->peer->in = substr($this->peer->in, $last + 4);
                return true;
            }
            $this->peer->in = substr($this->peer->in, $end + 2);
            $request->left = $size;
        }
    }

    private function answer(stdClass $request): void
    {
        $since = hrtime(true);
        $id = bin2hex(random_bytes(8)) . '/' . getmypid();
        if (isset($request->headers['upgrade']) && $this->upgrade($request, $id)) return;
        $said = [];
        try {
            [$status, $value, $headers] = $this->outcome($request, $id, $said) + [2 => []];
        } catch (Failure $failure) {
            $status = $failure->status;
            $value = ['code' => $failure->name, 'uid' => $id, 'message' => $failure->getMessage()];
            $headers = $failure->headers;
        }
        $this->send($request, $status, $value, $headers + $said, $id, $since);
    }

    private function outcome(stdClass $request, string $id, array &$said): array
    {
        [$path, $search] = explode('?', $request->target, 2) + [1 => ''];
        $segments = explode('/', ltrim(preg_replace('~^https?://[^/]*~', '', $path), '/'));
        if ($segments === ['ping'] && $request->method === 'GET') return [200, ['pong' => utc(nowMs())]];
        $caller = callerOf($this->loop->store, $request->headers);
        $said = $caller->headers;
        $payers = ["account {$caller->account->id}", "address $this->address"];
        if (!$this->loop->rates->take($payers)) throw new Failure(429, 'TooManyRequests', 'festina lente');
        if ($request->length > BODY_MOST) throw new Failure(413, 'Immane', 'a body has at most 50 MB');
        parse_str($search, $query);
        [$run, $arguments, $readsBody] = route($request->method, $segments);
        $caller->body = $readsBody ? readBody($request->headers['content-type'] ?? '', $request->body) : null;
        $caller->query = $query;
        $caller->requestId = $id;
        $caller->store = $this->loop->store;
        $caller->loop = $this->loop;
        $caller->requestHeaders = $request->headers;
        $call = (object) (['headers' => $request->headers] + (array) $caller);
        return $run($call, ...$arguments);
    }

    private function send(stdClass $request, int $status, mixed $value, array $headers, string $id, int $since): void
    {
        $body = $status === 204 ? '' : encoded($value);
        $seconds = (hrtime(true) - $since) / 1e9;
        $isLast = $request->isOld || strtolower($request->headers['connection'] ?? '') === 'close' || $request->method === 'POST';
        $all = $headers + [
            'access-control-allow-headers' => '*',
            'access-control-allow-methods' => '*',
            'access-control-allow-origin' => '*',
            'access-control-expose-headers' => '*',
            'api-version' => '0.1.0',
            'connection' => $isLast ? 'close' : 'keep-alive',
            'content-md5' => base64_encode(md5($body, true)),
            'content-type' => 'application/json',
            'elapsed' => rtrim(sprintf('%.9f', $seconds), '0') . '0',
            'request-id' => $id,
            'response-time' => (string) (int) ($seconds * 1e6),
        ];
        if ($status !== 204) $all['content-length'] = (string) strlen($body);
        krsort($all);
        $text = "HTTP/1.1 $status " . ($status < 400 ? 'Bene' : 'Male') . "\r\n";
        foreach ($all as $name => $said) $text .= "$name:$said\r\n";
        $this->peer->send("$text\r\n" . ($request->method === 'HEAD' ? '' : $body));
        if ($isLast) $this->peer->end();
    }

    /** Whether the path is one that speaks WebSocket. */
    private function upgrade(stdClass $request, string $id): bool
    {
        [$path, $search] = explode('?', $request->target, 2) + [1 => ''];
        if ($path !== '/link' && $path !== '/live') return false;
        $this->isUpgraded = true;
        try {
            if ($path === '/link') $this->loop->links->accept($this->peer, $request);
            else $this->listen($request, $search);
        } catch (Failure $failure) {
            $body = encoded(['code' => $failure->name, 'uid' => $id, 'message' => $failure->getMessage()]);
            $text = "HTTP/1.1 $failure->status Male\r\n";
            $all = ['content-type' => 'application/json', 'content-length' => strlen($body), 'request-id' => $id, 'connection' => 'close'];
            foreach ($failure->headers + $all as $name => $said) $text .= "$name:$said\r\n";
            $this->peer->send("$text\r\n$body");
            $this->peer->end();
        }
        return true;
    }

    private function listen(stdClass $request, string $search): void
    {
        parse_str($search, $query);
        $key = $this->loop->store->get('keys', (string) ($query['key'] ?? '')) ?? throw unknownCaller('a key is needed');
        $this->loop->scales->listen(new WebSocket($this->peer, $request, null), $key->accountId);
    }
}
