"""
A printing service for pytest: copy this file beside your tests as conftest.py. It needs Python 3.9 and no packages.

    def test_prints_an_invoice(platen):
        my_app.configure(platen.url, platen.api_key)
        my_app.print_invoice()
        job = platen.wait(title="Invoice", state="done", printouts=1)
        assert job["sheets"] == 1

One workbench serves the whole run; each test gets an account with printers of its own. Time is virtual: it passes
while a test waits. What a failing test printed is kept in test-results/platen, and its report says where.

PLATEN is the command, `npx platen` unless it is set: PLATEN="node /opt/platen/bin/platen.js" pytest
"""

import base64
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

RESULTS = Path("test-results/platen")
START_LIMIT_SECONDS = 60
FAILED = pytest.StashKey[str]()


class PlatenError(Exception):
    """The service or its control API refused; the message says why."""


class Platen:
    """An account of a workbench, with a room of its own."""

    def __init__(self, url, account, api_key):
        self.url = url
        self.api_key = api_key
        self.account = account

    def service(self, method, path, body=None):
        """A request to the printing service, as an app makes it; gives its JSON."""
        __tracebackhide__ = True
        token = base64.b64encode(f"{self.api_key}:".encode()).decode()
        return json.loads(_ask(method, self.url + path, body, {"authorization": f"Basic {token}"}))

    def control(self, method, path, body=None, **query):
        """A request to the control API (docs/control-api.md); gives bytes."""
        __tracebackhide__ = True
        given = {name: value for name, value in query.items() if value is not None}
        return _ask(method, f"{self.url}/_platen{path}?{urllib.parse.urlencode(given)}", body)

    def printers(self):
        return json.loads(self.control("GET", "/printers", account=self.account))

    def print(self, document, printer=None, title=None, timeout="5s", **options):
        """Submits a file and waits until all of it is out. Print options are those of the specification: copies=2."""
        __tracebackhide__ = True
        content = Path(document).read_bytes()
        fits = [one for one in self.printers() if one["name"] == printer or (printer is None and one["default"])]
        if not fits:
            raise PlatenError(f"the account has no printer {printer!r}")
        kind = "pdf_base64" if b"%PDF-" in content[:1024] else "raw_base64"
        job = {
            "printerId": fits[0]["id"],
            "title": title or Path(document).name,
            "contentType": kind,
            "content": base64.b64encode(content).decode(),
            "options": options,
        }
        id = self.service("POST", "/printjobs", job)
        ended = self.wait(id=id, state="done,error,expired,deleted", timeout=timeout)
        if ended["state"] != "done":
            raise PlatenError(_story(ended))
        try:
            return self.wait(id=id, printouts=1, timeout=timeout)
        except PlatenError:
            raise PlatenError(_story(self.job(id))) from None

    def wait(self, **query):
        """The newest job that fits: id, title, printer, state ("done,error"), after, printouts, timeout ("5s")."""
        __tracebackhide__ = True
        return json.loads(self.control("GET", "/jobs/wait", account=self.account, **query))

    def job(self, id):
        return json.loads(self.control("GET", f"/jobs/{id}"))

    def jobs(self, search=None):
        """The newest first; `search` as in the page: "invoice printer:Laser"."""
        return json.loads(self.control("GET", "/jobs", account=self.account, q=search))["jobs"]

    def address(self, printer, protocol="raw"):
        """Where a program reaches a printer: "socket://127.0.0.1:41237". The protocol is raw (port 9100), ipp or lpd."""
        __tracebackhide__ = True
        computers = json.loads(self.control("GET", "/room", account=self.account))["computers"]
        for one in (one for computer in computers for one in computer["printers"]):
            if one["name"] == printer and protocol in one["addresses"]:
                return one["addresses"][protocol]
        raise PlatenError(f"the account has no printer {printer!r} with an address for {protocol}")

    def wait_printout(self, **query):
        """The newest that a program printed at such an address: printer, protocol, title, after, timeout ("5s")."""
        __tracebackhide__ = True
        return json.loads(self.control("GET", "/printouts/wait", account=self.account, **query))

    def printouts(self):
        """Oldest first for each printer."""
        return json.loads(self.control("GET", "/printouts", account=self.account))

    def text(self, id):
        """What stands on the sheets of a job or a printout."""
        return "\n".join(json.loads(self._paper(id, "text"))["sides"])

    def png(self, id, side=1):
        return self._paper(id, f"sheets/{side}.png")

    def _paper(self, id, part):
        if isinstance(id, int):
            return self.control("GET", f"/jobs/{id}/{part}")
        return self.control("GET", f"/printouts/{id}/{part}", account=self.account)

    def fault(self, at, fault, **settings):
        """Makes something go wrong: fault("printer/Laser", "media-jam", after=2). `platen faults` lists all."""
        __tracebackhide__ = True
        rule = {"at": at, "fault": fault, **settings}
        return json.loads(self.control("POST", "/faults", rule, account=self.account))["id"]

    def clear(self):
        """Repairs everything."""
        self.control("DELETE", "/faults", account=self.account)

    def advance(self, by):
        """Lets time pass: advance("14d"). The clock is that of all tests."""
        self.control("POST", "/clock/advance", {"by": by})


