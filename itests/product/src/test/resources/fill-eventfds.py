"""Does to the eventfds of a process what a hostile client does to its own: fills them up and makes them block.

usage: fill-eventfds.py PID; prints how many there were. The process is stopped first, so that it reads none of them.
"""
import ctypes
import os
import signal
import struct
import sys

SYS_PIDFD_GETFD = 438
FULL = 2**64 - 2

pid = int(sys.argv[1])
os.kill(pid, signal.SIGSTOP)
process = os.pidfd_open(pid)
libc = ctypes.CDLL(None, use_errno=True)
filled = 0
for name in os.listdir(f"/proc/{pid}/fd"):
    if os.readlink(f"/proc/{pid}/fd/{name}") != "anon_inode:[eventfd]":
        continue
    copy = libc.syscall(SYS_PIDFD_GETFD, process, int(name), 0)
    if copy < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    os.set_blocking(copy, False)
    try:
        os.read(copy, 8)
    except BlockingIOError:
        pass
    os.write(copy, struct.pack("<Q", FULL))
    os.set_blocking(copy, True)
    filled += 1
print(filled)
