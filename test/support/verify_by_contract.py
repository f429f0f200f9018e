"""Checks webhooks with Python's standard library, from the contract's words alone.

Reads {"secret", "headers", "body"} a line; writes {"classic", "standard"} a line.
"""

import base64
import hashlib
import hmac
import json
import sys


def digest(key, message):
    return hmac.new(key, message, hashlib.sha256)


for line in sys.stdin:
    given = json.loads(line)
    secret, headers, body = given["secret"], given["headers"], given["body"].encode()
    classic = digest(secret.encode(), body).hexdigest()
    prefix = "whsec_"
    key = base64.b64decode(secret[len(prefix):]) if secret.startswith(prefix) else secret.encode()
    signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode() + body
    standard = "v1," + base64.b64encode(digest(key, signed).digest()).decode()
    verdict = {
        "classic": hmac.compare_digest(classic, headers["x-authorization-content-sha256"]),
        "standard": any(hmac.compare_digest(standard, each) for each in headers["webhook-signature"].split(" ")),
    }
    print(json.dumps(verdict), flush=True)
