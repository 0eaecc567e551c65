<?php
// Which function answers which path: `%` is one part, `#` a set of ids, `@` the name of an operating system.

const NO_BODY = ['PUT scale', 'POST account/apikey/%'];

function routes(): array
{
    static $routes = null;
    return $routes ??= [
        'GET whoami' => whoami(...),
        'GET noop' => fn ($call) => [200, $call->requestId],
        'POST account' => createAccount(...),
        'PATCH account' => updateAccount(...),
        'DELETE account' => deleteAccount(...),
        'GET account/state' => readAccountState(...),
        'PUT account/state' => writeAccountState(...),
        'GET account/controllable' => controllable(...),
        'GET account/tag/%' => readTag(...),
        'POST account/tag/%' => writeTag(...),
        'DELETE account/tag/%' => deleteTag(...),
        'GET account/apikey/%' => readKey(...),
        'POST account/apikey/%' => makeKey(...),
        'DELETE account/apikey/%' => deleteKey(...),
        'GET computers' => listComputers(...),
        'GET computers/#' => listComputers(...),
        'DELETE computers' => deleteComputers(...),
        'DELETE computers/#' => deleteComputers(...),
        'GET printers/refresh' => refreshPrinters(...),
        'GET printers' => listPrinters(...),
        'GET printers/#' => fn ($call, $set) => listPrinters($call, null, $set),
        'GET computers/#/printers' => listPrinters(...),
        'GET computers/#/printers/#' => listPrinters(...),
        'POST printjobs' => submitJob(...),
        'GET printjobs' => listJobs(...),
        'GET printjobs/states' => jobStates(...),
        'GET printjobs/#' => fn ($call, $set) => listJobs($call, null, $set),
        'GET printjobs/#/states' => jobStates(...),
        'GET printers/#/printjobs' => listJobs(...),
        'GET printers/#/printjobs/#' => listJobs(...),
        'DELETE printjobs' => cancelJobs(...),
        'DELETE printjobs/#' => fn ($call, $set) => cancelJobs($call, null, $set),
        'DELETE printers/#/printjobs' => cancelJobs(...),
        'DELETE printers/#/printjobs/#' => cancelJobs(...),
        'GET computer/%/scales' => listReadings(...),
        'GET computer/%/scales/%' => listReadings(...),
        'GET computer/%/scale/%/%' => oneReading(...),
        'PUT scale' => simulateScale(...),
        'GET webhooks' => listWebhooks(...),
        'POST webhook' => createWebhook(...),
        'PATCH webhook/%' => updateWebhook(...),
        'DELETE webhook/%' => deleteWebhook(...),
        'GET client/key/%' => clientKey(...),
        'GET download/client/@' => downloadFile(...),
        'GET download/clients' => listDownloads(...),
        'GET download/clients/@' => latestDownload(...),
        'GET download/clients/#' => listDownloads(...),
        'PATCH download/clients/#' => updateDownloads(...),
    ];
}

/** @return array{Closure, array, bool} what answers, with which arguments, and whether it reads the body */
function route(string $method, array $segments): array
{
    // An empty part at the end is no set that is left out, but for what only reads.
    if (count($segments) > 1 && end($segments) === '' && ($method === 'GET' || $segments[0] === 'account')) array_pop($segments);
    if (count($segments) > 1 && in_array('', $segments, true)) throw new Failure(400, 'Emptiness', 'a part of the path is empty');
    $segments = array_map('rawurldecode', $segments);
    foreach ($segments as $one) if (!preg_match('//u', $one)) throw new Failure(400, 'NoText', 'the path is no UTF-8');
    $others = [];
    foreach (routes() as $line => $run) {
        [$verb, $path] = explode(' ', $line);
        $arguments = argumentsIn(explode('/', $path), $segments);
        if ($arguments === null) continue;
        if ($verb === $method) return [$run, array_map('setsIn', $arguments), !in_array($line, NO_BODY, true)];
        $others[$verb] = $verb;
    }
    if ($others === []) throw missing('/' . implode('/', $segments));
    throw new Failure(405, 'OtherVerb', 'not so', ['allow' => implode(', ', $others)]);
}

function argumentsIn(array $parts, array $segments): ?array
{
    if (count($parts) !== count($segments)) return null;
    $arguments = [];
    foreach ($parts as $index => $part) {
        $segment = $segments[$index];
        if ($part === '%') $arguments[] = $segment;
        elseif ($part === '#') $arguments[] = in_array($segment, ['states', 'refresh'], true) ? null : [$segment];
        elseif ($part === '@') $arguments[] = in_array($segment, ['osx', 'windows'], true) ? $segment : null;
        elseif ($part !== $segment) return null;
        if (in_array(null, $arguments, true)) return null;
    }
    return $arguments;
}

/** A set stands in an array here: id → true. */
function setsIn(string|array $argument): string|array
{
    if (is_string($argument)) return $argument;
    $ids = [];
    foreach (explode(',', $argument[0]) as $part) {
        if (!preg_match('/^\+?0*[1-9]\d{0,17}$/D', $part)) throw new Failure(400, 'NoSet', 'a set is a list of positive integers');
        $ids[(int) $part] = true;
    }
    return $ids;
}
