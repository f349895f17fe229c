"""A TCP link with a delay and a bandwidth, for measurements where the kernel has no netem.

    python3 link.py LISTEN_PORT TARGET_PORT DELAY_MS MEGABITS

Each direction of each connection is delayed by DELAY_MS and carries at most MEGABITS.
"""

import asyncio
import sys
import time

LISTEN, TARGET, DELAY, RATE = (
    int(sys.argv[1]),
    int(sys.argv[2]),
    float(sys.argv[3]) / 1e3,
    float(sys.argv[4]) * 1e6 / 8,
)


async def carry(reader, writer):
    """Bytes wait for their turn on the line, then for the delay."""
    queue = asyncio.Queue(maxsize=4096)

    async def send():
        while (item := await queue.get()) is not None:
            due, data = item
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            writer.write(data)
            await writer.drain()
        writer.close()

    sender, free = asyncio.create_task(send()), 0.0
    try:
        while data := await reader.read(16384):
            free = max(free, time.monotonic()) + len(data) / RATE
            await queue.put((free + DELAY, data))
    except OSError:
        pass
    await queue.put(None)
    await sender


async def serve(reader, writer):
    try:
        there, back = await asyncio.open_connection("127.0.0.1", TARGET)
    except OSError:
        writer.close()
        return
    await asyncio.gather(carry(reader, back), carry(there, writer), return_exceptions=True)


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", LISTEN)
    async with server:
        await server.serve_forever()


asyncio.run(main())
