<?php
// RFC 6455, as far as a service needs it.

final class WebSocket
{
    private const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
    public ?Closure $onText = null;
    public ?Closure $onEnd = null;
    public int $most = 4_194_304;
    /** Whether anything came since this was set to false. */
    public bool $isAlive = true;
    private ?string $parts = null;
    private bool $hasClosed = false;
    private bool $isOver = false;

    public function __construct(private Peer $peer, stdClass $request, ?string $protocol)
    {
        $key = base64_encode(sha1(($request->headers['sec-websocket-key'] ?? '') . self::GUID, true));
        $chosen = $protocol === null ? '' : "sec-websocket-protocol:$protocol\r\n";
        $peer->send("HTTP/1.1 101 Loquere\r\nupgrade:websocket\r\n{$chosen}connection:Upgrade\r\nsec-websocket-accept:$key\r\n\r\n");
        $peer->onData = fn () => $this->take();
        $peer->onClose = fn () => $this->over();
    }

    public function isDraining(): bool { return $this->peer->hasMore(); }
    public function send(string $text): void { $this->write(1, $text); }
    public function ping(): void { $this->write(9, 'adhuc?'); }

    public function close(int $code, string $reason): void
    {
        if ($this->hasClosed) return;
        $this->write(8, pack('n', $code) . substr($reason, 0, 100));
        $this->hasClosed = true;
        // What still comes is read and thrown away: unread, it would cut the connection before the code is heard.
        $this->peer->onData = fn () => $this->peer->in = '';
        $this->peer->endSlowly();
        $this->over();
    }

    public function cut(): void { $this->peer->destroy(); }

    private function over(): void
    {
        if ($this->isOver) return;
        $this->isOver = true;
        if ($this->onEnd) ($this->onEnd)();
    }

    private function write(int $op, string $payload): void
    {
        if ($this->hasClosed) return;
        $length = strlen($payload);
        $size = $length < 126 ? chr($length) : ($length < 65_536 ? chr(126) . pack('n', $length) : chr(127) . pack('J', $length));
        $this->peer->send(chr(0x80 | $op) . $size . $payload);
    }

    private function take(): void
    {
        $this->isAlive = true;
        while (!$this->hasClosed && !$this->isOver && $this->frame());
    }

    private function frame(): bool
    {
        $in = $this->peer->in;
        if (strlen($in) < 2) return false;
        [$first, $second] = [ord($in[0]), ord($in[1])];
        [$op, $isLast, $short] = [$first & 15, ($first & 128) !== 0, $second & 127];
        if (($first & 112) !== 0 || ($second & 128) === 0) return $this->refuse(1002, 'no such frame');
        if ($op >= 8 && ($short > 125 || !$isLast)) return $this->refuse(1002, 'no such control frame');
        $wide = $short === 126 ? 2 : ($short === 127 ? 8 : 0);
        if (strlen($in) < 2 + $wide) return false;
        $length = $wide === 0 ? $short : unpack($wide === 2 ? 'n' : 'J', substr($in, 2, $wide))[1];
        if ($length < 0 || $length + strlen($this->parts ?? '') > $this->most) return $this->refuse(1009, 'too long a frame');
        $start = 6 + $wide;
        if (strlen($in) < $start + $length) return false;
        $mask = substr($in, $start - 4, 4);
        $payload = substr($in, $start, $length) ^ substr(str_repeat($mask, intdiv($length, 4) + 1), 0, $length);
        $this->peer->in = substr($in, $start + $length);
        return $this->act($op, $isLast, $payload);
    }

    private function act(int $op, bool $isLast, string $payload): bool
    {
        if ($op === 9) $this->write(10, $payload);
        elseif ($op === 8) $this->close(1000, '');
        elseif ($op === 2 && $this->parts === null) return $this->refuse(4400, 'a message is text');
        elseif ($op === 0 || $op === 1) return $this->text($op, $isLast, $payload);
        elseif ($op !== 10) return $this->refuse(1002, 'no such frame');
        return true;
    }

    private function text(int $op, bool $isLast, string $payload): bool
    {
        if (($op === 0) !== ($this->parts !== null)) return $this->refuse(1002, 'a fragment out of order');
        $this->parts .= $payload;
        if (!$isLast) return true;
        [$text, $this->parts] = [$this->parts, null];
        if (!preg_match('//u', $text)) return $this->refuse(1007, 'no UTF-8');
        if ($this->onText) ($this->onText)($text);
        return true;
    }

    private function refuse(int $code, string $why): bool
    {
        $this->close($code, $why);
        return false;
    }
}
