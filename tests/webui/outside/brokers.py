"""A real MQTT broker: mosquitto where it is installed, else amqtt; both want a password."""

import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

from amqtt.plugins.authentication import FileAuthPlugin
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

USER, PASSWORD = "pipsight", "s:ecr/et"
MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
NAME = "mosquitto" if MOSQUITTO else "amqtt"
AMQTT = f"""
listeners: {{default: {{type: tcp, bind: "127.0.0.1:PORT"}}}}
plugins:
  {FileAuthPlugin.__module__}.{FileAuthPlugin.__name__}: {{password_file: FILE}}
"""


def _command(folder, port):
    """Return how the broker is started; its settings are files in *folder*."""
    passwords, settings = folder / "passwords", folder / "settings"
    if MOSQUITTO:
        words = ["mosquitto_passwd", "-b", "-c", str(passwords), USER, PASSWORD]
        subprocess.run(words, check=True)
        passwords.chmod(0o644)
        settings.write_text(f"user root\nlistener {port} 127.0.0.1\npassword_file {passwords}\n")
        return [MOSQUITTO, "-c", str(settings)]
    passwords.write_text(f"{USER}:{PasswordHash((Argon2Hasher(),)).hash(PASSWORD)}\n")
    settings.write_text(AMQTT.replace("PORT", str(port)).replace("FILE", str(passwords)))
    return [sys.executable, "-m", "amqtt.scripts.broker_script", "-c", str(settings)]


@contextmanager
def broker(folder, port):
    """Run a broker at a port until the block ends; it then forgets what it kept."""
    process = subprocess.Popen(
        _command(folder, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while True:
            assert process.poll() is None, f"{NAME} ended"
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        yield
    finally:
        process.kill()
        process.wait()
