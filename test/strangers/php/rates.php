<?php

/** Thirty at once, ten a second in the long run, for each account and for each address. */
final class Rates
{
    private const MOST = 30;
    private const PER_MS = 0.01;
    /** @var array<string, array{float, int}> what is left, and since when */
    private array $buckets = [];

    /** @param string[] $payers nothing is taken of any where one has nothing left */
    public function take(array $payers): bool
    {
        $now = nowMs();
        foreach ($payers as $payer) {
            [$left, $since] = $this->buckets[$payer] ?? [self::MOST, $now];
            $this->buckets[$payer] = [min(self::MOST, $left + max(0, $now - $since) * self::PER_MS), $now];
        }
        foreach ($payers as $payer) if ($this->buckets[$payer][0] < 1) return false;
        foreach ($payers as $payer) $this->buckets[$payer][0] -= 1;
        return true;
    }
}
