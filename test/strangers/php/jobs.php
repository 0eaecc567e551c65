<?php
// Print jobs: submission, lists, states, cancelling, expiry.

const CONTENT_TYPES = ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'];
const STABLE = ['new', 'sent_to_client', 'done', 'error', 'expired'];
const DELIVERY_MOST = 67_108_864;
const DAY_MS = 86_400_000;

function isWaiting(stdClass $job): bool { return !$job->wasSent && $job->end === null; }

/** @param ?stdClass $client {version, data, atMs} where a client reported it */
function addState(Loop $loop, stdClass $job, string $name, string $message, ?stdClass $client = null): void
{
    $loop->store->addState($job->id, (object) [
        'state' => $name,
        'message' => $message,
        'data' => $client?->data ?? new stdClass(),
        'clientVersion' => $client?->version,
        'atMs' => $client?->atMs ?? nowMs(),
    ]);
    if (!in_array($name, STABLE, true)) return;
    $loop->webhooks->emit($loop->store->get('accounts', $job->accountId), 'print job state', ['id' => $job->id, 'printJobId' => $job->id, 'state' => $name]);
}

function endJob(Loop $loop, stdClass $job, string $how): void
{
    if ($job->end !== null) return;
    $job->end = $how;
    $loop->store->save('jobs', $job->id, $job);
    $loop->store->remove('documents', $job->id);
    unset($loop->waiting[$job->id]);
}

function retract(Loop $loop, stdClass $job): void
{
    endJob($loop, $job, 'retracted');
    addState($loop, $job, 'retracted', 'nobody wants it any more');
}

function expireJobs(Loop $loop): void
{
    foreach ($loop->waiting as $job) {
        if ($job->expireMs > nowMs()) continue;
        endJob($loop, $job, 'expired');
        addState($loop, $job, 'expired', 'sero venientibus ossa');
    }
}

function printerFor(stdClass $call, stdClass $in): stdClass
{
    $named = $in->printerId ?? $in->printer ?? null;
    if ($named instanceof stdClass) $named = $named->id ?? null;
    $id = wholeField((object) ['printerId' => $named], 'printerId', false, 1);
    $printer = $call->store->get('printers', $id);
    if ($printer?->accountId !== $call->account->id) throw new Failure(422, 'NoPrinter', "printer $id cannot be printed on");
    return $printer;
}

function printOptions(stdClass $in): stdClass
{
    $given = objectField($in, 'options') ?? new stdClass();
    $read = new stdClass();
    foreach ($given as $name => $value) {
        $read->$name = match ($name) {
            'bin', 'dpi', 'media', 'paper', 'pages' => textField($given, $name, true, 0),
            'collate', 'color', 'fit_to_page' => flagField($given, $name, true),
            'copies', 'nup' => wholeField($given, $name, true, 1),
            'duplex' => choiceField($given, $name, ['long-edge', 'short-edge', 'one-sided'], true),
            'rotate' => wholeField($given, $name, true, 0, 270),
            default => $value,
        };
    }
    if (isset($read->rotate) && $read->rotate % 90 !== 0) throw unfit('rotate is 0, 90, 180 or 270');
    return $read;
}

function documentAccess(stdClass $in): ?stdClass
{
    $given = objectField($in, 'authentication');
    if ($given === null) return null;
    $credentials = objectField($given, 'credentials') ?? throw unfit('credentials are needed');
    return (object) [
        'type' => choiceField($given, 'type', ['BasicAuth', 'DigestAuth']),
        'credentials' => (object) ['user' => textField($credentials, 'user', false, 0), 'pass' => textField($credentials, 'pass', false, 0)],
    ];
}

/** One key in all accounts; it counts from an accepted job on. */
function freshKey(stdClass $call): ?string
{
    $key = $call->headers['x-idempotency-key'] ?? '';
    if ($key === '') return null;
    $used = $call->store->get('idempotency', "=$key");
    if ($used !== null && nowMs() < $used->atMs + DAY_MS) throw new Failure(409, 'Conflict', 'this key was used within a day');
    return "=$key";
}

