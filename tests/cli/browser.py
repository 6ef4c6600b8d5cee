"""A headless Chromium, driven over the DevTools protocol through a pipe: nothing to install for it."""
import base64, json, os, select, shutil, subprocess, sys, tempfile, time

NAMES = ("chromium", "chromium-browser", "google-chrome")
TIME_LIMIT = 60
KEYS = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40}


def found():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One tab. What it asks of the network, logs or throws is kept in requests and faults."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="ktriage-browser-")
        ours, theirs = os.pipe(), os.pipe()     # theirs: what it writes

        def pipes():
            # The ends may be numbered 3 and 4 themselves: they are moved out of the way first.
            read_end, write_end = os.dup(ours[0]), os.dup(theirs[1])
            high = [os.dup2(read_end, 50), os.dup2(write_end, 51)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--remote-debugging-pipe", "--hide-scrollbars", "--user-data-dir=" + self.home, "about:blank"]
        self.process = subprocess.Popen([found()] + args, preexec_fn=pipes, close_fds=False, env=dict(os.environ, HOME=self.home),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.write_end, self.read_end = ours[1], theirs[0]
        self.number, self.rest, self.session = 0, b"", None
        self.requests, self.faults = [], []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.size(1280, 900)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.home, ignore_errors=True)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.faults.append(params["exceptionDetails"].get("exception", {}).get("description", str(params)))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.faults.append(params["entry"]["text"])

    def read(self, until):
        while b"\0" not in self.rest:
            left = until - time.time()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.read_end, 1 << 16)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        text = json.dumps(request).encode() + b"\0"
        while text:
            text = text[os.write(self.write_end, text):]
        until = time.time() + TIME_LIMIT
        while True:
            message = self.read(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError("%s: %s" % (method, message["error"]))
                return message["result"]
            self.note(message)

    def open(self, url):
        """A page anew, also where only the part behind # is another one."""
        for one in ("about:blank", url):
            self.call("Page.navigate", url=one)
            until = time.time() + TIME_LIMIT
            while self.run("location.href + document.readyState") != one + "complete":
                if time.time() > until:
                    raise TimeoutError("%s is not loaded" % one)
                time.sleep(0.01)
        self.requests = [r for r in self.requests if r != "about:blank"]

    def run(self, script):
        """Value of an expression."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError("%s: %s" % (script, result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key):
        code = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper()))}
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def insert(self, text):
        """As a paste does: all at once."""
        self.call("Input.insertText", text=text)

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, kind="", scheme="light"):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])
