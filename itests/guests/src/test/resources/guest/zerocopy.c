/*
 * Sends a file over TCP from where it lies in memory, and counts what the kernel says of each send: that the bytes left from
 * there, or that it copied them after all.
 *
 *   zerocopy ring|flag ADDRESS PORT FILE [BYTES]
 *
 * With ring it is SEND_ZC of io_uring, from registered memory; with flag it is send with MSG_ZEROCOPY. BYTES are of one send,
 * 65536 if nothing is said.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/errqueue.h>
#include <linux/io_uring.h>

#ifndef IORING_SEND_ZC_REPORT_USAGE
#define IORING_SEND_ZC_REPORT_USAGE (1U << 3)
#define IORING_NOTIF_USAGE_ZC_COPIED (1U << 31)
#endif

enum { ENTRIES = 64, UNDER_WAY = 32, PATIENCE = 60000 };

static long zerocopy, copied, under_way;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void reported(long count, int was_copied)
{
    if (was_copied)
        copied += count;
    else
        zerocopy += count;
    under_way -= count;
}

/* ---- with a ring */

static struct {
    int fd;
    unsigned *sq_tail, *sq_array, sq_mask, *cq_head, *cq_tail, cq_mask;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
} ring;

static void open_ring(char *memory, size_t length)
{
    struct io_uring_params p = { 0 };
    struct iovec all = { memory, length };
    char *base;
    size_t queues, requests;
    ring.fd = syscall(SYS_io_uring_setup, ENTRIES, &p);
    if (ring.fd < 0)
        fail("io_uring_setup");
    queues = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
    requests = p.sq_off.array + p.sq_entries * sizeof(unsigned);
    base = mmap(0, queues > requests ? queues : requests, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
    ring.sqes = mmap(0, p.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQES);
    if (base == MAP_FAILED || ring.sqes == MAP_FAILED)
        fail("mmap of the ring");
    ring.sq_tail = (unsigned *)(base + p.sq_off.tail);
    ring.sq_array = (unsigned *)(base + p.sq_off.array);
    ring.sq_mask = p.sq_entries - 1;
    ring.cq_head = (unsigned *)(base + p.cq_off.head);
    ring.cq_tail = (unsigned *)(base + p.cq_off.tail);
    ring.cq_mask = p.cq_entries - 1;
    ring.cqes = (struct io_uring_cqe *)(base + p.cq_off.cqes);
    if (syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, &all, 1) < 0)
        fail("registering memory");
}

/* Takes what has completed, after waiting for something if there is nothing; answers the result of a send, 0 without one. */
static long complete(int submit)
{
    long sent = 0;
    unsigned head = *ring.cq_head;
    int wait = head == __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE);
    if ((submit || wait) && syscall(SYS_io_uring_enter, ring.fd, submit, 1, IORING_ENTER_GETEVENTS, 0, 0) < 0 && errno != EINTR)
        fail("io_uring_enter");
    for (; head != __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE); head++) {
        struct io_uring_cqe *done = &ring.cqes[head & ring.cq_mask];
        if (done->flags & IORING_CQE_F_NOTIF) {
            reported(1, (done->res & IORING_NOTIF_USAGE_ZC_COPIED) != 0);
            continue;
        }
        if (!(done->flags & IORING_CQE_F_MORE))
            under_way--;
        errno = -done->res;
        if (done->res < 0)
            fail("SEND_ZC");
        sent = done->res;
    }
    __atomic_store_n(ring.cq_head, head, __ATOMIC_RELEASE);
    return sent;
}

static long send_by_ring(int s, char *from, size_t length)
{
    unsigned tail = *ring.sq_tail;
    struct io_uring_sqe *ask = &ring.sqes[tail & ring.sq_mask];
    long sent;
    while (under_way >= UNDER_WAY)
        complete(0);
    memset(ask, 0, sizeof *ask);
    ask->opcode = IORING_OP_SEND_ZC;
    ask->fd = s;
    ask->addr = (unsigned long)from;
    ask->len = length;
    ask->msg_flags = MSG_WAITALL | MSG_NOSIGNAL;
    ask->ioprio = IORING_SEND_ZC_REPORT_USAGE | IORING_RECVSEND_FIXED_BUF;
    ring.sq_array[tail & ring.sq_mask] = tail & ring.sq_mask;
    __atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
    under_way++;
    for (sent = complete(1); sent == 0;)
        sent = complete(0);
    return sent;
}