@pytest.fixture(scope="session")
def platen_workbench():
    """The address of a workbench that runs as long as the tests."""
    command = shlex.split(os.environ.get("PLATEN", "npx platen"))
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder, "ready.json")
        flags = ["start", "--port", "0", "--clock", "virtual", "--limits", "off", "--quiet", "--ready-file", str(ready)]
        flags += ["--expose", "raw:0,ipp:0,lpd:0"]
        log = Path(folder, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(command + flags, stdout=output, stderr=output)
        try:
            yield _url_of(ready, process, log)
        finally:
            process.terminate()
            process.wait()


@pytest.fixture
def platen(platen_workbench, request):
    """An account with printers of its own, for one test."""
    made = json.loads(_ask("POST", f"{platen_workbench}/_platen/accounts", {}))
    account = Platen(platen_workbench, made["id"], made["apiKey"])
    folder = RESULTS / re.sub(r"[^\w-]+", "-", request.node.nodeid)
    shutil.rmtree(folder, ignore_errors=True)
    request.node.stash[FAILED] = (account, folder)
    yield account
    _ask("DELETE", f"{platen_workbench}/_platen/accounts/{made['id']}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.when == "call" and report.failed and FAILED in item.stash:
        account, folder = item.stash[FAILED]
        jobs = [account.job(job["id"]) for job in reversed(account.jobs())]
        papers = jobs + account.printouts()
        if papers:
            report.sections.append(("platen", f"its jobs and their sheets: {_keep(account, papers, folder)}"))


def _keep(account, papers, folder):
    folder.mkdir(parents=True)
    stories = []
    for paper in papers:
        stories.append(_story(paper) if "timeline" in paper else f"printout {paper['id']} at {paper['printer']}")
        try:
            for side in range(1, min(paper["sides"], 8) + 1):
                Path(folder, f"{paper['id']}-{side}.png").write_bytes(account.png(paper["id"], side))
        except PlatenError as error:
            # Whether a label can be drawn is known only when it is drawn.
            stories[-1] += f"\n  no pictures: {error}"
    file = folder / "jobs.txt"
    file.write_text("\n\n".join(stories) + "\n")
    return file


def _story(job):
    reason = f", {job['sheets']} of {job['sheetsDue']} sheets out" if job["sheets"] < job["sheetsDue"] else ""
    held = f": {job['held']}" if job["held"] else ""
    lines = [f"job {job['id']} ({job['title']}) at {job['printer']['name']} is {job['state']}{reason}{held}"]
    for entry in job["timeline"]:
        lines.append(f"  {entry['ageMs']} ms  {': '.join(filter(None, [entry.get('state'), entry['message']]))}")
    return "\n".join(lines)


def _url_of(ready, process, log):
    until = time.monotonic() + START_LIMIT_SECONDS
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > until:
            raise PlatenError(f"{' '.join(process.args)} did not start:\n{log.read_text()}")
        time.sleep(0.05)
    return json.loads(ready.read_text())["url"]


def _ask(method, url, body=None, headers={}):
    __tracebackhide__ = True
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data, {"content-type": "application/json", **headers}, method=method)
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        try:
            text = json.loads(text)["message"]
        except (ValueError, KeyError):
            pass
        raise PlatenError(f"{method} {urllib.parse.urlsplit(url).path}: {error.code} {text}") from None
