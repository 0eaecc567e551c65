<?php
// Submits one label, once, whatever happens: php submit.php ORDER

$order = $argv[1] ?? 'A-1001';
$job = [
    'printerId' => 1,
    'title' => "Label $order",
    'contentType' => 'raw_base64',
    'content' => base64_encode("^XA^FO50,50^FD$order^FS^XZ"),
];
$request = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Basic ' . base64_encode(getenv('PLATEN_API_KEY') . ':'),
        'Content-Type: application/json',
        // Made from the order: the same with each try.
        "X-Idempotency-Key: label-$order",
    ],
    'content' => json_encode($job),
    'timeout' => 5,
    'ignore_errors' => true,
]]);

for ($tries = 0; $tries < 5; $tries++) {
    $wait = 0.2 * 2 ** $tries;
    $answer = @fopen(getenv('PLATEN_URL') . '/printjobs', 'r', false, $request);
    if ($answer !== false) {
        $headers = stream_get_meta_data($answer)['wrapper_data'];
        fclose($answer);
        $status = (int) explode(' ', $headers[0])[1];
        // 409: an earlier try was taken.
        if ($status < 300 || $status === 409) {
            exit(0);
        }
        if ($status !== 429 && $status < 500) {
            fwrite(STDERR, "refused with $status\n");
            exit(1);
        }
        foreach ($headers as $header) {
            if (stripos($header, 'Retry-After:') === 0) {
                $wait = max($wait, (float) substr($header, 12));
            }
        }
    } // else no answer: the job may have been taken
    usleep((int) ($wait * 1e6));
}
fwrite(STDERR, "no answer after five tries: the label may be printed or not\n");
exit(1);
