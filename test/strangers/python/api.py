"""The endpoints of the API. Each handler gets the request, with the account it acts for, and the parts of its path."""

import binascii
import random
import re

import jsontext
from bodies import Fields, byte_length, read_body, split_name
from clock import odd_time
from errors import ApiError, invalid, not_found
from events import MAX_WEBHOOKS, MESSAGE_NAMES, Webhook, usable_url
from http_server import Response
from link import MAX_TO_COMPUTER
from model import IDEMPOTENCY_MS, Job
from routes import Routes

DEFAULT_LIMIT = 100
MAX_LIMIT = 300
MAX_KEY_NAME = 100  # bytes, where the specification gives no length
CONTENT_TYPES = ('pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64')
TAG_NAME = re.compile(r'[A-Za-z0-9._-]{1,64}')
VIRTUAL_SCALE = {
    'deviceName': 'Service Test Scale',
    'deviceNum': 0,
    'vendor': '',
    'vendorId': 0,
    'productId': 0,
    'port': '',
}


def conflict(message):
    return ApiError(409, 'Conflict', message)


class Api:
    def __init__(self, store, events, links):
        self.store = store
        self.clock = store.clock
        self.events = events
        self.links = links
        self.base = ''  # known when the service listens
        self.routes = Routes()
        add = self.routes.add

        add('GET', '/ping', lambda request: {'alive': True, 'at': odd_time(self.clock.now())})
        add('GET', '/noop', lambda request: request.id)

        add('GET', '/whoami', self.whoami)
        add('POST', '/account', self.create_child)
        add('PATCH', '/account', self.change_child)
        add('DELETE', '/account', self.delete_child)
        add('GET', '/account/state', lambda request: 'suspended' if request.account.suspended else 'active')
        add('PUT', '/account/state', self.set_state)
        add('GET', '/account/controllable', self.controllable)
        add('GET', '/account/tag/{name:text}', self.get_tag)
        add('POST', '/account/tag/{name:text}', self.set_tag)
        add('DELETE', '/account/tag/{name:text}', self.delete_tag)
        add('GET', '/account/apikey/{name:text}', self.get_key)
        add('POST', '/account/apikey/{name:text}', self.create_key)
        add('DELETE', '/account/apikey/{name:text}', self.delete_key)

        add('GET', '/printers/refresh', self.refresh)
        add('GET', '/printjobs/states', self.get_states)
        add('GET', '/printjobs/{jobs:set}/states', self.get_states)
        for path in ('/computers', '/computers/{computers:set}'):
            add('GET', path, self.get_computers)
            add('DELETE', path, self.delete_computers)
        for path in ('/printers', '/computers/{computers:set}/printers'):
            add('GET', path, self.get_printers)
            add('GET', f'{path}/{{printers:set}}', self.get_printers)
        add('POST', '/printjobs', self.create_job)
        for path in ('', '/printers/{printers:set}'):
            for rest in ('/printjobs', '/printjobs/{jobs:set}'):
                add('GET', path + rest, self.get_jobs)
                add('DELETE', path + rest, self.cancel_jobs)

        add('GET', '/computer/{computer:number}/scales', self.get_scales)
        add('GET', '/computer/{computer:number}/scales/{name:text}', self.get_scales)
        add('GET', '/computer/{computer:number}/scale/{name:text}/{number:number}', self.get_scale)
        add('PUT', '/scale', self.simulate_scale)

        add('GET', '/webhooks', lambda request: self.webhooks(request.account))
        add('POST', '/webhook', self.create_webhook)
        add('PATCH', '/webhook/{id:number}', self.change_webhook)
        add('DELETE', '/webhook/{id:number}', self.delete_webhook)

        add('GET', '/client/key/{uuid:uuid}', self.client_key)
        add('GET', '/download/client/{os:os}', self.download_address)
        add('GET', '/download/clients', self.get_downloads)
        add('GET', '/download/clients/{os:os}', self.latest_download)
        add('GET', '/download/clients/{downloads:set}', self.get_downloads)
        add('PATCH', '/download/clients/{downloads:set}', self.switch_downloads)

    # lists

    @staticmethod
    def page(request, records, show):
        """A page of `records`, which are in order of id."""
        query = request.query
        limit = query.get('limit', '') or str(DEFAULT_LIMIT)
        after = query.get('after', '')
        direction = query.get('dir', '') or 'desc'
        if not re.fullmatch('[0-9]{1,9}', limit, re.ASCII) or not 0 < int(limit) <= MAX_LIMIT:
            raise invalid(f'limit must be an integer from 1 to {MAX_LIMIT}')
        if after and not re.fullmatch('[0-9]{1,300}', after, re.ASCII):
            raise invalid('after must be an id')
        if direction not in ('asc', 'desc'):
            raise invalid('dir must be asc or desc')
        total = len(records)
        if direction == 'asc':
            rest = [each for each in records if not after or each.id > int(after)]
        else:
            rest = [each for each in reversed(records) if not after or each.id < int(after)]
        shown = rest[: int(limit)]
        headers = [
            ('Records-Returned', str(len(shown))),
            ('Records-Returned-Offset', str(total - len(rest))),
            ('Records-Returned-Limit', limit),
            ('Records-Total', str(total)),
        ]
        return Response(show(shown), headers=headers)

    @staticmethod
    def chosen(everything, ids, strict=True):
        """Those of a set, in order of id. A reader that names something unknown is told so."""
        if ids is None:
            return list(everything.values())
        missing = sorted(ids - everything.keys())
        if missing and strict:
            raise not_found(f'Not known: {", ".join(map(str, missing[:20]))}')
        return [everything[id] for id in sorted(ids & everything.keys())]

    # accounts

    def show_account(self, account):
        connections = [each for computer in account.computers.values() for each in computer.connections]
        return {
            'id': account.id,
            'firstname': account.firstname,
            'lastname': account.lastname,
            'email': account.email,
            'canCreateSubAccounts': account.integrator,
            'creatorEmail': account.parent.email if account.parent else None,
            'creatorRef': account.creator_ref,
            'childAccounts': [{'account': each.id, 'ref': each.creator_ref} for each in account.children.values()],
            'credits': 0,
            'numComputers': len(account.computers),
            'totalPrints': account.done_jobs,
            'versions': [{'client': each} for each in sorted({each.version or '?' for each in connections})],
            'connected': [
                {'computer': each.computer.id, 'since': odd_time(each.since), 'client': each.version}
                for each in connections
            ],
            'Tags': [{'tag': name, 'value': value} for name, value in account.tags.items()],
            'state': 'suspended' if account.suspended else 'active',
            'permissions': ['printing', 'weighing'],
            'timezone': 'UTC',
        }

    def whoami(self, request):
        return self.show_account(request.account)

    @staticmethod
    def child_of(request):
        if request.account is request.own_account:
            raise ApiError(403, 'ChildHeaderMissing', 'Name a Child Account with an X-Child-Account-By-* header')
        return request.account

    def person(self, fields, parent, account=None):
        """The fields of a person that are there, checked. `account` is the one that changes; a new one needs all."""
        new = account is None
        found = {}
        for name in ('firstname', 'lastname', 'email'):
            value = fields.string(name, required=new)
            if value == '':
                raise invalid(f'{fields.path}{name} must not be empty')
            if value is not None:
                found[name] = value
        password = fields.string('password', required=new)
        if password is not None:
            if byte_length(password) < 8:
                raise invalid(f'{fields.path}password must have at least 8 bytes')
            found['password'] = password
        ref = fields.string('creatorRef')
        if ref is not None:
            found['creator_ref'] = ref
        for other in parent.children.values():
            if other is not account:
                if 'email' in found and other.email == found['email']:
                    raise conflict('Another Child Account has this email')
                if ref is not None and other.creator_ref == ref:
                    raise conflict('Another Child Account has this creatorRef')
        return found

    def create_child(self, request):
        parent = request.account
        if not parent.integrator:
            raise ApiError(403, 'NotAnIntegrator', 'Only an Integrator Account creates Child Accounts')
        body, form = read_body(request)
        body = self.unflatten(body)
        fields = Fields(body, form)
        person = self.person(fields.object('Account', required=True), parent)
        names = fields.strings('ApiKeys') or []
        if len(names) > 10 or len(set(names)) < len(names):
            raise invalid('ApiKeys has at most 10 names, all different')
        if any(not 1 <= byte_length(name) <= 16 for name in names):
            raise invalid('A name in ApiKeys has 1 to 16 bytes')
        tags = fields.object('Tags')
        tags = tags.values if tags else {}
        for name, value in tags.items():
            self.check_tag(name, value)
            if byte_length(value) > 1024:
                raise invalid('The value of a tag has at most 1024 bytes')

        password = person.pop('password')
        child = self.store.add_account(parent=parent, **person)
        child.set_password(password)
        child.tags = dict(tags)
        keys = [self.show_key(self.store.add_key(child, name)) for name in names]
        return Response({'Account': self.show_account(child), 'ApiKeys': keys}, 201)

    @staticmethod
    def unflatten(body):
        """{"Account[email]": ...} means {"Account": {"email": ...}}: the names are written so in the specification."""
        if not isinstance(body, dict):
            return body
        result = {}
        for name, value in body.items():
            parts = [part for part in split_name(name) if part != '']
            if len(parts) == 2:
                place = result.setdefault(parts[0], {})
                if not isinstance(place, dict):
                    raise invalid(f'{parts[0]} is there twice')
                place[parts[1]] = value
            else:
                result[''.join(parts)] = value
        return result

    def change_child(self, request):
        account = self.child_of(request)
        body, form = read_body(request)
        found = self.person(Fields(body, form), account.parent, account)
        if 'password' in found:
            account.set_password(found.pop('password'))
        for name, value in found.items():
            setattr(account, name, value)
        return self.show_account(account)

    def delete_child(self, request):
        account = self.child_of(request)
        farewell = self.show_account(account)
        self.store.delete_account(account)
        return {'farewell': farewell}

    def set_state(self, request):
        account = self.child_of(request)
        body, form = read_body(request)
        if form and isinstance(body, dict) and len(body) == 1:
            (name, value), = body.items()
            body = value or name
        if body not in ('active', 'suspended'):
            raise invalid('The body must be the string "active" or "suspended"')
        before = 'suspended' if account.suspended else 'active'
        if body != before:
            self.store.suspend(account, body == 'suspended')
        return {'before': before, 'after': body}

    def controllable(self, request):
        return [
            {'id': each.id, 'email': each.email, 'creatorRef': each.creator_ref}
            for each in request.account.children.values()
        ]

    @staticmethod
    def check_tag(name, value=''):
        if not TAG_NAME.fullmatch(name):
            raise invalid('The name of a tag has 1 to 64 characters: letters, digits, dots, dashes, underscores')
        if not isinstance(value, str) or len(value) > 1024:
            raise invalid('The value of a tag is a string of at most 1024 characters')

    def get_tag(self, request, name):
        self.check_tag(name)
        if name not in request.account.tags:
            raise not_found('There is no such tag')
        return {'tag': name, 'value': request.account.tags[name]}

    def set_tag(self, request, name):
        body, _ = read_body(request)
        value = body.get('value') if isinstance(body, dict) else body
        if value is None:
            raise invalid('The body is a JSON string, or has the field value')
        self.check_tag(name, value)
        request.account.tags[name] = value
        return self.get_tag(request, name)

    def delete_tag(self, request, name):
        tag = self.get_tag(request, name)
        del request.account.tags[name]
        return {'removed': tag}

    @staticmethod
    def show_key(credential):
        return {'name': credential.name, 'key': credential.value, 'madeAt': odd_time(credential.created)}

    def get_key(self, request, name):
        if name not in request.account.keys:
            raise not_found('There is no such API key')
        return self.show_key(request.account.keys[name])

    def create_key(self, request, name):
        if byte_length(name) > MAX_KEY_NAME:
            raise invalid(f'The name of an API key has at most {MAX_KEY_NAME} bytes')
        return Response(self.show_key(self.store.add_key(request.account, name)), 201)

    def delete_key(self, request, name):
        self.get_key(request, name)
        self.store.remove_key(request.account, name)
        return {'removed': name}

    # computers and printers

    def get_computers(self, request, computers=None):
        found = self.chosen(request.account.computers, computers)
        return self.page(request, found, lambda page: [each.show() for each in page])

    def delete_computers(self, request, computers=None):
        found = self.chosen(request.account.computers, computers, strict=False)
        for computer in found:
            self.links.delete_computer(computer)
        return [computer.id for computer in found]

    def listed_printers(self, request, computers, printers):
        account = request.account
        of = {each.id for each in self.chosen(account.computers, computers)}
        everything = {
            id: each for id, each in account.printers.items() if each.listed and each.computer.id in of
        }
        return self.chosen(everything, printers)

    def get_printers(self, request, computers=None, printers=None):
        found = self.listed_printers(request, computers, printers)
        return self.page(request, found, lambda page: [each.show() for each in page])

    def refresh(self, request):
        connected = [each for each in request.account.computers.values() if each.newest]
        for computer in connected:
            self.links.refresh(computer)
        return {'asked': [computer.id for computer in connected]}

    # print jobs

    def jobs(self, request, printers, jobs, strict):
        account = request.account
        everything = account.jobs
        if printers is not None:
            of = {each.id for each in self.chosen(account.printers, printers, strict)}
            everything = {id: each for id, each in everything.items() if each.printer.id in of}
        return self.chosen(everything, jobs, strict)

    def get_jobs(self, request, printers=None, jobs=None):
        found = self.jobs(request, printers, jobs, strict=True)
        return self.page(request, found, lambda page: [each.show() for each in page])

    def get_states(self, request, jobs=None):
        """One flat array, of each job the newest state first. The records of a page are jobs."""
        found = self.jobs(request, None, jobs, strict=True)
        return self.page(
            request, found, lambda page: [state.show() for job in page for state in reversed(job.states)]
        )

    def cancel_jobs(self, request, printers=None, jobs=None):
        found = self.jobs(request, printers, jobs, strict=False)
        cancelled = [job for job in found if self.links.cancellable(job)]
        for job in cancelled:
            self.links.cancel(job)
        return [job.id for job in cancelled]

    def create_job(self, request):
        account, now = request.account, self.clock.now()
        key = request.header('x-idempotency-key') or None
        if key in account.idempotency and now - account.idempotency[key] < IDEMPOTENCY_MS:
            raise conflict('This X-Idempotency-Key was used within the last 24 hours')
        body, form = read_body(request)
        fields = Fields(body, form)
        printer_id = fields.integer('printerId', required=True)
        printer = account.printers.get(printer_id)
        if not printer or not printer.listed:
            raise ApiError(403, 'PrinterNotYours', f'The account has no printer {printer_id}')
        job = Job(0, account, printer, now)
        job.content_type = fields.string('contentType', required=True)
        if job.content_type not in CONTENT_TYPES:
            raise invalid(f'contentType must be one of {", ".join(CONTENT_TYPES)}')
        job.content = self.content(fields, job.content_type)
        job.title = fields.string('title') or ''
        job.source = fields.string('source')
        job.options = self.options(fields)
        job.authentication = self.authentication(fields)
        qty = fields.integer('qty', least=1)
        expire_after = fields.integer('expireAfter', least=0)
        job.qty = 1 if qty is None else qty
        job.expire_after = job.expire_after if expire_after is None else expire_after
        # Escaping can make a delivery longer than the body was.
        if len(request.body) > MAX_TO_COMPUTER // 8 and len(jsontext.encode(job.delivery('x' * 100))) > MAX_TO_COMPUTER:
            raise ApiError(413, 'TooMuchContent', 'The job is too long for a computer')
        job.id = self.store.ids.next()
        self.links.add_job(job, key)
        return Response(job.id, 201)

    @staticmethod
    def content(fields, content_type):
        content = fields.string('content', required=True)
        if content_type.endswith('_base64'):
            content = ''.join(content.split())  # broken lines are common; the computer gets one
            try:
                document = binascii.a2b_base64(content, strict_mode=True)
            except ValueError:
                document = b''
            if not document:
                raise invalid('content must be a document in base64')
        elif not re.match(r'[A-Za-z][A-Za-z0-9+.-]*:.', content):
            raise invalid('content must be a URI')
        return content

    @staticmethod
    def options(fields):
        """Types only: whether the printer can do it is for the computer to say."""
        options = fields.object('options')
        if not options:
            return {}
        result = dict(options.values)
        for name in ('bin', 'dpi', 'duplex', 'media', 'pages', 'paper'):
            options.string(name)
        for name in ('collate', 'color', 'fit_to_page'):
            if options.boolean(name) is not None:
                result[name] = options.boolean(name)
        for name, least in (('copies', 1), ('nup', 1), ('rotate', 0)):
            if options.integer(name, least=least) is not None:
                result[name] = options.integer(name)
        if result.get('duplex') not in (None, 'long-edge', 'short-edge', 'one-sided'):
            raise invalid('options.duplex must be long-edge, short-edge or one-sided')
        if result.get('rotate') not in (None, 0, 90, 180, 270):
            raise invalid('options.rotate must be 0, 90, 180 or 270')
        # A message to a computer nests at most 32 levels deep, and is the first of them.
        if jsontext.depth(result) >= jsontext.MAX_DEPTH:
            raise invalid('options nest too deeply')
        return result

    @staticmethod
    def authentication(fields):
        authentication = fields.object('authentication')
        if not authentication:
            return None
        type = authentication.string('type', required=True)
        if type not in ('BasicAuth', 'DigestAuth'):
            raise invalid('authentication.type must be BasicAuth or DigestAuth')
        credentials = authentication.object('credentials', required=True)
        if not credentials:
            raise invalid('authentication.credentials must be an object')
        user, password = (credentials.string(name, required=True) for name in ('user', 'pass'))
        return {'type': type, 'credentials': {'user': user, 'pass': password}}

    # scales

    def get_scales(self, request, computer, name=None):
        found = self.store.readings(
            request.account, lambda id, device, _: id == computer and (name is None or device == name)
        )
        return [self.store.show_reading(each) for each in found]

    def get_scale(self, request, computer, name, number):
        found = self.store.readings(request.account, lambda *key: key == (computer, name, number))
        if not found:
            raise not_found('This scale produced no data in the last 45 seconds')
        return self.store.show_reading(found[0])

    def simulate_scale(self, request):
        grams = random.randint(1, 5000)
        reading = self.links.add_reading(
            request.account,
            0,
            VIRTUAL_SCALE,
            [grams * 10**6, 10**6],
            {'g': grams * 10**9},
            odd_time(self.clock.now()),
        )
        return self.store.show_reading(reading)

    # webhooks

    @staticmethod
    def webhooks(account):
        return [each.show() for each in account.webhooks.values()]  # oldest first

    def set_webhook(self, request, webhook, required):
        body, form = read_body(request)
        fields = Fields(body, form)
        url = fields.string('url', required)
        secret = fields.string('secret', required)
        messages = fields.strings('messages', required)
        if url is not None and not usable_url(url):
            raise invalid('url must be the http or https address of a receiver')
        if messages is not None:
            names = [*MESSAGE_NAMES.values()]
            if '*' in messages and messages != ['*']:
                raise invalid('messages has nothing beside *')
            if any(each != '*' and each not in names for each in messages):
                raise invalid(f'messages is ["*"] or has some of {", ".join(names)}')
        for name, value in (('url', url), ('secret', secret), ('messages', messages)):
            if value is not None:
                setattr(webhook, name, value)

    def create_webhook(self, request):
        account = request.account
        if len(account.webhooks) >= MAX_WEBHOOKS:
            raise conflict(f'An account has at most {MAX_WEBHOOKS} webhooks')
        webhook = Webhook(self.store.ids.next(), account, self.clock)
        self.set_webhook(request, webhook, required=True)
        account.webhooks[webhook.id] = webhook
        return self.webhooks(account)

    def webhook(self, request, id):
        if id not in request.account.webhooks:
            raise not_found('There is no such webhook')
        return request.account.webhooks[id]

    def change_webhook(self, request, id):
        self.set_webhook(request, self.webhook(request, id), required=False)
        return self.webhooks(request.account)

    def delete_webhook(self, request, id):
        self.webhook(request, id)
        del request.account.webhooks[id]
        return self.webhooks(request.account)

    # client keys and downloads

    def client_key(self, request, uuid):
        for name in ('edition', 'version'):
            if name not in request.query:
                raise invalid(f'The query parameter {name} is required')
        return {'clientKey': self.store.client_key(request.account, uuid).value, 'uuid': uuid}

    def latest(self, request, os):
        offered = [
            each for each in self.store.downloads.values() if each.os == os and each.enabled_for(request.account)
        ]
        if not offered:
            raise not_found(f'No client for {os} is enabled')
        return max(offered, key=lambda each: each.rank())

    def latest_download(self, request, os):
        return self.latest(request, os).show(request.account, self.base)

    def download_address(self, request, os):
        return {'address': self.latest_download(request, os)['address']}

    def get_downloads(self, request, downloads=None):
        found = self.chosen(self.store.downloads, downloads)
        return [each.show(request.account, self.base) for each in found]

    def switch_downloads(self, request, downloads):
        found = self.chosen(self.store.downloads, downloads)
        body, form = read_body(request)
        enabled = Fields(body, form).boolean('enabled', required=True)
        for each in found:
            request.account.switched[each.id] = enabled
        return [each.show(request.account, self.base) for each in found]
