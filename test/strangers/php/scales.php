<?php
// Scale data, over HTTP and as a stream; it is kept for 45 seconds, in memory alone.

final class Scales
{
    private const KEPT_MS = 45_000;
    /** @var array<string, array{int, stdClass, int}> account, data, when it was stored */
    private array $readings = [];
    /** @var array<int, array<string, stdClass>> by computer and key */
    private array $plugged = [];
    /** @var array<int, WebSocket> with the account that each is of */
    private array $listeners = [];

    public function report(stdClass $computer, array $scales): void
    {
        $before = $this->plugged[$computer->id] ?? [];
        $now = [];
        foreach ($scales as $scale) $now[$scale->key] = $scale;
        foreach ($now as $key => $scale) {
            $old = $before[$key] ?? null;
            $scale->deviceNum = $old?->deviceName === $scale->deviceName ? $old->deviceNum : null;
        }
        foreach ($now as $scale) {
            if ($scale->deviceNum !== null) continue;
            $used = [];
            foreach ($now as $one) if ($one->deviceName === $scale->deviceName && $one->deviceNum !== null) $used[$one->deviceNum] = true;
            for ($number = 0; isset($used[$number]); $number++);
            $scale->deviceNum = $number;
        }
        $this->plugged[$computer->id] = $now;
    }

    public function forget(int $computerId): void
    {
        unset($this->plugged[$computerId]);
        $this->readings = array_filter($this->readings, fn ($one) => $one[1]->computerId !== $computerId);
    }

    public function read(stdClass $computer, stdClass $message): void
    {
        $scale = $this->plugged[$computer->id][$message->scaleKey] ?? null;
        if ($scale === null) return;
        $this->keep($computer->accountId, (object) [
            'mass' => $message->mass,
            'computerId' => $computer->id,
            'vendor' => $scale->vendor ?? '',
            'product' => $scale->product ?? '',
            'vendorId' => $scale->vendorId,
            'productId' => $scale->productId,
            'port' => $scale->port ?? '',
            'deviceName' => $scale->deviceName,
            'deviceNum' => $scale->deviceNum,
            'count' => null,
            'measurement' => $message->measurement,
            'clientReportedCreateTimestamp' => $message->clientReportedCreateTimestamp,
            'ntpOffset' => null,
        ]);
    }

    /** Two kilograms and a half. */
    public function simulate(stdClass $account): void
    {
        $this->keep($account->id, (object) [
            'mass' => [2_500_000_000, 100_000],
            'computerId' => 0,
            'vendor' => 'Statera',
            'product' => '',
            'vendorId' => 1,
            'productId' => 2,
            'port' => '',
            'deviceName' => 'Service Test Scale',
            'deviceNum' => 0,
            'count' => null,
            'measurement' => (object) ['kg' => 2_500_000_000],
            'clientReportedCreateTimestamp' => withComma(nowMs()),
            'ntpOffset' => null,
        ]);
    }

    private function keep(int $accountId, stdClass $data): void
    {
        $reading = [$accountId, $data, nowMs()];
        $this->readings[json_encode([$accountId, $data->computerId, $data->deviceName, $data->deviceNum])] = $reading;
        foreach ($this->listeners as [$socket, $listening]) if ($listening === $accountId) $socket->send(encoded(self::shown($reading)));
    }

    private static function shown(array $reading): stdClass
    {
        [, $data, $storedMs] = $reading;
        return (object) ((array) $data + ['ageOfData' => nowMs() - $storedMs]);
    }

    /** @return stdClass[] */
    public function of(stdClass $account, string $computer, ?string $name): array
    {
        if (!preg_match('/^\d{1,18}$/D', $computer)) throw unfit('a computer has an integer as its id');
        $this->readings = array_filter($this->readings, fn ($one) => nowMs() < $one[2] + self::KEPT_MS);
        $found = array_filter($this->readings, fn ($one) => $one[0] === $account->id && $one[1]->computerId === (int) $computer
            && ($name === null || $one[1]->deviceName === $name));
        return array_values(array_map(self::shown(...), $found));
    }

    public function listen(WebSocket $socket, int $accountId): void
    {
        $id = spl_object_id($socket);
        $this->listeners[$id] = [$socket, $accountId];
        $socket->onEnd = function () use ($id): void { unset($this->listeners[$id]); };
    }
}

function listReadings(stdClass $call, string $computer, ?string $name = null): array
{
    return [200, $call->loop->scales->of($call->account, $computer, $name)];
}

function oneReading(stdClass $call, string $computer, string $name, string $number): array
{
    foreach ($call->loop->scales->of($call->account, $computer, $name) as $data) {
        if ((string) $data->deviceNum === $number) return [200, $data];
    }
    throw missing("fresh data of scale $name");
}

function simulateScale(stdClass $call): array
{
    $call->loop->scales->simulate($call->account);
    return [204, null];
}
