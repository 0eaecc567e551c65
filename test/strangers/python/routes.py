"""Finds the handler of an address. Segments in braces have a kind: set, number, text, os or uuid."""

import re

from errors import ApiError, not_found

UUID = re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', re.I)
MAX_DIGITS = 300  # enough for any integer; Python refuses to read some thousand


def number_set(text):
    if len(text) <= 65536 and re.fullmatch(r'[0-9]+(,[0-9]+)*', text, re.ASCII):
        parts = text.split(',')
        if all(len(part) <= MAX_DIGITS for part in parts):
            numbers = {int(part) for part in parts}
            return numbers if 0 not in numbers else None
    return None


def number(text):
    return int(text) if re.fullmatch(r'[0-9]+', text, re.ASCII) and len(text) <= MAX_DIGITS else None


KINDS = {
    'set': number_set,
    'number': number,
    'text': lambda text: text or None,
    'os': lambda text: text if text in ('osx', 'windows') else None,
    'uuid': lambda text: text.lower() if UUID.fullmatch(text) else None,
}


class Routes:
    def __init__(self):
        self.routes = []

    def add(self, methods, path, handler):
        pattern = [part[1:-1].split(':') if part.startswith('{') else part for part in path.split('/')[1:]]
        self.routes.append((methods.split(), pattern, handler))

    def find(self, method, segments):
        """(handler, arguments); the first route that fits counts."""
        allowed = []
        for methods, pattern, handler in self.routes:
            arguments = self._match(pattern, segments)
            if arguments is not None:
                if method in methods:
                    return handler, arguments
                allowed += methods
        if allowed:
            headers = [('Allow', ', '.join(sorted(set(allowed))))]
            raise ApiError(405, 'WrongMethod', 'This address has other methods', headers)
        raise not_found()

    @staticmethod
    def _match(pattern, segments):
        if len(pattern) != len(segments):
            return None
        arguments = {}
        for part, segment in zip(pattern, segments):
            if isinstance(part, str):
                if part != segment:
                    return None
            else:
                value = KINDS[part[1]](segment)
                if value is None:
                    return None
                arguments[part[0]] = value
        return arguments
