/*
 * Carries netlink messages between a byte stream and the kernel that this program runs on, so that who is outside of a
 * machine can speak with the kernel inside.
 *
 *   netlink-relay DEVICE [USER [plain]]
 *
 * DEVICE is a serial port, or - for standard input and output. With the number of a USER it asks with that one's rights; plain
 * is without socket options, so that refusals repeat a request and say no more than a number. It says when it is at work. What comes there is requests, one behind the other; each
 * begins with its length and goes to a socket of generic netlink. What the kernel answers is written as it is. Messages are
 * padded to multiples of four bytes, in both directions.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>
#include <linux/netlink.h>

enum { ROOM = 64 * 1024 };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void give(int to, const char *from, size_t count)
{
    while (count > 0) {
        ssize_t done = write(to, from, count);
        if (done < 0 && errno != EINTR)
            fail("write");
        if (done > 0) {
            from += done;
            count -= done;
        }
    }
}

static int kernel(int plain)
{
    struct sockaddr_nl us = { .nl_family = AF_NETLINK };
    int on = 1, s = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
    if (s < 0 || bind(s, (struct sockaddr *)&us, sizeof us) < 0)
        fail("a socket of generic netlink");
    if (!plain && (setsockopt(s, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on) < 0 ||
        setsockopt(s, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on) < 0))
        fail("options of netlink");
    return s;
}

/* Sends whole requests on; answers how many bytes they were. */
static size_t pass_on(int s, const char *room, size_t filled)
{
    size_t taken = 0;
    while (filled - taken >= sizeof(struct nlmsghdr)) {
        struct nlmsghdr header;
        memcpy(&header, room + taken, sizeof header);
        size_t whole = NLMSG_ALIGN((size_t)header.nlmsg_len);
        if (header.nlmsg_len < sizeof header || whole > ROOM) {
            fprintf(stderr, "a message of %u bytes; there are from %zu to %d\n", header.nlmsg_len, sizeof header, ROOM);
            exit(1);
        }
        if (filled - taken < whole)
            break;
        if (send(s, room + taken, header.nlmsg_len, 0) < 0)
            fail("send");
        taken += whole;
    }
    return taken;
}

int main(int count, char **words)
{
    static char in[ROOM], out[ROOM + 4];
    size_t filled = 0;
    int plain = count == 4 && strcmp(words[3], "plain") == 0;
    if (count != 2 && count != 3 && !plain) {
        fprintf(stderr, "netlink-relay DEVICE [USER [plain]]\n");
        return 2;
    }
    int from = 0, to = 1;
    if (strcmp(words[1], "-") != 0) {
        struct termios raw;
        from = to = open(words[1], O_RDWR | O_NOCTTY);
        if (from < 0 || tcgetattr(from, &raw) < 0)
            fail(words[1]);
        cfmakeraw(&raw);
        cfsetspeed(&raw, B115200);
        if (tcsetattr(from, TCSAFLUSH, &raw) < 0)
            fail(words[1]);
    }
    if (count > 2) {
        int user = atoi(words[2]);
        if (setgroups(0, NULL) < 0 || setgid(user) < 0 || setuid(user) < 0)
            fail(words[2]);
    }
    int s = kernel(plain);
    fprintf(stderr, "netlink-relay: at work\n");
    for (;;) {
        struct pollfd either[] = { { .fd = from, .events = POLLIN }, { .fd = s, .events = POLLIN } };
        if (poll(either, 2, -1) < 0 && errno != EINTR)
            fail("poll");
        if (either[1].revents) {
            ssize_t came = recv(s, out, ROOM, 0);
            if (came < 0)
                fail("recv");
            memset(out + came, 0, 4);
            give(to, out, NLMSG_ALIGN((size_t)came));
        }
        if (either[0].revents) {
            ssize_t came = read(from, in + filled, ROOM - filled);
            if (came <= 0)
                return came < 0;
            filled += came;
            size_t taken = pass_on(s, in, filled);
            memmove(in, in + taken, filled -= taken);
        }
    }
}
