# A stream of TCP of a segment each millisecond. 'serve ADDRESS PORT' waits for one and says, when it has ended, after
# which times nothing had come for more than 5 ms, in milliseconds; 'send ADDRESS PORT SECONDS' is the other end.
import socket
import sys
import time

address = (sys.argv[2], int(sys.argv[3]))
if sys.argv[1] == "serve":
    with socket.create_server(address) as server:
        print("listening", flush=True)
        stream, _ = server.accept()
        last = time.monotonic()
        gaps = []
        while stream.recv(65536):
            now = time.monotonic()
            if now - last > 0.005:
                gaps.append("%.1f" % (1000 * (now - last)))
            last = now
        print(" ".join(gaps))
else:
    stream = None
    for _ in range(100):
        try:
            stream = socket.create_connection(address)
            break
        except OSError:
            time.sleep(0.2)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    end = time.monotonic() + float(sys.argv[4])
    while time.monotonic() < end:
        stream.sendall(b"x" * 64)
        time.sleep(0.001)
    stream.close()
