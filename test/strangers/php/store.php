<?php
// What is known, in memory; each change stands in a journal first, a line of JSON each. The program may be killed at any
// time: what it answered, acknowledged or delivered is there when it starts again.

final class Store
{
    private $journal;
    /** @var array<string, array<string|int, stdClass>> by kind and id */
    private array $records = [];
    /** @var array<string, int> by kind: each kind counts for itself */
    private array $last = [];
    /** @var array<int, array> by job */
    private array $histories = [];

    public function __construct(string $folder)
    {
        $file = "$folder/journal";
        $this->journal = fopen($file, 'a+');
        $whole = 0;
        while (($line = fgets($this->journal)) !== false && str_ends_with($line, "\n")) {
            $whole += strlen($line);
            [$kind, $id, $record] = json_decode($line, false);
            $this->keep($kind, $id, $record);
        }
        // A line that was cut off was never answered for.
        ftruncate($this->journal, $whole);
        foreach ($this->all('computers') as $computer) $computer->isHere = false;
    }

    private function keep(string $kind, string|int $id, mixed $record): void
    {
        if ($kind === 'last') $this->last[$id] = $record;
        elseif ($kind === 'history') $this->histories[$id][] = $record;
        elseif ($record === null) unset($this->records[$kind][$id]);
        else $this->records[$kind][$id] = $record;
    }

    private function write(string $kind, string|int $id, mixed $record): void
    {
        $line = json_encode([$kind, $id, $record], JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION) . "\n";
        fwrite($this->journal, $line);
        fflush($this->journal);
        $this->keep($kind, $id, $record);
    }

    public function nextId(string $kind): int
    {
        $this->write('last', $kind, ($this->last[$kind] ?? 0) + 1);
        return $this->last[$kind];
    }

    public function save(string $kind, string|int $id, stdClass $record): stdClass
    {
        $this->write($kind, $id, $record);
        return $record;
    }

    public function remove(string $kind, string|int $id): void { $this->write($kind, $id, null); }

    public function get(string $kind, string|int|null $id): ?stdClass { return $this->records[$kind][$id ?? ''] ?? null; }

    /** @return array<string|int, stdClass> */
    public function all(string $kind): array { return $this->records[$kind] ?? []; }

    /** @return array<string|int, stdClass> those of an account */
    public function of(string $kind, stdClass $account, ?array $set = null): array
    {
        return array_filter(
            $this->all($kind),
            fn ($one) => $one->accountId === $account->id && ($set === null || isset($set[$one->id])),
        );
    }

    public function addState(int $jobId, stdClass $state): void { $this->write('history', $jobId, $state); }

    /** @return array<stdClass> oldest first */
    public function history(int $jobId): array { return $this->histories[$jobId] ?? []; }
}
