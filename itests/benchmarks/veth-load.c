// Datagrams from one network namespace to another, and what arrives of them by the millisecond.
//   veth-load send ADDRESS PORT SECONDS LENGTH     prints processor seconds
//   veth-load receive PORT LEAD SECONDS            prints bits a second of whole frames, standard deviation by mean of
//                                                  milliseconds, bits a second in the fullest, processor seconds
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

enum { HEADERS = 14 + 20 + 8, BATCH = 64, ROOM = 2048, BUFFER = 65536 };

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + at.tv_nsec * 1e-9;
}

static double spent(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static int sending(const char *address, int port, double seconds, int length) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0), room = BUFFER;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    static char bytes[ROOM];
    inet_pton(AF_INET, address, &to.sin_addr);
    // so that the sender waits, and the discipline drops nothing
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (connect(fd, (struct sockaddr *) &to, sizeof to))
        return 1;
    for (double end = now() + seconds; now() < end;)
        for (int i = 0; i < 8; i++)
            send(fd, bytes, length, 0);
    printf("%.4f\n", spent());
    return 0;
}

// When the interface took a datagram: the program that reads it may be late.
static double arrival(struct msghdr *head) {
    struct cmsghdr *part = CMSG_FIRSTHDR(head);
    struct timespec at;
    if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) {
        fprintf(stderr, "a datagram has no time\n");
        exit(1);
    }
    memcpy(&at, CMSG_DATA(part), sizeof at);
    return at.tv_sec + at.tv_nsec * 1e-9;
}

static int receiving(int port, double lead, double seconds) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0), room = 4 << 20, on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval patience = {.tv_sec = 5};
    static char bytes[BATCH][ROOM];
    static char times[BATCH][CMSG_SPACE(sizeof(struct timespec))] __attribute__((aligned(16)));
    static struct mmsghdr heads[BATCH];
    struct iovec pieces[BATCH];
    int windows = (int) (seconds * 1000);
    double *sums = calloc(windows, sizeof *sums);
    double begin = 0, first = 0, last = 0, later = 0, mean = 0, square = 0, peak = 0;
    long frames = 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (bind(fd, (struct sockaddr *) &at, sizeof at))
        return 1;
    for (int i = 0; i < BATCH; i++)
        pieces[i] = (struct iovec) {bytes[i], ROOM};
    for (int over = 0; !over;) {
        for (int i = 0; i < BATCH; i++)
            heads[i].msg_hdr = (struct msghdr) {
                .msg_iov = &pieces[i], .msg_iovlen = 1, .msg_control = times[i], .msg_controllen = sizeof times[i]};
        int got = recvmmsg(fd, heads, BATCH, MSG_WAITFORONE, NULL);
        if (got <= 0)
            return 1;
        for (int i = 0; i < got; i++) {
            double when = arrival(&heads[i].msg_hdr), size = heads[i].msg_len + HEADERS;
            if (begin == 0)
                begin = when + lead;
            if (when < begin)
                continue;
            int window = (int) ((when - begin) * 1000);
            if (window >= windows) {
                over = 1;
                break;
            }
            sums[window] += size;
            if (frames++ == 0)
                first = when;
            else
                later += size;
            last = when;
        }
    }
    for (int i = 0; i < windows; i++) {
        mean += sums[i] / windows;
        peak = fmax(peak, sums[i]);
    }
    for (int i = 0; i < windows; i++)
        square += (sums[i] - mean) * (sums[i] - mean) / windows;
    printf("%.1f %.4f %.1f %.4f\n", later * 8 / (last - first), sqrt(square) / mean, peak * 8 * 1000, spent());
    return 0;
}

int main(int count, char **words) {
    if (count == 6 && !strcmp(words[1], "send"))
        return sending(words[2], atoi(words[3]), atof(words[4]), atoi(words[5]));
    if (count == 5 && !strcmp(words[1], "receive"))
        return receiving(atoi(words[2]), atof(words[3]), atof(words[4]));
    return 2;
}