/* ---- with the flag */

/* Takes what the socket's queue of errors says of sends that were; answers whether there was anything. */
static int take_reports(int s)
{
    char room[256];
    struct msghdr m = { .msg_control = room, .msg_controllen = sizeof room };
    struct cmsghdr *part;
    if (recvmsg(s, &m, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
        if (errno != EAGAIN)
            fail("the queue of errors");
        return 0;
    }
    for (part = CMSG_FIRSTHDR(&m); part; part = CMSG_NXTHDR(&m, part)) {
        struct sock_extended_err *report = (struct sock_extended_err *)CMSG_DATA(part);
        if (report->ee_origin == SO_EE_ORIGIN_ZEROCOPY)
            reported((long)report->ee_data - report->ee_info + 1, (report->ee_code & SO_EE_CODE_ZEROCOPY_COPIED) != 0);
    }
    return 1;
}

static void await_reports(int s)
{
    struct pollfd one = { .fd = s };
    if (poll(&one, 1, PATIENCE) <= 0)
        fail("no word of what was sent");
    while (take_reports(s))
        ;
}

static long send_by_flag(int s, char *from, size_t length)
{
    long sent;
    while (take_reports(s))
        ;
    while ((sent = send(s, from, length, MSG_ZEROCOPY | MSG_NOSIGNAL)) < 0) {
        if (errno != ENOBUFS)
            fail("send with MSG_ZEROCOPY");
        await_reports(s);
    }
    under_way++;
    return sent;
}

/* ---- */

static char *file(const char *name, size_t *length)
{
    struct stat about;
    int fd = open(name, O_RDONLY);
    char *memory;
    size_t filled = 0;
    if (fd < 0 || fstat(fd, &about) < 0)
        fail(name);
    *length = about.st_size;
    memory = mmap(0, *length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        fail("memory for the file");
    while (filled < *length) {
        ssize_t came = read(fd, memory + filled, *length - filled);
        if (came <= 0)
            fail(name);
        filled += came;
    }
    close(fd);
    return memory;
}

int main(int count, char **words)
{
    struct sockaddr_in to = { .sin_family = AF_INET };
    size_t length, at = 0, most = count > 5 ? strtoul(words[5], 0, 10) : 65536;
    int by_ring, on = 1, s = socket(AF_INET, SOCK_STREAM, 0);
    char *memory, rest[64];
    if (count < 5 || most == 0 || inet_pton(AF_INET, words[2], &to.sin_addr) != 1) {
        fprintf(stderr, "zerocopy ring|flag ADDRESS PORT FILE [BYTES]\n");
        return 2;
    }
    by_ring = strcmp(words[1], "ring") == 0;
    to.sin_port = htons(atoi(words[3]));
    memory = file(words[4], &length);
    if (s < 0 || setsockopt(s, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on) < 0 || connect(s, (struct sockaddr *)&to, sizeof to) < 0)
        fail("connecting");
    if (by_ring)
        open_ring(memory, length);
    while (at < length) {
        size_t next = length - at < most ? length - at : most;
        at += by_ring ? send_by_ring(s, memory + at, next) : send_by_flag(s, memory + at, next);
    }
    if (shutdown(s, SHUT_WR) < 0)
        fail("shutdown");
    while (under_way > 0)
        if (by_ring)
            complete(0);
        else
            await_reports(s);
    while (recv(s, rest, sizeof rest, 0) > 0)
        ;
    printf("RESULT sent %zu\nRESULT zerocopy %ld\nRESULT copied %ld\n", at, zerocopy, copied);
    return 0;
}
