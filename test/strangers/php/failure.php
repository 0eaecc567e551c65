<?php

/** What is answered instead of success. */
final class Failure extends Exception
{
    public function __construct(
        public readonly int $status,
        public readonly string $name,
        string $message,
        public array $headers = [],
    ) {
        parent::__construct($message);
    }
}

function unfit(string $why): Failure { return new Failure(422, 'Unfit', $why); }
function missing(string $what): Failure { return new Failure(404, 'E404', "non est: $what"); }
function unknownCaller(string $why): Failure
{
    return new Failure(401, 'InvalidCredentials', $why, ['www-authenticate' => 'Basic realm=Api']);
}

/** Milliseconds since 1970, as the machine shows them. */
function nowMs(): int { return (int) floor(microtime(true) * 1000); }

function utc(int $ms): string { return gmdate('Y-m-d\TH:i:s', intdiv($ms, 1000)) . sprintf('.%03dZ', $ms % 1000); }

/** ISO 8601 prefers the comma. */
function withComma(int $ms): string { return str_replace('.', ',', utc($ms)); }
