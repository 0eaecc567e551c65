#!/usr/bin/env python3
"""A remote printing service, written from its documents alone. See README.md."""

import argparse
import asyncio
import json
import os
import signal

from app import App
from clock import Clock
from events import Events
from http_server import MAX_HEAD, HttpServer
from model import Store


def write_ready_file(path, content):
    """In one step: who waits for the file never sees half of it."""
    with open(f'{path}.part', 'w', encoding='utf-8') as file:
        json.dump(content, file)
    os.replace(f'{path}.part', path)


async def run(options):
    clock = Clock()
    store = Store(clock)
    app = App(store, Events(clock), not options.no_rate_limit, options.clock_control)
    http = HttpServer(app, clock)
    server = await asyncio.start_server(http.serve, '127.0.0.1', options.port, limit=MAX_HEAD)
    app.api.base = f'http://127.0.0.1:{server.sockets[0].getsockname()[1]}'

    accounts = [
        store.add_account('first@integrator.example', integrator=True),
        store.add_account('second@integrator.example', integrator=True),
        store.add_account('single@shop.example'),
    ]
    keys = [store.add_key(account, 'first').value for account in accounts]

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    print(app.api.base, flush=True)
    if options.ready_file:
        names = ('apiKey', 'secondApiKey', 'singleApiKey')
        write_ready_file(options.ready_file, {'url': app.api.base, **dict(zip(names, keys))})

    await stop.wait()
    server.close()
    app.shut_down()
    await asyncio.sleep(0.2)  # for the closing frames
    for task in http.connections:
        task.cancel()
    await asyncio.gather(*http.connections, return_exceptions=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--port', type=int, default=0)
    parser.add_argument('--ready-file', metavar='PATH', help='where to write the address and the keys')
    parser.add_argument('--no-rate-limit', action='store_true')
    parser.add_argument('--clock-control', action='store_true', help='offer POST /_clock/advance')
    asyncio.run(run(parser.parse_args()))


if __name__ == '__main__':
    main()
