<?php
// Accounts: whose request it is, Children, tags and keys.

function foundAccount(Store $store, string $email, bool $mayCreate, string $key): void
{
    $account = newAccount($store, (object) ['firstname' => '-', 'lastname' => '-', 'email' => $email, 'creatorRef' => null], null);
    $account->mayCreate = $mayCreate;
    $store->save('accounts', $account->id, $account);
    $store->save('keys', $key, (object) ['key' => $key, 'name' => 'original', 'accountId' => $account->id]);
}

function newAccount(Store $store, stdClass $fields, ?int $parent): stdClass
{
    $id = $store->nextId('accounts');
    $fields->id = $id;
    $fields->parent = $parent;
    $fields->mayCreate = false;
    $fields->state = 'active';
    $fields->tags = new stdClass();
    $fields->disabled = new stdClass();
    return $store->save('accounts', $id, $fields);
}

/** @return array{?string, ?string} user and password of HTTP Basic */
function basicOf(?string $header): array
{
    if (!preg_match('~^basic +([a-z0-9+/]+=*) *$~i', $header ?? '', $found)) return [null, null];
    [$user, $password] = explode(':', base64_decode($found[1]), 2) + [1 => ''];
    return [$user, $password];
}

function childrenOf(Store $store, stdClass $account): array
{
    return array_filter($store->all('accounts'), fn ($one) => $one->parent === $account->id);
}

function keysOf(Store $store, stdClass $account): array
{
    return array_filter($store->all('keys'), fn ($one) => $one->accountId === $account->id);
}

const SELECTORS = [
    'x-child-account-by-id' => 'id',
    'x-child-account-by-email' => 'email',
    'x-child-account-by-creatorref' => 'creatorRef',
];

/** Whose request it is: own account, the account it acts for, headers of the answer. */
function callerOf(Store $store, array $headers): stdClass
{
    [$user, $password] = basicOf($headers['authorization'] ?? null);
    $key = $user === null ? null : $store->get('keys', $user);
    if ($key === null || $password !== '') throw unknownCaller('clavis ignota');
    $own = $store->get('accounts', $key->accountId);
    $said = ['x-account' => (string) $own->id, 'x-auth-with' => 'ApiKey'];
    $selecting = array_intersect_key($headers, SELECTORS);
    $account = $own;
    if ($selecting !== []) {
        foreach (childrenOf($store, $own) as $child) {
            $fits = array_filter($selecting, fn ($value, $name) => (string) $child->{SELECTORS[$name]} === $value, ARRAY_FILTER_USE_BOTH);
            if (count($fits) === count($selecting)) $account = $child;
        }
        if ($account === $own) throw unknownCaller('filius ignotus');
        $said = $selecting + ['x-account' => (string) $account->id, 'x-authorized-as' => (string) $own->id] + $said;
    }
    if ($own->state !== 'active') throw new Failure(403, 'Frozen', 'the account is suspended', $said);
    return (object) ['own' => $own, 'account' => $account, 'headers' => $said];
}

function shownAccount(Store $store, stdClass $account): array
{
    $computers = $store->of('computers', $account);
    $tags = [];
    foreach ($account->tags as $name => $value) $tags[] = ['name' => (string) $name, 'value' => $value];
    $parent = $account->parent === null ? null : $store->get('accounts', $account->parent);
    return [
        'id' => $account->id,
        'kind' => $parent ? 'child' : ($account->mayCreate ? 'integrator' : 'single'),
        'firstname' => $account->firstname,
        'lastname' => $account->lastname,
        'email' => $account->email,
        'canCreateSubAccounts' => $account->mayCreate,
        'creatorEmail' => $parent?->email,
        'creatorRef' => $account->creatorRef,
        'childAccounts' => array_values(array_map(fn ($one) => ['id' => $one->id, 'state' => $one->state], childrenOf($store, $account))),
        'credits' => 0,
        'numComputers' => count($computers),
        'totalPrints' => count(array_filter($store->of('jobs', $account), fn ($job) => $job->isDone)),
        'versions' => array_values(array_unique(array_map(fn ($one) => (string) $one->version, $computers))),
        'connected' => array_values(array_map(fn ($one) => $one->name, array_filter($computers, fn ($one) => $one->isHere))),
        'Tags' => $tags,
        'state' => $account->state,
        'permissions' => ['all'],
    ];
}

function whoami(stdClass $call): array { return [200, shownAccount($call->store, $call->account)]; }

const TAG_NAME = '/^[A-Za-z0-9._-]{1,64}$/D';

function checkUnique(Store $store, stdClass $own, string $field, ?string $value, ?int $except): void
{
    foreach (childrenOf($store, $own) as $one) {
        if ($value !== null && $one->$field === $value && $one->id !== $except) {
            throw new Failure(409, 'Taken', "$field belongs to another Child");
        }
    }
}

function checkPassword(stdClass $in, bool $optional): void
{
    textField($in, 'password', $optional, 8, 4000);
}

