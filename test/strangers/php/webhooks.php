<?php
// Webhooks: settings, events that wait for each target, and what is counted. The requests share the loop.

const EVENT_TYPES = ['computer state' => 'computer_state', 'print job state' => 'print_job_state'];
const STATISTICS = ['receivedEvents', 'droppedEvents', 'successfulRequests', 'failedRequests'];
const FADES_MS = ['exp7d' => 604_800_000, 'exp1d' => 86_400_000, 'exp1h' => 3_600_000, 'exp5m' => 300_000];

final class Webhooks
{
    private const AGAIN_MS = 5_000;
    private const PATIENCE_MS = 20_000;
    /** @var array<string, stdClass> what waits for one address and secret of an account */
    private array $targets = [];

    public function __construct(private Loop $loop) {}

    /** An Integrator hears of its Children as well. */
    public function emit(stdClass $account, string $type, array $data): void
    {
        $event = [
            'type' => $type,
            'accountId' => $account->id,
            'controllingAccountId' => $account->parent ?? $account->id,
            'createdAt' => utc(nowMs()),
            'data' => $data,
        ];
        foreach ($this->loop->store->all('webhooks') as $webhook) {
            if ($webhook->accountId !== $account->id && $webhook->accountId !== $account->parent) continue;
            if (array_intersect(['*', EVENT_TYPES[$type]], $webhook->messages) === []) continue;
            $this->count($webhook, 'receivedEvents');
            $key = json_encode([$webhook->id, $webhook->url, $webhook->secret]);
            $this->targets[$key] ??= (object) ['webhook' => $webhook, 'url' => $webhook->url, 'secret' => $webhook->secret,
                'queue' => [], 'dueMs' => 0, 'isBusy' => false];
            $this->targets[$key]->queue[] = [$event, false];
        }
    }

    public function count(stdClass $webhook, string $name, int $times = 1): void
    {
        $statistic = $webhook->$name;
        $now = nowMs();
        foreach (FADES_MS as $scale => $ms) {
            $statistic->$scale = $statistic->$scale * exp(-($now - $statistic->atMs) / $ms) + $times;
        }
        $statistic->counts += $times;
        $statistic->atMs = $now;
    }

    public function dueMs(): int
    {
        $due = PHP_INT_MAX;
        foreach ($this->targets as $one) if (!$one->isBusy && $one->queue !== []) $due = min($due, $one->dueMs);
        return $due;
    }

    public function sendDue(): void
    {
        foreach ($this->targets as $one) {
            if (!$one->isBusy && $one->queue !== [] && $one->dueMs <= nowMs()) $this->send($one);
        }
    }

    private function send(stdClass $target): void
    {
        $sent = $target->queue;
        $target->queue = [];
        $target->isBusy = true;
        $body = encoded(array_column($sent, 0));
        $headers = ['content-type' => 'application/json', 'authorization' => 'Basic ' . base64_encode("webhook:$target->secret")];
        $this->loop->request($target->url, $headers, $body, self::PATIENCE_MS, function (int $status, array $answer) use ($target, $sent): void {
            $isGood = $status >= 200 && $status < 300 && ($answer['x-service-webhook-status'] ?? '') === 'OK';
            $target->isBusy = false;
            $target->dueMs = $isGood ? 0 : nowMs() + self::AGAIN_MS;
            $this->count($target->webhook, $isGood ? 'successfulRequests' : 'failedRequests');
            if (!$isGood) {
                $again = array_filter($sent, fn ($one) => !$one[1]);
                $dropped = count($sent) - count($again);
                if ($dropped > 0) $this->count($target->webhook, 'droppedEvents', $dropped);
                $target->queue = [...array_map(fn ($one) => [$one[0], true], $again), ...$target->queue];
            }
            $there = $this->loop->store->get('webhooks', $target->webhook->id);
            if ($there !== null) $this->loop->store->save('webhooks', $there->id, $there);
        });
    }
}

function shownWebhook(stdClass $webhook): array
{
    $shown = ['webhookId' => $webhook->id, 'url' => $webhook->url, 'secret' => $webhook->secret, 'messages' => $webhook->messages];
    foreach (STATISTICS as $name) {
        $measures = ['counts' => [$webhook->$name->counts]];
        foreach (FADES_MS as $scale => $ms) {
            $measures[$scale] = [$webhook->$name->$scale * exp(-(nowMs() - $webhook->$name->atMs) / $ms)];
        }
        $shown[$name] = $measures;
    }
    return $shown;
}

/** Oldest first. */
function listWebhooks(stdClass $call): array
{
    return [200, array_values(array_map(shownWebhook(...), $call->store->of('webhooks', $call->account)))];
}

function webhookFields(stdClass $in, bool $optional): array
{
    $url = textField($in, 'url', $optional, 1, 9000);
    if ($url !== null && !preg_match('~^https?://[^/?#\s]+~i', $url)) throw unfit('url is an address of HTTP');
    $secret = textField($in, 'secret', $optional, 0, 4000);
    $messages = $in->messages ?? null;
    if ($messages === null && $optional) return [$url, $secret, null];
    if (!is_array($messages) || $messages === []) throw unfit('messages is a list of strings');
    foreach ($messages as $one) {
        $known = ['*', ...array_values(EVENT_TYPES)];
        if (!in_array($one, $known, true)) throw unfit('messages: one of ' . implode(', ', $known));
    }
    if (in_array('*', $messages, true) && count($messages) > 1) throw unfit('* stands alone in messages');
    return [$url, $secret, $messages];
}

function createWebhook(stdClass $call): array
{
    [$url, $secret, $messages] = webhookFields(objectIn($call->body), false);
    if (count($call->store->of('webhooks', $call->account)) >= 5) throw new Failure(403, 'Full', 'five webhooks are there');
    $webhook = (object) ['id' => $call->store->nextId('webhooks'), 'accountId' => $call->account->id,
        'url' => $url, 'secret' => $secret, 'messages' => $messages];
    foreach (STATISTICS as $name) {
        $webhook->$name = (object) (['counts' => 0, 'atMs' => nowMs()] + array_map(fn () => 0.0, FADES_MS));
    }
    $call->store->save('webhooks', $webhook->id, $webhook);
    return listWebhooks($call);
}

function webhookNamed(stdClass $call, string $id): stdClass
{
    foreach ($call->store->of('webhooks', $call->account) as $one) if ((string) $one->id === $id) return $one;
    throw missing("webhook $id");
}

function updateWebhook(stdClass $call, string $id): array
{
    $webhook = webhookNamed($call, $id);
    [$url, $secret, $messages] = webhookFields(objectIn($call->body), true);
    $webhook->url = $url ?? $webhook->url;
    $webhook->secret = $secret ?? $webhook->secret;
    $webhook->messages = $messages ?? $webhook->messages;
    $call->store->save('webhooks', $webhook->id, $webhook);
    return listWebhooks($call);
}

function deleteWebhook(stdClass $call, string $id): array
{
    $call->store->remove('webhooks', webhookNamed($call, $id)->id);
    return listWebhooks($call);
}
