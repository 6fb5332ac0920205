# SPDX-License-Identifier: GPL-2.0-only
"""A headless Chromium for tests of pages, driven by its DevTools protocol over a pair of pipes."""

import json
import os
import select
import shutil
import subprocess
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
_TIMEOUT = 120  # seconds for any answer: a crowded machine takes its time


class Browser:
    """One browser with one page. Use as a context manager."""

    def __init__(self, profile):
        """Starts the browser with a folder of its own for its profile."""
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()

        def place():
            # The protocol asks for descriptors 3 and 4; first out of their way, whatever they are.
            high = os.dup2(commands, 63), os.dup2(answers, 64)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        # Root in a container has no sandbox; there is often no room in /dev/shm.
        self._process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars",
             "--disable-background-networking", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._number = 0
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._to)
        self._process.terminate()
        self._process.wait(timeout=_TIMEOUT)
        os.close(self._from)

    def call(self, method, **parameters):
        """Sends a command and returns its result; events that come before it are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _read(self):
        deadline = time.monotonic() + _TIMEOUT
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self._from, 1 << 16) if ready else b""
            if not data:
                raise TimeoutError("the browser does not answer")
            self._buffer += data
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def open(self, path, width=1280, height=900):
        """Loads a file in a window of this size, and waits until it is loaded."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def value(self, expression):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def mouse(self, kind, x, y, pressed=False):
        """A mouse event at a place of the window; kind: Moved, Pressed or Released."""
        self.call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, clickCount=1,
                  button="left" if pressed or kind != "Moved" else "none",
                  buttons=1 if pressed else 0)

    def complaints(self):
        """What the page wrote to the console, threw, or failed to load."""
        wanted = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded",
                  "Network.loadingFailed")
        return [event for event in self.events if event.get("method") in wanted]

    def requests(self):
        """The addresses of everything that was asked for, but the page and what it contains."""
        asked = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]
        return [url for url in asked[1:] if not url.startswith("data:")]