function submitJob(stdClass $call): array
{
    [$store, $loop] = [$call->store, $call->loop];
    $in = objectIn($call->body);
    $key = freshKey($call);
    $printer = printerFor($call, $in);
    $now = nowMs();
    $job = (object) [
        'id' => 0,
        'accountId' => $call->account->id,
        'printerId' => $printer->id,
        'printerName' => $printer->name,
        'printerKey' => $printer->key,
        'computerId' => $printer->computerId,
        'contentType' => choiceField($in, 'contentType', CONTENT_TYPES),
        'title' => textField($in, 'title', true, 0) ?? '',
        'source' => textField($in, 'source', true, 0),
        'options' => printOptions($in),
        'qty' => wholeField($in, 'qty', true, 1, 1_000_000) ?? 1,
        'access' => documentAccess($in),
        'expireMs' => $now + 1000 * (wholeField($in, 'expireAfter', true, 0, 10_000_000_000) ?? 1_209_600),
        'createdMs' => $now,
        'wasSent' => false,
        'isDone' => false,
        'end' => null,
    ];
    $content = textField($in, 'content', false, 1, 60_000_000);
    if (str_ends_with($job->contentType, '_base64')) checkBase64($content);
    if (strlen(json_encode([$job, $content])) > DELIVERY_MOST) throw unfit('the job is too long to be delivered');
    $job->id = $store->nextId('jobs');
    $store->save('documents', $job->id, (object) ['content' => $content]);
    $store->save('jobs', $job->id, $job);
    if ($key !== null) $store->save('idempotency', $key, (object) ['atMs' => $now, 'accountId' => $call->account->id]);
    $loop->waiting[$job->id] = $job;
    addState($loop, $job, 'new', '');
    $loop->soon(fn () => $loop->links->offer($job));
    return [201, $job->id];
}

function checkBase64(string $content): void
{
    $bare = preg_replace('/\s+/', '', $content);
    if (base64_decode($bare, true) === false) throw unfit('content is no base64');
}

function lastState(Store $store, stdClass $job): string
{
    $history = $store->history($job->id);
    return end($history)->state;
}

function shownJob(Store $store, stdClass $job): array
{
    return [
        'id' => $job->id,
        'place' => ['printerId' => $job->printerId, 'printer' => $job->printerName, 'computerId' => $job->computerId],
        'document' => ['title' => $job->title, 'source' => $job->source, 'contentType' => $job->contentType, 'qty' => $job->qty],
        'status' => lastState($store, $job),
        'from' => withComma($job->createdMs),
        'until' => $job->wasSent ? null : withComma($job->expireMs),
    ];
}

function jobsOf(stdClass $call, ?array $printers, ?array $set): array
{
    return array_filter(
        $call->store->of('jobs', $call->account, $set),
        fn ($job) => $printers === null || isset($printers[$job->printerId]),
    );
}

function listJobs(stdClass $call, ?array $printers = null, ?array $set = null): array
{
    return listed($call, jobsOf($call, $printers, $set), fn ($job) => shownJob($call->store, $job));
}

function cancelJobs(stdClass $call, ?array $printers = null, ?array $set = null): array
{
    $gone = array_filter(jobsOf($call, $printers, $set), isWaiting(...));
    foreach ($gone as $job) retract($call->loop, $job);
    return [200, array_values(array_map(fn ($job) => $job->id, $gone))];
}

/** By id of the job, newest state first; not in pages. */
function jobStates(stdClass $call, ?array $set = null): array
{
    $byJob = [];
    foreach (jobsOf($call, null, $set) as $job) {
        $history = $call->store->history($job->id);
        $byJob[$job->id] = array_map(fn ($state) => [
            'printJobId' => $job->id,
            'state' => $state->state,
            'message' => $state->message,
            'data' => $state->data,
            'clientVersion' => $state->clientVersion,
            'createTimestamp' => withComma($state->atMs),
            'age' => $state->atMs - $history[0]->atMs,
        ], array_reverse($history));
    }
    return [200, (object) $byJob];
}
