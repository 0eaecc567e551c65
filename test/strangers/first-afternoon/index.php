<?php
// First afternoon: php -S 127.0.0.1:$PORT index.php. State lives in a JSON file.
$folder = getenv('DATA_DIR') ?: '/tmp';
$lock = fopen("$folder/lock", 'c');
flock($lock, LOCK_EX);
$file = "$folder/state.json";
$state = is_file($file) ? json_decode(file_get_contents($file), true) : [
    'next' => 100,
    'jobs' => [],
    'computers' => [['id' => 1, 'name' => 'FRONT-DESK', 'inet' => '10.0.0.5', 'inet6' => null, 'hostname' => 'front', 'version' => '1.0', 'jre' => null, 'createTimestamp' => now(), 'state' => 'disconnected']],
    'account' => ['id' => 1, 'firstname' => '-', 'lastname' => '-', 'email' => 'me@example.com'],
];

function now() { return date('Y-m-d H:i:s'); }

function answer($status, $body) {
    http_response_code($status);
    header('Content-Type: application/json');
    header('Request-Id: ' . uniqid());
    header('Api-Version: 1.0.0');
    if ($status === 401) header('WWW-Authenticate: Basic realm=Api');
    echo json_encode($body);
    exit;
}

function page($records) {
    $dir = $_GET['dir'] ?? 'desc';
    $limit = (int)($_GET['limit'] ?? 100);
    usort($records, fn($a, $b) => $dir === 'asc' ? $a['id'] - $b['id'] : $b['id'] - $a['id']);
    if (!empty($_GET['after'])) {
        $after = (int)$_GET['after'];
        $records = array_filter($records, fn($r) => $dir === 'asc' ? $r['id'] > $after : $r['id'] < $after);
    }
    $shown = array_slice(array_values($records), 0, $limit);
    header('Records-Total: ' . count($records));
    header('Records-Returned: ' . count($shown));
    header('Records-Returned-Limit: ' . $limit);
    return $shown;
}

function only($records, $set) {
    if ($set === '') return $records;
    $ids = array_map('intval', explode(',', $set));
    return array_values(array_filter($records, fn($r) => in_array($r['id'], $ids)));
}

function printers($state) {
    return [['id' => 10, 'computer' => $state['computers'][0] ?? null, 'name' => 'Laser', 'description' => 'Office laser', 'capabilities' => null, 'default' => true, 'createTimestamp' => now(), 'state' => 'online']];
}

$path = trim(urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), '/');
$method = $_SERVER['REQUEST_METHOD'];
if ($path === 'ping') answer(200, 'OK');
if (($_SERVER['PHP_AUTH_USER'] ?? '') !== getenv('API_KEY')) answer(401, ['error' => 'Invalid API key']);
header('X-Account: 1');
header('X-Auth-With: ApiKey');

if ($path === 'whoami') answer(200, $state['account'] + ['canCreateSubAccounts' => false, 'creatorEmail' => null, 'creatorRef' => null, 'childAccounts' => [], 'credits' => 0, 'numComputers' => 1, 'totalPrints' => count($state['jobs']), 'versions' => [], 'connected' => [], 'Tags' => [], 'state' => 'active', 'permissions' => ['Unrestricted']]);
if ($path === 'noop') answer(200, true);
if (preg_match('#^computers(?:/([\d,]+))?$#', $path, $m)) {
    if ($method === 'GET') answer(200, page(only($state['computers'], $m[1] ?? '')));
}
if (preg_match('#^(?:computers/[\d,]+/)?printers(?:/([\d,]+))?$#', $path, $m) && $method === 'GET') {
    answer(200, page(only(printers($state), $m[1] ?? '')));
}
if (preg_match('#^printjobs/(?:([\d,]+)/)?states$#', $path, $m)) {
    answer(200, array_map(fn($job) => $job['states'], page(only($state['jobs'], $m[1] ?? ''))));
}
if (preg_match('#^(?:printers/([\d,]+)/)?printjobs(?:/([\d,]+))?$#', $path, $m)) {
    $jobs = only($state['jobs'], $m[2] ?? '');
    if ($method === 'POST') {
        $body = str_contains($_SERVER['CONTENT_TYPE'] ?? '', 'form') ? $_POST : json_decode(file_get_contents('php://input'), true);
        if (!is_array($body)) answer(400, ['error' => 'Invalid JSON']);
        foreach (['printerId', 'contentType', 'content'] as $field) {
            if (empty($body[$field])) answer(400, ['error' => "$field is required"]);
        }
        if ((int)$body['printerId'] !== 10) answer(404, ['error' => 'No such printer']);
        $id = $state['next']++;
        $state['jobs'][] = ['id' => $id, 'printer' => printers($state)[0], 'title' => $body['title'] ?? '', 'contentType' => $body['contentType'], 'source' => $body['source'] ?? null, 'expireAt' => date('Y-m-d H:i:s', time() + ($body['expireAfter'] ?? 1209600)), 'createTimestamp' => now(), 'state' => 'new',
            'states' => [['printJobId' => $id, 'state' => 'new', 'message' => 'created', 'data' => null, 'clientVersion' => null, 'createTimestamp' => now(), 'age' => 0]]];
        file_put_contents($file, json_encode($state));
        answer(200, $id);
    }
    $shown = array_map(function ($job) { unset($job['states']); return $job; }, $jobs);
    if ($method === 'GET') answer(200, page($shown));
    if ($method === 'DELETE') {
        $gone = array_column($jobs, 'id');
        $state['jobs'] = array_values(array_filter($state['jobs'], fn($job) => !in_array($job['id'], $gone)));
        file_put_contents($file, json_encode($state));
        answer(200, ['deleted' => count($gone)]);
    }
}
answer(404, ['error' => 'Not found']);