function createAccount(stdClass $call): array
{
    [$store, $own] = [$call->store, $call->own];
    if ($call->account !== $own || !$own->mayCreate) throw new Failure(403, 'NotYours', 'only an Integrator makes accounts');
    $body = objectIn($call->body);
    $in = objectField($body, 'Account') ?? throw unfit('Account is needed');
    $fields = new stdClass();
    foreach (['firstname', 'lastname', 'email'] as $name) $fields->$name = textField($in, $name, false, 1, 4000);
    checkPassword($in, false);
    $fields->creatorRef = textField($in, 'creatorRef', true, 1, 4000);
    checkUnique($store, $own, 'email', $fields->email, null);
    checkUnique($store, $own, 'creatorRef', $fields->creatorRef, null);
    $names = $body->ApiKeys ?? [];
    if ($names instanceof stdClass) $names = array_values((array) $names);
    if (!is_array($names) || count($names) > 10) throw unfit('ApiKeys is a list of at most ten names');
    foreach ($names as $name) {
        if (!is_string($name) || $name === '' || strlen($name) > 16) throw unfit('a name in ApiKeys has 1 to 16 bytes');
    }
    $tags = objectField($body, 'Tags') ?? new stdClass();
    foreach ($tags as $name => $value) {
        if (!preg_match(TAG_NAME, (string) $name)) throw unfit("no tag is called $name");
        if (!is_string($value) || strlen($value) > 1024) throw unfit("the value of tag $name has at most 1024 bytes");
    }
    $account = newAccount($store, $fields, $own->id);
    $account->tags = $tags;
    $store->save('accounts', $account->id, $account);
    $keys = [];
    foreach (array_unique($names) as $name) $keys[$name] = makeKeyFor($store, $account, $name);
    return [201, ['account' => shownAccount($store, $account), 'apiKeys' => (object) $keys]];
}

function makeKeyFor(Store $store, stdClass $account, string $name): string
{
    $key = 'pk.' . bin2hex(random_bytes(12));
    $store->save('keys', $key, (object) ['key' => $key, 'name' => $name, 'accountId' => $account->id]);
    return $key;
}

function mustBeChild(stdClass $call): void
{
    if ($call->account === $call->own) throw new Failure(403, 'NotYours', 'a header has to name a Child Account');
}

function updateAccount(stdClass $call): array
{
    mustBeChild($call);
    $in = objectIn($call->body);
    $change = [];
    foreach (['firstname', 'lastname', 'email', 'creatorRef'] as $name) $change[$name] = textField($in, $name, true, 1, 4000);
    checkPassword($in, true);
    checkUnique($call->store, $call->own, 'email', $change['email'], $call->account->id);
    checkUnique($call->store, $call->own, 'creatorRef', $change['creatorRef'], $call->account->id);
    foreach ($change as $name => $value) if ($value !== null) $call->account->$name = $value;
    $call->store->save('accounts', $call->account->id, $call->account);
    return whoami($call);
}

function deleteAccount(stdClass $call): array
{
    mustBeChild($call);
    $id = $call->account->id;
    $call->loop->waiting = array_filter($call->loop->waiting, fn ($job) => $job->accountId !== $id);
    foreach (['keys', 'computers', 'printers', 'jobs', 'webhooks', 'idempotency', 'clientKeys'] as $kind) {
        foreach ($call->store->all($kind) as $key => $one) if ($one->accountId === $id) $call->store->remove($kind, $key);
    }
    $call->store->remove('accounts', $id);
    $call->loop->links->closeWhere(fn ($link) => $link->account->id === $id, 4401, 'the account is deleted');
    return [204, null];
}

function readAccountState(stdClass $call): array { return [200, $call->account->state]; }

function writeAccountState(stdClass $call): array
{
    mustBeChild($call);
    if ($call->body !== 'active' && $call->body !== 'suspended') throw unfit('the body is "active" or "suspended"');
    $call->account->state = $call->body;
    $call->store->save('accounts', $call->account->id, $call->account);
    if ($call->body === 'suspended') {
        $call->loop->links->closeWhere(fn ($link) => $link->account === $call->account, 4401, 'the account is suspended');
    }
    return [204, null];
}

function controllable(stdClass $call): array
{
    return [200, array_values(array_map(fn ($one) => shownAccount($call->store, $one), childrenOf($call->store, $call->own)))];
}

function readTag(stdClass $call, string $name): array
{
    if (!property_exists($call->account->tags, $name)) throw missing("tag $name");
    return [200, ['value' => $call->account->tags->$name]];
}

function writeTag(stdClass $call, string $name): array
{
    if (!preg_match(TAG_NAME, $name)) throw unfit('a tag has up to 64 letters, digits, dots, dashes and underscores');
    if (!is_string($call->body)) throw unfit('the body is the value, a string');
    if (preg_match_all('/./us', $call->body) > 1024) throw unfit('a value has at most 1024 characters');
    $isNew = !property_exists($call->account->tags, $name);
    $call->account->tags->$name = $call->body;
    $call->store->save('accounts', $call->account->id, $call->account);
    return [$isNew ? 201 : 200, ['value' => $call->body]];
}

function deleteTag(stdClass $call, string $name): array
{
    readTag($call, $name);
    unset($call->account->tags->$name);
    $call->store->save('accounts', $call->account->id, $call->account);
    return [204, null];
}

function keyNamed(stdClass $call, string $name): ?stdClass
{
    foreach (keysOf($call->store, $call->account) as $one) if ($one->name === $name) return $one;
    return null;
}

function readKey(stdClass $call, string $name): array
{
    $key = keyNamed($call, $name) ?? throw missing("key $name");
    return [200, ['apikey' => ['called' => $name, 'is' => $key->key]]];
}

function makeKey(stdClass $call, string $name): array
{
    $isNew = keyNamed($call, $name) === null;
    if ($isNew) makeKeyFor($call->store, $call->account, $name);
    return [$isNew ? 201 : 200, readKey($call, $name)[1]];
}

function deleteKey(stdClass $call, string $name): array
{
    $key = keyNamed($call, $name) ?? throw missing("key $name");
    if (count(keysOf($call->store, $call->account)) === 1) throw new Failure(409, 'LastKey', 'an account keeps one key');
    $call->store->remove('keys', $key->key);
    $call->loop->links->closeWhere(fn ($link) => $link->key === $key->key, 4401, 'the key is revoked');
    return [204, null];
}
