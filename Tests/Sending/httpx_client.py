#!/usr/bin/env python3
"""Sends the lines of `pushcrypt seal --lines` with httpx, for a comparison.

Arguments: the file, the port, the CA, a provider token, the number of connections, the pushes in flight.
"""
import asyncio
import json
import ssl
import sys

import httpx


async def main():
    path, port, authority, token, connections, window = sys.argv[1:]
    context = ssl.create_default_context(cafile=authority)
    clients = [
        httpx.AsyncClient(http2=True, verify=context, timeout=60, limits=httpx.Limits(max_connections=1))
        for _ in range(int(connections))
    ]
    lines = iter(open(path, "rb"))
    refused = count = 0

    async def work(client):
        nonlocal refused, count
        for line in lines:
            push = json.loads(line)
            answer = await client.post(
                f"https://localhost:{port}/3/device/{push['token']}",
                content=json.dumps(push["payload"], separators=(",", ":")),
                headers={**push["headers"], "authorization": f"bearer {token}"},
            )
            refused += answer.status_code != 200
            count += 1

    await asyncio.gather(*(work(clients[i % len(clients)]) for i in range(int(window))))
    print(f"httpx: {count} pushes, {refused} refused")
    sys.exit(refused > 0)


asyncio.run(main())
