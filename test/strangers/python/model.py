"""What the service knows, in memory: accounts, keys, computers, printers, jobs, scales."""

import hashlib
import random
import secrets
import string

from clock import LAST_WRITABLE, odd_time, plain_time

ALPHABET = string.ascii_letters + string.digits
FIRST_ID = 10**10

IDEMPOTENCY_MS = 24 * 3600 * 1000
READING_MS = 45 * 1000

STABLE_STATES = ('new', 'sent_to_client', 'done', 'error', 'expired')
FINAL_STATES = ('done', 'error')


class Ids:
    """One sequence for everything, above 2^32 and with gaps, always growing."""

    def __init__(self):
        self.last = FIRST_ID

    def next(self):
        self.last += random.randint(1, 7)
        return self.last


class Credential:
    """An API key, or a client key, which opens the device link only."""

    def __init__(self, account, name, length, created, client=False):
        self.value = ''.join(secrets.choice(ALPHABET) for _ in range(length))
        self.account = account
        self.name = name
        self.created = created
        self.client = client


class Account:
    def __init__(self, id, email, firstname='-', lastname='-', creator_ref=None, parent=None, integrator=False):
        self.id = id
        self.email = email
        self.firstname = firstname
        self.lastname = lastname
        self.creator_ref = creator_ref
        self.parent = parent
        self.integrator = integrator
        self.suspended = False
        self.deleted = False
        self.password = None
        self.children = {}  # by id
        self.tags = {}
        self.keys = {}  # Credential by name
        self.client_keys = {}  # Credential by uuid
        self.webhooks = {}  # by id
        self.computers = {}  # by id
        self.printers = {}  # by id, those no longer in a report too
        self.jobs = {}  # by id, in order of id; a cancelled job is not there
        self.idempotency = {}  # when a key was used
        self.readings = {}  # newest by (computer id, device name, device number)
        self.switched = {}  # downloads that the account enabled or disabled
        self.done_jobs = 0

    @property
    def controlling(self):
        return self.parent or self

    def set_password(self, password):
        salt = secrets.token_bytes(8)
        self.password = salt + hashlib.sha256(salt + password.encode('utf-8', 'surrogatepass')).digest()


class Computer:
    def __init__(self, id, account, installation_id, created):
        self.id = id
        self.account = account
        self.installation_id = installation_id
        self.created = created
        self.deleted = False
        self.name = ''
        self.hostname = self.inet = self.inet6 = self.version = self.edition = None
        self.printers = {}  # by key
        self.scales = {}  # by key
        self.connections = []  # oldest first; deliveries go to the last
        self.unfinished = {}  # jobs by id that are queued, or delivered without a last state
        self.report_ids = set()  # of job states

    @property
    def newest(self):
        return self.connections[-1] if self.connections else None

    def show(self):
        return {
            'id': self.id,
            'name': self.name,
            'inet': self.inet,
            'inet6': self.inet6,
            'hostname': self.hostname,
            'version': self.version,
            'jre': None,
            'createTimestamp': plain_time(self.created),
            'state': 'in_touch' if self.connections else 'disconnected',
            'edition': self.edition,
        }


class Printer:
    def __init__(self, id, computer, key, created):
        self.id = id
        self.computer = computer
        self.key = key
        self.created = created
        self.listed = False
        self.name = self.description = ''
        self.default = self.state = self.capabilities = None

    def shown_state(self):
        if not self.computer.connections:
            return 'unreachable'
        return self.state if self.state is not None else 'unknown'

    def show(self):
        return {
            'id': self.id,
            'computer': self.computer.show(),
            'name': self.name,
            'description': self.description,
            'capabilities': self.capabilities,
            'default': self.default,
            'createTimestamp': odd_time(self.created),
            'state': self.shown_state(),
            'key': self.key,
        }


class JobState:
    def __init__(self, job, state, now, message='', data=None, client_version=None):
        self.job = job
        self.state = state
        self.created = now
        self.message = message or ''
        self.data = data or {}
        self.client_version = client_version

    def show(self):
        return {
            'printJobId': self.job.id,
            'state': self.state,
            'message': self.message,
            'data': self.data,
            'clientVersion': self.client_version,
            'createTimestamp': odd_time(self.created),
            'age': self.created - self.job.states[0].created,
            'stable': self.state in STABLE_STATES,
        }


