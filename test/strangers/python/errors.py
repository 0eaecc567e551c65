"""What a request can fail with."""


class ApiError(Exception):
    def __init__(self, status, code, message, headers=()):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = list(headers)


def invalid(message):
    """A body that was parsed but breaks a rule: the code of these is nowhere given."""
    return ApiError(400, 'RuleBroken', message)


def unreadable(message):
    return ApiError(400, 'InvalidContent', message)


def not_found(message='There is nothing at this address'):
    return ApiError(404, 'NotHere', message)


def bad_credentials(message='The API key is missing or not valid'):
    return ApiError(401, 'InvalidCredentials', message, [('WWW-Authenticate', 'Basic realm=Api')])
