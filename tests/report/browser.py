"""A real browser for tests of pages, driven over its DevTools protocol through a pipe: no library is needed.

Chromium reads commands from file descriptor 3 and answers on 4, JSON objects with a zero byte between them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 120  # seconds for an answer, on a machine with much else to do
FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync", "--mute-audio", "--hide-scrollbars",
)  # fmt: skip


def found() -> str | None:
    """The path of a browser that understands the protocol, None if there is none on PATH."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A headless browser with one page open."""

    def __init__(self, path: str) -> None:
        self.home = tempfile.mkdtemp(prefix="browser-")
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()
        # The child must have them as 3 and 4: a shell moves them there.
        words = [path, *FLAGS, f"--user-data-dir={self.home}", "about:blank"]
        script = f'exec "$@" 3<&{to_child} 4>&{from_child}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "browser", *words],
            pass_fds=(to_child, from_child), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_child)
        os.close(from_child)
        os.set_blocking(self.into, True)
        self.rest, self.number, self.events = b"", 0, list[dict[str, Any]]()
        self.session = ""
        pages = [one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        target = (pages or [self.call("Target.createTarget", url="about:blank")])[0]["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    # ---- the protocol ----------------------------------------------------------------------------------

    def _read(self) -> dict[str, Any]:
        import select

        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise ConnectionError("the browser has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        return message

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        data = json.dumps(message | ({"sessionId": self.session} if self.session else {})).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        while True:
            answer = self._read()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    # ---- pages -----------------------------------------------------------------------------------------

    def open(self, page: Path, width: int = 1300, height: int = 1000, dark: bool = False) -> None:
        """Show a page of a given size; forgets the events of the page before."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)  # fmt: skip
        self.scheme("dark" if dark else "light")
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def scheme(self, name: str, media: str = "") -> None:
        """Prefer "light" or "dark"; media: "print" to lay out as on paper."""
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": name}])  # fmt: skip

    def ask(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def key(self, name: str, code: int, text: str = "") -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            more: dict[str, Any] = {"text": text} if text and kind == "keyDown" else {}
            more |= {"key": name, "code": name, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type=kind, **more)

    def complaints(self) -> list[str]:
        """Errors and warnings on the console, and uncaught exceptions, since the page was opened."""
        told = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                told.append(str(params["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                told.append(str(params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                told.append(params["entry"]["text"])
        return told

    def requests(self) -> list[str]:
        """All addresses asked for since the page was opened."""
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]  # fmt: skip

    def picture(self, path: Path, whole: bool = False) -> None:
        """A screenshot as PNG."""
        import base64

        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        """End the browser and remove what it kept."""
        self.session = ""
        try:
            self.call("Browser.close")
        except (OSError, TimeoutError):
            self.process.kill()
        self.process.wait(PATIENCE)
        for end in (self.out, self.into):
            os.close(end)
        shutil.rmtree(self.home, ignore_errors=True)