class Job:
    def __init__(self, id, account, printer, now):
        self.id = id
        self.account = account
        self.printer = printer
        self.created = now
        self.title = ''
        self.source = None
        self.content_type = self.content = None
        self.options = {}
        self.qty = 1
        self.authentication = None
        self.expire_after = 1209600
        self.timer = None
        self.delivered = False
        self.acknowledged = False
        self.deliveries = 0
        self.states = []

    @property
    def expire_at(self):
        return self.created + self.expire_after * 1000

    def show(self):
        """Neither the document nor the credentials for it."""
        return {
            'id': self.id,
            'printerId': self.printer.id,
            'computerId': self.printer.computer.id,
            'title': self.title,
            'source': self.source,
            'contentType': self.content_type,
            'options': self.options,
            'qty': self.qty,
            'expireAfter': self.expire_after,
            'createTimestamp': odd_time(self.created),
            'latest': {'state': self.states[-1].state, 'since': odd_time(self.states[-1].created)},
        }

    def delivery(self, id):
        expire_at = self.expire_at
        return {
            'type': 'job',
            'id': id,
            'jobId': self.id,
            'printerKey': self.printer.key,
            'title': self.title,
            'source': self.source,
            'contentType': self.content_type,
            'content': self.content,
            'options': self.options,
            'qty': self.qty,
            'authentication': self.authentication,
            'createTimestamp': odd_time(self.created),
            'expireAt': odd_time(expire_at) if expire_at <= LAST_WRITABLE else None,
            'attempt': self.deliveries,
        }


class Download:
    def __init__(self, id, os, version, enabled):
        self.id = id
        self.os = os
        self.version = version
        self.enabled = enabled  # unless an account decides otherwise

    def enabled_for(self, account):
        return account.switched.get(self.id, self.enabled)

    def rank(self):
        return tuple(int(part) for part in self.version.split('.'))

    def show(self, account, base):
        return {
            'id': self.id,
            'platform': self.os,
            'release': self.version,
            'enabled': self.enabled_for(account),
            'address': f'{base}/installers/{self.os}/{self.version}',
        }


class Store:
    def __init__(self, clock):
        self.clock = clock
        self.ids = Ids()
        self.accounts = {}
        self.credentials = {}  # by value
        self.key_listeners = []  # called with a credential that is no longer valid
        self.downloads = {}
        for os, version, enabled in (
            ('osx', '9.12.0', True),
            ('osx', '10.0.1', True),
            ('osx', '10.1.0', False),
            ('windows', '9.12.0', True),
            ('windows', '10.0.1', True),
            ('windows', '10.1.0', False),
        ):
            id = self.ids.next()
            self.downloads[id] = Download(id, os, version, enabled)

    def add_account(self, email, **rest):
        account = Account(self.ids.next(), email, **rest)
        self.accounts[account.id] = account
        if account.parent:
            account.parent.children[account.id] = account
        return account

    def add_key(self, account, name):
        """A new key; one of the same name is replaced."""
        self.remove_key(account, name)
        credential = Credential(account, name, 40, self.clock.now())
        account.keys[name] = credential
        self.credentials[credential.value] = credential
        return credential

    def remove_key(self, account, name):
        credential = account.keys.pop(name, None)
        if credential:
            del self.credentials[credential.value]
            self._invalid(credential)
        return credential

    def client_key(self, account, uuid):
        if uuid not in account.client_keys:
            credential = Credential(account, uuid, 47, self.clock.now(), client=True)
            account.client_keys[uuid] = credential
            self.credentials[credential.value] = credential
        return account.client_keys[uuid]

    def suspend(self, account, suspended):
        account.suspended = suspended
        if suspended:
            for credential in self._all_keys(account):
                self._invalid(credential)

    def delete_account(self, account):
        account.deleted = True
        for credential in self._all_keys(account):
            del self.credentials[credential.value]
            self._invalid(credential)
        for job in account.jobs.values():
            if job.timer:
                job.timer.cancel()
        del self.accounts[account.id]
        del account.parent.children[account.id]

    def readings(self, account, matches):
        """The newest readings, newest first; those of 45 seconds ago are gone."""
        now = self.clock.now()
        for key in [key for key, reading in account.readings.items() if now - reading['at'] >= READING_MS]:
            del account.readings[key]
        found = [reading for key, reading in account.readings.items() if matches(*key)]
        return sorted(found, key=lambda reading: -reading['at'])

    def show_reading(self, reading):
        return {**reading['data'], 'ageOfData': self.clock.now() - reading['at']}

    def _all_keys(self, account):
        return [*account.keys.values(), *account.client_keys.values()]

    def _invalid(self, credential):
        for listener in self.key_listeners:
            listener(credential)
