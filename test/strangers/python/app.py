"""Who may do what: admission of requests, credentials, Child Accounts, and the way to the handlers."""

import base64

from api import Api
from bodies import read_body
from errors import ApiError, bad_credentials, not_found
from http_server import Response
from jsontext import whole
from limits import Buckets
from link import LinkHub
from scale_socket import ScaleHub

CHILD_HEADERS = {
    'x-child-account-by-id': 'X-Child-Account-By-Id',
    'x-child-account-by-email': 'X-Child-Account-By-Email',
    'x-child-account-by-creatorref': 'X-Child-Account-By-CreatorRef',
}


class App:
    def __init__(self, store, events, rate_limit=True, clock_control=False):
        self.store = store
        self.clock = store.clock
        self.events = events
        self.links = LinkHub(store, events)
        self.scales = ScaleHub(store, self.links)
        self.api = Api(store, events, self.links)
        self.rate_limit = rate_limit
        self.clock_control = clock_control
        self.buckets = Buckets(self.clock)

    # before the body is read

    def admit(self, request):
        request.own_account = request.account = None
        segments, method = request.segments, request.method
        if self._is_clock(request) or method == 'OPTIONS':  # a browser asks with OPTIONS, without credentials
            return
        if segments[0] == 'ws' and len(segments) == 2 and request.wants_websocket():
            return  # its first message carries the credentials
        to_link = segments == ['link']
        if self.rate_limit and not to_link:
            self.buckets.take(('address', request.peer))
        if segments == ['ping'] and method in ('GET', 'HEAD'):
            return
        credential = self._credential(request)
        if to_link:
            if credential.account.suspended:
                raise bad_credentials('The account is suspended')
            request.credential = credential
            return
        if credential.client:
            raise bad_credentials('A client key opens the device link only')
        own = request.own_account = credential.account
        if self.rate_limit:
            self.buckets.take(('account', own.id))
        request.account = self._acting_account(request, own)
        request.response_headers.append(('X-Account', str(request.account.id)))
        request.response_headers.append(('X-Auth-With', 'ApiKey'))
        if request.account is not own:
            request.response_headers.append(('X-Authorized-As', str(own.id)))
        manages = request.account is not own and (segments[0] == 'account' or segments in (['whoami'], ['noop']))
        if request.account.suspended and not manages:
            raise ApiError(403, 'AccountSuspended', 'The account is suspended')

    def _credential(self, request):
        scheme, _, value = request.header('authorization', '').partition(' ')
        try:
            user, colon, password = base64.b64decode(value.strip(), validate=True).decode('utf-8').partition(':')
        except ValueError:
            raise bad_credentials() from None
        credential = self.store.credentials.get(user)
        if scheme.lower() != 'basic' or not colon or password or not credential:
            raise bad_credentials()
        return credential

    def _acting_account(self, request, own):
        """The Child that the headers name. If there are several, they must name the same."""
        acting = own
        for name, spelling in CHILD_HEADERS.items():
            raw = request.header(name)
            if raw is None:
                continue
            child = self._child(own, name, raw)
            if child is None or acting not in (own, child):
                raise bad_credentials(f'{spelling} does not identify a Child Account')
            acting = child
            request.response_headers.append((spelling, raw))
        return acting

    @staticmethod
    def _child(own, name, raw):
        try:
            value = raw.encode('latin-1').decode('utf-8')
        except UnicodeDecodeError:
            value = raw
        if name == 'x-child-account-by-id':
            return next((child for child in own.children.values() if str(child.id) == value), None)
        field = 'email' if name == 'x-child-account-by-email' else 'creator_ref'
        return next((child for child in own.children.values() if getattr(child, field) == value), None)

    def _is_clock(self, request):
        return self.clock_control and request.segments == ['_clock', 'advance'] and request.method == 'POST'

    # with the body

    def upgrade(self, request):
        if request.segments == ['link']:
            return self.links.upgrade(request, request.credential)
        if request.segments[0] == 'ws' and len(request.segments) == 2:
            return self.scales.upgrade(request)
        raise not_found()

    async def handle(self, request):
        if self._is_clock(request):
            return await self._advance(request)
        if request.method == 'OPTIONS':
            return Response({'methods': ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']})
        if request.segments == ['link']:
            return self.links.upgrade(request, request.credential)  # raises: it was no upgrade
        method = 'GET' if request.method == 'HEAD' else request.method
        handler, arguments = self.api.routes.find(method, request.segments)
        result = handler(request, **arguments)
        return result if isinstance(result, Response) else Response(result)

    async def _advance(self, request):
        body, _ = read_body(request)
        milliseconds = whole(body.get('milliseconds')) if isinstance(body, dict) else None
        if milliseconds is None or not 0 <= milliseconds <= 10**13:
            raise ApiError(400, 'RuleBroken', 'milliseconds must be an integer from 0')
        await self.clock.advance(milliseconds)
        return Response({'now': self.clock.now()})

    def shut_down(self):
        self.links.shut_down()
        self.scales.shut_down()
