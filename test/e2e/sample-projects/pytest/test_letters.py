import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

LETTER = Path(os.environ["LETTER"])


def test_prints_a_letter(platen):
    job = platen.print(LETTER, copies=2)
    assert (job["state"], job["sheets"]) == ("done", 6)
    assert "page 3 of 3" in platen.text(job["id"])
    assert platen.png(job["id"])[1:4] == b"PNG"


def test_has_an_account_of_its_own(platen):
    assert platen.jobs() == []


def test_says_what_holds_the_sheets(platen):
    platen.fault("printer/Laser", "media-jam", after=1)
    with pytest.raises(Exception, match="is done, 1 of 3 sheets out: Laser has media-jam"):
        platen.print(LETTER)
    assert "SHOP_IS_BROKEN" not in os.environ
    platen.clear()
    assert platen.wait(title="three-pages", printouts=1)["sheets"] == 3


def test_says_which_faults_there_are(platen):
    with pytest.raises(Exception, match="there is no fault 'media-jma' at a printer; did you mean 'media-jam'"):
        platen.fault("printer/Laser", "media-jma")


def test_shows_what_a_program_sends_to_port_9100(platen):
    address = urlsplit(platen.address("Label 4x6"))
    with socket.create_connection((address.hostname, address.port)) as printer:
        printer.sendall(b"^XA^FDBox 12^FS^XZ")
    printout = platen.wait_printout(printer="Label 4x6", protocol="raw")
    assert platen.text(printout["id"]) == "Box 12"
    assert platen.png(printout["id"])[1:4] == b"PNG"
    with pytest.raises(Exception, match="last seen: raw.1.printer-2.1, but it came out of Label 4x6, not Laser"):
        platen.wait_printout(printer="Laser", timeout="100ms")
