<?php
// Computers, printers, client keys and client downloads.

function shownComputer(stdClass $computer): array
{
    return [
        'id' => $computer->id,
        'name' => $computer->name,
        'hostname' => $computer->hostname,
        'inet' => $computer->inet,
        'inet6' => $computer->inet6,
        'version' => $computer->version,
        'jre' => null,
        'createTimestamp' => utc($computer->createdMs),
        'state' => $computer->isHere ? 'online' : 'disconnected',
        'installed' => $computer->installationId,
    ];
}

/** A printer of a computer that is away is offline, whatever was said last. */
function shownPrinter(Store $store, stdClass $printer): array
{
    $computer = $store->get('computers', $printer->computerId);
    return [
        'id' => $printer->id,
        'computer' => shownComputer($computer),
        'name' => $printer->name,
        'description' => $printer->description,
        'capabilities' => $printer->capabilities,
        'default' => $printer->default,
        'createTimestamp' => withComma($printer->createdMs),
        'state' => $computer->isHere ? ($printer->state ?? 'unknown') : 'offline',
    ];
}

function listComputers(stdClass $call, ?array $set = null): array
{
    return listed($call, $call->store->of('computers', $call->account, $set), shownComputer(...));
}

function listPrinters(stdClass $call, ?array $computers = null, ?array $set = null): array
{
    $printers = array_filter(
        $call->store->of('printers', $call->account, $set),
        fn ($one) => $computers === null || isset($computers[$one->computerId]),
    );
    return listed($call, $printers, fn ($one) => shownPrinter($call->store, $one));
}

/** Its waiting jobs are cancelled with it. */
function deleteComputers(stdClass $call, ?array $set = null): array
{
    $gone = $call->store->of('computers', $call->account, $set);
    foreach ($gone as $computer) {
        foreach ($call->store->of('jobs', $call->account) as $job) {
            if ($job->computerId === $computer->id && isWaiting($job)) retract($call->loop, $job);
        }
        foreach ($call->store->of('printers', $call->account) as $printer) {
            if ($printer->computerId === $computer->id) $call->store->remove('printers', $printer->id);
        }
        $call->store->remove('computers', $computer->id);
        $call->loop->scales->forget($computer->id);
        $call->loop->links->closeWhere(fn ($link) => $link->computer === $computer, 4404, 'the computer is deleted');
    }
    return [200, array_values(array_map(fn ($one) => $one->id, $gone))];
}

function refreshPrinters(stdClass $call): array
{
    $call->loop->links->refresh($call->account);
    return [204, null];
}

function clientKey(stdClass $call, string $uuid): array
{
    if (!preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/Di', $uuid)) throw unfit('uuid');
    foreach (['edition', 'version'] as $name) if (($call->query[$name] ?? '') === '') throw unfit("$name is needed");
    foreach ($call->store->of('clientKeys', $call->account) as $one) {
        if ($one->uuid === strtolower($uuid)) return [200, $one->key];
    }
    $key = substr('client-' . bin2hex(random_bytes(20)), 0, 47);
    $call->store->save('clientKeys', $key, (object) ['key' => $key, 'uuid' => strtolower($uuid), 'accountId' => $call->account->id]);
    return [200, $key];
}

const DOWNLOADS = [
    3 => ['windows', '2.9.1'], 4 => ['osx', '2.9.1'], 8 => ['windows', '2.11.0'], 9 => ['osx', '2.10.0'], 15 => ['osx', '2.10.12'],
];

function shownDownload(stdClass $account, int $id): array
{
    [$os, $version] = DOWNLOADS[$id];
    return ['os' => $os, 'version' => $version, 'enabled' => !isset($account->disabled->$id), 'id' => $id, 'size' => 1000 * $id];
}

function listDownloads(stdClass $call, ?array $set = null): array
{
    $ids = array_filter(array_keys(DOWNLOADS), fn ($id) => $set === null || isset($set[$id]));
    return [200, array_values(array_map(fn ($id) => shownDownload($call->account, $id), $ids))];
}

function latestDownload(stdClass $call, string $os): array
{
    $best = null;
    foreach (DOWNLOADS as $id => [$system, $version]) {
        if ($system !== $os || isset($call->account->disabled->$id)) continue;
        if ($best === null || version_compare($version, DOWNLOADS[$best][1]) > 0) $best = $id;
    }
    if ($best === null) throw missing("a version for $os");
    return [200, shownDownload($call->account, $best)];
}

function downloadFile(stdClass $call, string $os): array
{
    ['version' => $version] = latestDownload($call, $os)[1];
    return [303, ['see' => "/files/$version"], ['location' => "/files/$os-$version"]];
}

function updateDownloads(stdClass $call, array $set): array
{
    $isOn = flagField(objectIn($call->body), 'enabled');
    foreach (array_keys(array_intersect_key(DOWNLOADS, $set)) as $id) {
        if ($isOn) unset($call->account->disabled->$id);
        else $call->account->disabled->$id = true;
    }
    $call->store->save('accounts', $call->account->id, $call->account);
    return listDownloads($call, $set);
}
