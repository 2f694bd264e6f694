/*
 * A stream through the loopback device by rings of the kernel, a thread at each end: what our transport does, without Java. Many messages
 * leave as one gathered send; what comes is received on and on, several buffers at a time. Each line on standard input is a number
 * of milliseconds to work for; the answer is a line: bytes, processor nanoseconds, nanoseconds, system calls of both ends.
 *
 *   ring-stream MESSAGE BURST
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* newer than the headers of some systems */
#define NO_SQ_ARRAY (1u << 16)
#define BUNDLE (1u << 4)

#define ENTRIES 64
#define BUFFERS 32
#define BUFFER (64 << 10)
/* of the kernel, as our transport has it for a peer on this machine */
#define SEND_BUFFER (192 << 10)

struct ring {
    int fd;
    unsigned *sq_tail, *sq_head, sq_mask, *cq_head, *cq_tail, cq_mask;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
    _Atomic long calls;
};

static int message, burst, near_socket, far_socket;
static _Atomic long received;
static struct ring sender, receiver;

static void die(const char *what)
{
    fprintf(stderr, "ring-stream: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void ring_open(struct ring *ring)
{
    struct io_uring_params p = {.flags = IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN
        | IORING_SETUP_CQSIZE | NO_SQ_ARRAY, .cq_entries = 1024};
    ring->fd = syscall(__NR_io_uring_setup, ENTRIES, &p);
    if (ring->fd < 0)
        die("io_uring_setup");
    size_t size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
    char *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
    ring->sqes = mmap(NULL, p.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQES);
    if (all == MAP_FAILED || ring->sqes == MAP_FAILED)
        die("mmap");
    ring->sq_head = (unsigned *)(all + p.sq_off.head);
    ring->sq_tail = (unsigned *)(all + p.sq_off.tail);
    ring->sq_mask = p.sq_entries - 1;
    ring->cq_head = (unsigned *)(all + p.cq_off.head);
    ring->cq_tail = (unsigned *)(all + p.cq_off.tail);
    ring->cq_mask = p.cq_entries - 1;
    ring->cqes = (struct io_uring_cqe *)(all + p.cq_off.cqes);
}

static struct io_uring_sqe *ring_next(struct ring *ring)
{
    struct io_uring_sqe *sqe = &ring->sqes[*ring->sq_tail & ring->sq_mask];
    memset(sqe, 0, sizeof *sqe);
    return sqe;
}

static void ring_add(struct ring *ring)
{
    atomic_store_explicit((_Atomic unsigned *)ring->sq_tail, *ring->sq_tail + 1, memory_order_release);
}

static void ring_wait(struct ring *ring, unsigned submit)
{
    ring->calls++;
    if (syscall(__NR_io_uring_enter, ring->fd, submit, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0 && errno != EINTR)
        die("io_uring_enter");
}

static struct io_uring_cqe *ring_peek(struct ring *ring)
{
    unsigned head = *ring->cq_head;
    if (head == atomic_load_explicit((_Atomic unsigned *)ring->cq_tail, memory_order_acquire))
        return NULL;
    return &ring->cqes[head & ring->cq_mask];
}

static void ring_done(struct ring *ring)
{
    atomic_store_explicit((_Atomic unsigned *)ring->cq_head, *ring->cq_head + 1, memory_order_release);
}

static void *receive(void *unused)
{
    ring_open(&receiver);
    struct io_uring_buf_ring *buffers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    char *memory = mmap(NULL, (size_t)BUFFERS * BUFFER, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    struct io_uring_buf_reg reg = {.ring_addr = (uintptr_t)buffers, .ring_entries = BUFFERS, .bgid = 1};
    if (syscall(__NR_io_uring_register, receiver.fd, IORING_REGISTER_PBUF_RING, &reg, 1) < 0)
        die("io_uring_register");
    /* entries lie from the first byte on; the tail is in the last two bytes of the first one */
    struct io_uring_buf *list = (struct io_uring_buf *)buffers;
    unsigned short tail = 0;
    int place[BUFFERS], order[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
        list[i] = (struct io_uring_buf){.addr = (uintptr_t)memory + (size_t)i * BUFFER, .len = BUFFER, .bid = i};
        place[i] = i;
        order[i] = i;
        tail++;
    }
    atomic_store_explicit((_Atomic unsigned short *)&buffers->tail, tail, memory_order_release);
    int armed = 0;
    for (;;) {
        if (!armed) {
            struct io_uring_sqe *sqe = ring_next(&receiver);
            sqe->opcode = IORING_OP_RECV;
            sqe->fd = far_socket;
            sqe->flags = IOSQE_BUFFER_SELECT;
            sqe->ioprio = IORING_RECV_MULTISHOT | BUNDLE;
            sqe->buf_group = 1;
            ring_add(&receiver);
        }
        ring_wait(&receiver, !armed);
        armed = 1;
        for (struct io_uring_cqe *cqe; (cqe = ring_peek(&receiver)) != NULL; ring_done(&receiver)) {
            armed = (cqe->flags & IORING_CQE_F_MORE) != 0;
            if (cqe->res == 0)
                return NULL;
            if (cqe->res < 0)
                continue;
            int count = (cqe->res + BUFFER - 1) / BUFFER;
            int first = place[cqe->flags >> IORING_CQE_BUFFER_SHIFT];
            for (int i = 0; i < count; i++) {
                int id = order[(first + i) % BUFFERS];
                int at = tail % BUFFERS;
                list[at].addr = (uintptr_t)memory + (size_t)id * BUFFER;
                list[at].len = BUFFER;
                list[at].bid = id;
                place[id] = at;
                order[at] = id;
                tail++;
            }
            atomic_store_explicit((_Atomic unsigned short *)&buffers->tail, tail, memory_order_release);
            received += cqe->res;
        }
    }
}

static long nanos(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void connect_both(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int one = 1, bytes = SEND_BUFFER, listener = socket(AF_INET, SOCK_STREAM, 0);
    near_socket = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&at, length) < 0 || listen(listener, 1) < 0
            || getsockname(listener, (struct sockaddr *)&at, &length) < 0 || connect(near_socket, (struct sockaddr *)&at, length) < 0)
        die("connect");
    far_socket = accept(listener, NULL, NULL);
    setsockopt(near_socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(near_socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    close(listener);
}

int main(int count, char **arguments)
{
    if (count != 3 || (message = atoi(arguments[1])) <= 0 || (burst = atoi(arguments[2])) <= 0 || burst > 1024) {
        fprintf(stderr, "usage: ring-stream MESSAGE BURST\n");
        return 2;
    }
    connect_both();
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);
    ring_open(&sender);
    char *memory = mmap(NULL, (size_t)message * burst, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    struct iovec *pieces = calloc(burst, sizeof *pieces);
    long sent = 0, millis;
    while (scanf("%ld", &millis) == 1) {
        long begin = nanos(CLOCK_MONOTONIC), cpu = nanos(CLOCK_PROCESS_CPUTIME_ID), before = sent;
        long sends = sender.calls, receives = receiver.calls;
        do {
            for (int i = 0; i < burst; i++)
                pieces[i] = (struct iovec){memory + (size_t)i * message, message};
            struct msghdr header = {.msg_iov = pieces, .msg_iovlen = burst};
            struct io_uring_sqe *sqe = ring_next(&sender);
            sqe->opcode = IORING_OP_SENDMSG;
            sqe->fd = near_socket;
            sqe->addr = (uintptr_t)&header;
            sqe->len = 1;
            sqe->msg_flags = MSG_WAITALL | MSG_NOSIGNAL;
            ring_add(&sender);
            ring_wait(&sender, 1);
            struct io_uring_cqe *cqe;
            while ((cqe = ring_peek(&sender)) == NULL)
                ring_wait(&sender, 0);
            if (cqe->res != message * burst) {
                errno = cqe->res < 0 ? -cqe->res : EIO;
                die("send");
            }
            sent += cqe->res;
            ring_done(&sender);
        } while (nanos(CLOCK_MONOTONIC) - begin < millis * 1000000);
        while (received < sent)
            usleep(20);
        printf("%ld %ld %ld %ld %ld\n", sent - before, nanos(CLOCK_PROCESS_CPUTIME_ID) - cpu, nanos(CLOCK_MONOTONIC) - begin,
               sender.calls - sends, receiver.calls - receives);
        fflush(stdout);
    }
    shutdown(near_socket, SHUT_WR);
    pthread_join(thread, NULL);
    return 0;
}
