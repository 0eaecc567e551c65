# Submits one label, once, whatever happens: python3 submit.py ORDER

import base64
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

order = sys.argv[1] if len(sys.argv) > 1 else "A-1001"
job = {
    "printerId": 1,
    "title": f"Label {order}",
    "contentType": "raw_base64",
    "content": base64.b64encode(f"^XA^FO50,50^FD{order}^FS^XZ".encode()).decode(),
}
headers = {
    "Authorization": "Basic " + base64.b64encode(f"{os.environ['PLATEN_API_KEY']}:".encode()).decode(),
    "Content-Type": "application/json",
    # Made from the order: the same with each try.
    "X-Idempotency-Key": f"label-{order}",
}


def submit():
    for tries in range(5):
        wait = 0.2 * 2**tries
        request = urllib.request.Request(
            os.environ["PLATEN_URL"] + "/printjobs", json.dumps(job).encode(), headers, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                answer.read()
                return
        except urllib.error.HTTPError as error:
            if error.code == 409:  # an earlier try was taken
                return
            if error.code != 429 and error.code < 500:
                raise
            wait = max(wait, float(error.headers.get("Retry-After") or 0))
        except (OSError, http.client.HTTPException):
            pass  # no whole answer: the job may have been taken
        time.sleep(wait)
    sys.exit("no answer after five tries: the label may be printed or not")


submit()
