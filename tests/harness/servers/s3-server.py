# OpenStack Swift with its S3 API in one process: an account, a container and an object server with one disk, and the proxy.
import json
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402

given = json.loads(sys.argv[1])
folder = given["folder"]
COMMON = f"""
[DEFAULT]
swift_dir = {folder}
devices = {folder}/disk
mount_check = false
disable_fallocate = true
"""


def application(name, text):
    path = os.path.join(folder, f"{name}.conf")
    with open(path, "w") as file:
        file.write(COMMON + text)
    return loadapp(path)


class Cache(dict):
    """In place of memcached."""

    def __bool__(self):
        return True

    def get(self, key, *args, **kwargs):
        return dict.get(self, key)

    def set(self, key, value, *args, **kwargs):
        self[key] = value

    def delete(self, key, *args, **kwargs):
        self.pop(key, None)


os.makedirs(os.path.join(folder, "disk", "d1"), exist_ok=True)
sockets = {name: eventlet.listen(("127.0.0.1", 0)) for name in ("account", "container", "object")}
for name, socket in sockets.items():
    port = socket.getsockname()[1]
    place = {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
    ring = RingBuilder(2, 1, 0)
    ring.add_dev({"region": 1, "zone": 1, "device": "d1", "weight": 1, "meta": "", **place})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, f"{name}.ring.gz"))
for name, socket in sockets.items():
    server = application(name, f"[pipeline:main]\npipeline = app\n[app:app]\nuse = egg:swift#{name}\n")
    eventlet.spawn(wsgi.server, socket, server, log_output=False)
account, user = given["accessKey"].split(":")
proxy = application(
    "proxy",
    f"""
[pipeline:main]
pipeline = catch_errors listing_formats s3api tempauth proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {given["secretKey"]} .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
""",
)
cache = Cache()


def remembering(env, start_response):
    env["swift.cache"] = cache
    return proxy(env, start_response)


listening = eventlet.listen(("127.0.0.1", given["port"]), reuse_port=False)
print(listening.getsockname()[1], flush=True)
wsgi.server(listening, remembering, log_output=False)
