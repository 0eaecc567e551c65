"""Request bodies: JSON and forms of the same structure, and typed access to their fields."""

import re
from urllib.parse import unquote_plus

import jsontext
from errors import ApiError, invalid, unreadable

JSON_TYPE = 'application/json'
FORM_TYPE = 'application/x-www-form-urlencoded'


def read_body(request):
    """(value, whether it was a form)"""
    kind = request.header('content-type', '').split(';')[0].strip().lower() or JSON_TYPE
    if kind == FORM_TYPE:
        return read_form(request.body), True
    if kind != JSON_TYPE:
        raise ApiError(415, 'StrangeMediaType', f'Bodies are {JSON_TYPE} or {FORM_TYPE}')
    try:
        return jsontext.decode(request.body), False
    except ValueError as error:
        raise unreadable(f'The body is not JSON: {error}') from None


def read_form(data):
    """a[b][c]=v and a[]=v, nested as in JSON; every leaf is a string."""
    form = {}
    try:
        text = data.decode('utf-8')
        for pair in filter(None, text.split('&')):
            name, _, value = pair.partition('=')
            _put(form, unquote_plus(name, errors='strict'), unquote_plus(value, errors='strict'))
    except UnicodeDecodeError:
        raise unreadable('The form is not UTF-8') from None
    return form


def _put(form, name, value):
    keys = split_name(name)
    if len(keys) > jsontext.MAX_DEPTH:
        raise unreadable('The form nests too deeply')
    place = form
    for key, following in zip(keys, keys[1:]):
        inner = [] if following == '' else {}
        if key == '':
            place.append(inner)
            place = inner
        else:
            place = place.setdefault(key, inner)
        if type(place) is not type(inner):
            raise unreadable(f'The form gives {name} two shapes')
    if isinstance(place, list):
        place.append(value)
    else:
        place[keys[-1]] = value


def split_name(name):
    """'Account[email]' -> ['Account', 'email']; 'ApiKeys[]' -> ['ApiKeys', '']"""
    match = re.fullmatch(r'([^\[\]]+)((?:\[[^\[\]]*\])*)', name)
    if not match:
        return [name]
    return [match[1], *re.findall(r'\[([^\[\]]*)\]', match[2])]


class Fields:
    """The fields of an object of a body. In forms, numbers and booleans are written as text."""

    def __init__(self, value, form, path=''):
        if not isinstance(value, dict):
            raise invalid(f'{path.rstrip(".") or "The body"} must be an object')
        self.values = value
        self.form = form
        self.path = path

    def has(self, name):
        return name in self.values

    def _get(self, name, required):
        value = self.values.get(name)
        if value is None and required:
            raise invalid(f'{self.path}{name} is required')
        return value

    def string(self, name, required=False):
        value = self._get(name, required)
        if value is not None and not isinstance(value, str):
            raise invalid(f'{self.path}{name} must be a string')
        return value

    def integer(self, name, required=False, least=None):
        value = self._get(name, required)
        if value is None:
            return None
        if self.form and isinstance(value, str) and re.fullmatch(r'-?[0-9]{1,16}', value):
            value = int(value)
        number = jsontext.whole(value)
        if number is None:
            raise invalid(f'{self.path}{name} must be an integer')
        if least is not None and number < least:
            raise invalid(f'{self.path}{name} must be at least {least}')
        return number

    def boolean(self, name, required=False):
        value = self._get(name, required)
        if self.form and isinstance(value, str):
            value = {'true': True, '1': True, 'false': False, '0': False}.get(value, value)
        if value is not None and not isinstance(value, bool):
            raise invalid(f'{self.path}{name} must be a boolean')
        return value

    def strings(self, name, required=False):
        value = self._get(name, required)
        if value is None:
            return None
        # a[0]=x&a[1]=y is an array too
        if self.form and isinstance(value, dict) and all(key.isdigit() for key in value):
            value = [value[key] for key in sorted(value, key=int)]
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise invalid(f'{self.path}{name} must be an array of strings')
        return value

    def object(self, name, required=False):
        value = self._get(name, required)
        if value is None or (self.form and value == ''):
            return None
        return Fields(value, self.form, f'{self.path}{name}.')


def byte_length(text):
    return len(text.encode('utf-8', 'surrogatepass'))
