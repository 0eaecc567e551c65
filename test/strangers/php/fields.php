<?php
// Bodies: JSON, or forms with the same keys; and the fields that are taken out of them.

const NESTS_MOST = 30;

/** @return mixed objects are stdClass; null for no body at all */
function readBody(string $type, string $bytes): mixed
{
    if ($bytes === '') return null;
    $kind = strtolower(trim(explode(';', $type)[0]));
    if ($kind === 'application/x-www-form-urlencoded') return formOf($bytes);
    if ($kind !== '' && $kind !== 'application/json' && $kind !== 'text/plain') {
        throw new Failure(415, 'OtherMedia', "no $kind is read here");
    }
    if ($kind === 'text/plain') return $bytes;
    try {
        return json_decode($bytes, false, NESTS_MOST, JSON_THROW_ON_ERROR);
    } catch (JsonException $error) {
        throw new Failure(400, 'InvalidContent', $error->getMessage());
    }
}

/** `a[b]=1&c[]=2` → {a: {b: '1'}, c: ['2']} */
function formOf(string $text): mixed
{
    $root = [];
    foreach (explode('&', $text) as $pair) {
        if ($pair === '') continue;
        [$name, $value] = array_map('urldecode', explode('=', $pair, 2)) + [1 => ''];
        preg_match_all('/\[([^\]]*)\]/', $name, $inner);
        $parts = [explode('[', $name)[0], ...$inner[1]];
        if (count($parts) > NESTS_MOST) throw new Failure(400, 'InvalidContent', 'the form nests too deep');
        $at = &$root;
        foreach ($parts as $index => $part) {
            if (!is_array($at)) $at = [];
            if ($part === '' && $index > 0) $part = count($at);
            $at = &$at[$part];
        }
        $at = $value;
        unset($at);
    }
    return asObjects($root);
}

function asObjects(mixed $value): mixed
{
    if (!is_array($value)) return $value;
    $inner = array_map('asObjects', $value);
    return array_is_list($inner) && $inner !== [] ? $inner : (object) $inner;
}

function objectIn(mixed $body): stdClass
{
    if (!$body instanceof stdClass) throw unfit('the body has to be an object');
    return $body;
}

/** In UTF-16 code units. */
function units(string $text): int { return intdiv(strlen(iconv('UTF-8', 'UTF-16LE', $text)), 2); }

function textField(stdClass $in, string $name, bool $optional = false, int $least = 1, int $most = 20000): ?string
{
    $value = $in->$name ?? null;
    if ($value === null && $optional) return null;
    if (!is_string($value)) throw unfit("$name has to be a string");
    if (strlen($value) < $least || strlen($value) > $most) throw unfit("$name has from $least to $most bytes");
    return $value;
}

function wholeField(stdClass $in, string $name, bool $optional = false, int $least = 0, int $most = PHP_INT_MAX): ?int
{
    $value = $in->$name ?? null;
    if ($value === null && $optional) return null;
    if (is_string($value) && preg_match('/^-?\d{1,18}$/', $value)) $value = (int) $value;
    if (is_float($value) && floor($value) === $value && abs($value) < 2 ** 53) $value = (int) $value;
    if (!is_int($value) || $value < $least || $value > $most) throw unfit("$name is no integer from $least to $most");
    return $value;
}

function flagField(stdClass $in, string $name, bool $optional = false): ?bool
{
    $value = $in->$name ?? null;
    if ($value === null && $optional) return null;
    return match ($value) {
        true, 'true', '1' => true,
        false, 'false', '0' => false,
        default => throw unfit("$name is true or false"),
    };
}

/** An empty list stands for an empty object. */
function objectField(stdClass $in, string $name): ?stdClass
{
    $value = $in->$name ?? null;
    if ($value === null) return null;
    if ($value === [] || $value === '') return new stdClass();
    if (!$value instanceof stdClass) throw unfit("$name has to be an object");
    return $value;
}

function choiceField(stdClass $in, string $name, array $among, bool $optional = false): ?string
{
    $value = textField($in, $name, $optional);
    if ($value !== null && !in_array($value, $among, true)) throw unfit("$name is one of " . implode(', ', $among));
    return $value;
}
