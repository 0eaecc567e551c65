<?php
// Starts the service; SIGTERM ends it. What it needs is told in its environment.
declare(strict_types=1);

ini_set('memory_limit', '-1');
ini_set('display_errors', 'stderr');
date_default_timezone_set('UTC');
set_error_handler(function (int $level, string $what, string $file, int $line): bool {
    // Sockets that went away are seen where they are read and written.
    if (error_reporting() & $level) throw new ErrorException($what, 0, $level, $file, $line);
    return true;
});

foreach (['failure', 'fields', 'store', 'rates', 'accounts', 'devices', 'jobs', 'scales', 'webhooks', 'websocket', 'link',
    'routes', 'http', 'loop'] as $part) require __DIR__ . "/$part.php";

$store = new Store(getenv('DATA_DIR') ?: sys_get_temp_dir());
if ($store->all('accounts') === []) {
    foundAccount($store, 'mistress@prints.test', true, getenv('API_KEY') ?: 'test-key');
    foundAccount($store, 'stranger@prints.test', false, getenv('ALONE_KEY') ?: 'alone-key');
}
$loop = new Loop($store, (int) (getenv('PORT') ?: 8080));
pcntl_async_signals(true);
pcntl_signal(SIGTERM, fn () => $loop->end());
$loop->run();
