/*
 * The same work as the software adapter's data path and a bare driver do, in C, in one thread or in two: requests and
 * doorbells, requests taken apart and checked, keys, addresses looked up, a switch that learns, one copy, completions
 * with owner bits (one for each burst sent, one for up to four frames received), counters. The measure for itests/benchmarks/adapter-loop.
 *
 *   equal-work FRAME QUEUES BURST HASH THREADS [pools]
 *
 * THREADS is one, two (driver and device have one each) or ends (the driver's receiving half is with the device). With pools
 * a packet has one owner at a time and two words that are written and read whole; each is taken from a pool, has its headers
 * written, and is released: not with ends, where two threads would share the pool. For each
 * number of milliseconds on standard input it works that long and answers packets and nanoseconds: of processor time in one
 * thread, else of the clock.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { PAGE = 4096, UNIT = 32, CQE = 64, KEYS = 8192, MOST_QUEUES = 64, MOST_BURST = 64, STATIONS = 8192, TABLE = 64 };
/* on lines of its own: what one thread writes is not in the way of what the other uses */
#define APART __attribute__((aligned(128)))
static const u64 BASE = 0x100000000ull;

static u64 load(const void *at) { u64 v; memcpy(&v, at, 8); return v; }
static u32 load4(const void *at) { u32 v; memcpy(&v, at, 4); return v; }
static void store(void *at, u64 v) { memcpy(at, &v, 8); }
static void store4(void *at, u32 v) { memcpy(at, &v, 4); }
static void release4(void *at, u32 v) { __atomic_store_n((u32 *)at, v, __ATOMIC_RELEASE); }
static u32 acquire4(void *at) { return __atomic_load_n((u32 *)at, __ATOMIC_ACQUIRE); }

static u64 clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static u64 now(void) { return clock_of(CLOCK_MONOTONIC); }

/* ---- memory that the device can reach */

struct range { u64 first, last; u8 *raw; int writable; };
static struct range ranges[4];
static int range_count, recent;

static u8 *pointer(u64 dma, u64 length, int write)
{
    int index = recent;
    u64 into = dma - ranges[index].first;
    if (into > ranges[index].last - ranges[index].first) {
        int low = 0, high = range_count - 1;
        while (low <= high) {
            int middle = (low + high) >> 1;
            if (ranges[middle].first <= dma)
                low = middle + 1;
            else
                high = middle - 1;
        }
        if (high < 0 || dma > ranges[high].last)
            return 0;
        recent = index = high;
        into = dma - ranges[index].first;
    }
    u64 left = ranges[index].last - ranges[index].first - into;
    return length && length - 1 <= left && (!write || ranges[index].writable) ? ranges[index].raw + into : 0;
}

struct key { u32 number, pd; int writable, direct; };
static struct key keys[KEYS];

static int allows(u32 key, u32 pd, int write)
{
    u32 slot = key >> 8;
    return slot < KEYS && keys[slot].number == key && keys[slot].pd == pd && keys[slot].direct
            && (keys[slot].writable || !write);
}

static u8 *memory;
static u64 taken;

static u64 take(u64 bytes)
{
    u64 at = taken;
    taken += (bytes + PAGE - 1) & ~(u64)(PAGE - 1);
    return BASE + at;
}

static u8 *raw(u64 dma) { return memory + (dma - BASE); }

/* ---- the device */

struct ring { u64 pages[512]; u32 bytes; };

static u8 *ring_at(struct ring *ring, u32 offset)
{
    u32 in = offset & (PAGE - 1);
    return pointer(ring->pages[offset >> 12] + in, PAGE - in, 1);
}

static void ring_make(struct ring *ring, u64 dma, u32 bytes)
{
    ring->bytes = bytes;
    for (u32 i = 0; i < bytes / PAGE; i++)
        ring->pages[i] = dma + (u64)i * PAGE;
}

/* frames that may share a completion */
struct alike { u32 flags, position, count, length[4], hash[4]; };
struct cq { struct ring ring; u32 id, entries, shift; u64 produced; };
struct queue {
    struct ring ring;
    struct cq cq;
    u32 id, pd, known, consumed, good_key;
    int good_known, ended;
    struct alike placed;
    u64 packets, bytes;
    /* the one thing that the other thread writes */
    u32 doorbell APART;
};

static struct queue send_queues[MOST_QUEUES], receive_queues[MOST_QUEUES];
static struct queue *table[TABLE];
static u64 ready APART;
static u64 touched APART, mac_of[2];
static u64 device[2][16], physical[2][40];
static int hashing, threads_apart;
static u32 toeplitz[12][256];

struct piece { u8 *at; u32 length; };
static struct piece burst[MOST_BURST];
static int burst_count;
struct done { struct queue *queue; u32 unit; };
static struct done done[MOST_BURST];
static int done_count;

static u64 big48(const u8 *at) { return __builtin_bswap64(load(at)) >> 16; }

static u8 *cq_begin(struct cq *cq)
{
    u8 *entry = ring_at(&cq->ring, (u32)(cq->produced & (cq->entries - 1)) * CQE);
    if (entry)
        memset(entry, 0, 60);
    return entry;
}

static void cq_commit(struct cq *cq, u8 *entry, u32 queue, u32 side)
{
    release4(entry + 60, (queue & 0xffffff) | side | (u32)(cq->produced >> cq->shift) << 29);
    cq->produced++;
}

static void count(u64 *dev, u64 *phy, u64 destination, u32 bytes)
{
    int kind = !(destination >> 40 & 1) ? 0 : destination == 0xffffffffffffull ? 4 : 2;
    dev[kind]++;
    dev[kind + 1] += bytes;
    dev[8] += bytes;
    phy[2]++;
    phy[3] += bytes;
}

/* answers 0 if the request cannot be carried out */
static int request(struct queue *q, u32 position, u32 available, int write, u32 need, u32 *size, struct piece *piece,
        int *wanted)
{
    u8 *at = ring_at(&q->ring, position);
    if (!at)
        return 0;
    u64 head = load(at), inline8 = load(at + 8);
    u32 word1 = (u32)(head >> 32), entries = word1 & 0xff, words = word1 >> 8 & 7;
    if (!entries || entries > 30 || (words != 2 && words != 6))
        return 0;
    *size = (8 + words * 4 + 16 * entries + UNIT - 1) & ~(UNIT - 1);
    if (*size > available)
        return 0;
    if (!write) {
        u32 flags = (u32)inline8, place = (u32)(inline8 >> 32);
        if ((flags & 3) || place >> 24 || flags >> 8 != q->cq.id || (place & 0xfffc00) != (q->id & 0xfffc00)
                || (flags & 0x70))
            return 0;
        *wanted = !(flags & 0x80);
    }
    u32 offset = position + 8 + words * 4;
    u64 room = 0;
    at += 8 + words * 4;
    for (u32 i = 0; i < entries; i++) {
        if (!(offset & (PAGE - 1))) {
            at = ring_at(&q->ring, offset & (q->ring.bytes - 1));
            if (!at)
                return 0;
        }
        u64 address = load(at), rest = load(at + 8);
        u32 length = rest >> 32, key = (u32)rest;
        at += 16;
        offset += 16;
        if (!length)
            return 0;
        if (!(q->good_known && key == q->good_key)) {
            if (!allows(key, q->pd, write))
                return 0;
            q->good_key = key;
            q->good_known = 1;
        }
        u32 part = write && length > need ? need : length;
        if (!(piece->at = pointer(address, part, write)))
            return 0;
        piece->length = part;
        room += length;
    }
    return !write || room >= need;
}

static void tell(struct queue *q)
{
    struct alike *some = &q->placed;
    if (!some->count)
        return;
    u8 *entry = cq_begin(&q->cq);
    if (!entry)
        abort();
    store(entry, (some->count > 1 ? 0x42 : 0x41) | (u64)some->flags << 32);
    for (u32 k = 0; k < some->count; k++) {
        store4(entry + 8 + 12 * k, some->length[k]);
        store4(entry + 16 + 12 * k, some->hash[k]);
    }
    store4(entry + 0x38, some->position);
    cq_commit(&q->cq, entry, q->id, 0);
    some->count = 0;
}

static void receive(int from, int to)
{
    for (int i = from; i < to; i++) {
        u32 length = burst[i].length;
        u64 destination = big48(burst[i].at);
        if (destination != mac_of[1] && !(destination >> 40 & 1))
            continue;
        u32 type = burst[i].at[12] << 8 | burst[i].at[13], hash = 0, flags = 0;
        if (type == 0x8100)
            continue;
        struct queue *q = &receive_queues[0];
        if (hashing) {
            u8 head[128];
            memcpy(head, burst[i].at, length < 128 ? length : 128);
            if (type == 0x0800 && head[14] == 0x45 && (head[16] << 8 | head[17]) <= (int)length - 14
                    && !((head[20] << 8 | head[21]) & 0x3fff) && head[23] == 17 && length >= 42) {
                for (int k = 0; k < 12; k++)
                    hash ^= toeplitz[k][head[26 + k]];
                flags = 0x20 << 16;
                q = table[hash & (TABLE - 1)];
            }
        }
        if (q->ended)
            continue;
        u64 bit = 1ull << (q - receive_queues);
        if (!(touched & bit)) {
            touched |= bit;
            q->good_known = 0;
        }
        u32 available = q->known - q->consumed;
        if (!available) {
            q->known = acquire4(&q->doorbell);
            available = q->known - q->consumed;
            if (!available)
                continue;
        }
        if (available > q->ring.bytes || available & 31)
            abort();
        u32 position = q->consumed & (q->ring.bytes - 1), size;
        struct piece target;
        if (!request(q, position, available, 1, length, &size, &target, 0))
            abort();
        memcpy(target.at, burst[i].at, length);
        struct alike *some = &q->placed;
        if (some->count == 4 || some->flags != flags)
            tell(q);
        if (!some->count) {
            some->flags = flags;
            some->position = position;
        }
        some->length[some->count] = length;
        some->hash[some->count++] = hash;
        q->consumed += size;
        q->packets++;
        q->bytes += length;
        count(device[1], physical[1], destination, length);
    }
    for (; touched; touched &= touched - 1)
        tell(&receive_queues[__builtin_ctzll(touched)]);
}

/* the switch: address << 16 | place, four to a set */
static u64 stations[STATIONS];
static u32 heard[STATIONS];
static u64 last_source;
static u32 last_tick;
static u64 link_frames, link_bytes;

static u32 set_of(u64 address)
{
    return (u32)(address * 0x9e3779b97f4a7c15ull >> 40) % (STATIONS / 4) * 4;
}

static void learn(u64 address, u32 place, u32 tick)
{
    u32 set = set_of(address);
    for (u32 way = set; way < set + 4; way++)
        if (!stations[way] || stations[way] >> 16 == address) {
            stations[way] = address << 16 | place;
            heard[way] = tick;
            return;
        }
}

static int way_of(u8 *frame, u32 tick)
{
    u64 destination = big48(frame), source = (__builtin_bswap64(load(frame)) & 0xffff) << 32
            | __builtin_bswap32(load4(frame + 8));
    if (!(source >> 40 & 1) && source && (source != last_source || tick != last_tick)) {
        learn(source, 1, tick);
        last_source = source;
        last_tick = tick;
    }
    u32 set = set_of(destination);
    for (u32 way = set; way < set + 4; way++)
        if (stations[way] >> 16 == destination && stations[way])
            return tick - heard[way] > 300 ? -1 : (int)(stations[way] & 0xffff);
    return -1;
}

static void forward(void)
{
    u32 tick = now() / 1000000000ull;
    int start = 0, way = -1;
    for (int i = 0; i < burst_count; i++) {
        link_frames++;
        link_bytes += burst[i].length;
        int next = way_of(burst[i].at, tick);
        if (next != way) {
            if (i > start)
                receive(start, i);
            start = i;
            way = next;
        }
    }
    receive(start, burst_count);
}

static void flush(void)
{
    forward();
    for (int i = 0; i < done_count; i++) {
        struct queue *q = done[i].queue;
        u8 *entry = cq_begin(&q->cq);
        if (!entry)
            abort();
        store4(entry, 0x60);
        store4(entry + 8, done[i].unit << 5);
        cq_commit(&q->cq, entry, q->id, 1 << 24);
    }
    burst_count = done_count = 0;
}

/* where a piece of a request to come will be, unchecked: only to be asked for early */
static u8 *guess(struct queue *q, u32 position)
{
    u8 *ring = memory + (q->ring.pages[0] - BASE);
    u64 into = load(ring + (position & (q->ring.bytes - 1)) + 16) - BASE;
    return memory + into;
}

/*
 * Asks for the lines of the frames to come and of the buffers they go to while nothing waits for them: on threads apart
 * the other processor has them.
 */
static void look_ahead(struct queue *q)
{
    struct queue *to = &receive_queues[q - send_queues];
    u32 frames = (q->known - q->consumed) / UNIT, buffers = (acquire4(&to->doorbell) - to->consumed) / UNIT;
    for (u32 i = 0; i < MOST_BURST && i < frames; i++)
        __builtin_prefetch(guess(q, q->consumed + i * UNIT));
    for (u32 i = 0; i < MOST_BURST && i < frames && i < buffers; i++)
        __builtin_prefetch(guess(to, to->consumed + i * UNIT), 1);
}

static void work(u32 mtu)
{
    u64 open = __atomic_exchange_n(&ready, 0, __ATOMIC_ACQ_REL);
    for (; open; open &= open - 1) {
        struct queue *q = &send_queues[__builtin_ctzll(open)];
        q->good_known = 0;
        for (;;) {
            u32 available = q->known - q->consumed;
            if (!available) {
                q->known = acquire4(&q->doorbell);
                available = q->known - q->consumed;
                if (!available)
                    break;
            }
            if (available > q->ring.bytes || available & 31)
                abort();
            if (threads_apart && !burst_count)
                look_ahead(q);
            u32 position = q->consumed & (q->ring.bytes - 1), size;
            struct piece *piece = &burst[burst_count];
            int wanted;
            if (!request(q, position, available, 0, 0, &size, piece, &wanted) || piece->length < 14 || piece->length > mtu)
                abort();
            burst_count++;
            if (wanted)
                done[done_count++] = (struct done){q, position >> 5};
            q->consumed += size;
            q->packets++;
            q->bytes += piece->length;
            count(device[0], physical[0], big48(piece->at), piece->length);
            if (burst_count == MOST_BURST)
                flush();
        }
    }
    if (burst_count)
        flush();
}

/* ---- the driver */

/* with numbers of its own: the line with a queue's is the device's, which writes into it for each frame */
struct driver {
    u32 send_id, send_cq, receive_id;
    u64 tx_ring, tx_cq, tx_buffers, rx_ring, rx_cq, rx_buffers;
    u32 tx_produced, tx_completed, tx_index, rx_produced, rx_index, rx_next, idles;
    /* buffers that are free, the last is taken first; whose each place in the ring is */
    u32 idle[1024], used[1024];
    /* with pools: whose each place in the receive ring is, how many bytes of it were taken, and headers for packets to send */
    u32 posted[1024], rx_taken;
    u8 head[42];
};
static struct driver drivers[MOST_QUEUES] APART;
static u32 entries APART, stride_tx, stride_rx, rx_size, frame, gpa_key;
static u64 sequence APART;
static u64 received APART, sum;

/* ---- packets as numbers: two words each, and a stack of those that are free, the last is taken first */

enum { HEADROOM = 128 };
static const u64 SINGLE = 1ull << 48 | 1ull << 56;
struct words { u64 first, second; };
static struct words *words;
static u32 *spare, spares, pool_packets, stride_pool, with_pools;
static u64 pool;

static u64 packet_at(u32 packet) { return pool + (u64)packet * stride_pool; }

static u32 take_packet(void)
{
    if (!spares)
        abort();
    return spare[--spares];
}

static void release_packet(u32 packet)
{
    if ((words[packet].second & ~0ull << 48) != SINGLE || spares == pool_packets)
        abort();
    spare[spares++] = packet;
}

static void make_pool(u32 queues)
{
    for (u32 i = pool_packets; i--;)
        spare[spares++] = i;
    for (u32 i = 0; i < queues; i++)
        memcpy(drivers[i].head, raw(drivers[i].tx_buffers), sizeof drivers[i].head);
}

/* the words of a packet that came; then its receiver reads it by them, and releases it */
static void receive_packet(struct driver *d, u32 length)
{
    u32 packet = d->posted[d->rx_taken / UNIT & (entries - 1)];
    d->rx_taken += UNIT;
    words[packet] = (struct words){HEADROOM | (u64)length << 16, SINGLE};
    u64 first = words[packet].first;
    sum += load(raw(packet_at(packet)) + (first & 0xffff) + (first >> 16 & 0xffff) - 8);
    release_packet(packet);
}

static void refill(struct driver *d)
{
    for (; d->rx_produced - d->rx_taken < entries * UNIT; d->rx_produced += UNIT) {
        u32 packet = take_packet();
        d->posted[d->rx_produced / UNIT & (entries - 1)] = packet;
        // the other words of the request were written when the ring was made
        store(raw(d->rx_ring) + (d->rx_produced & (entries * UNIT - 1)) + 16, packet_at(packet) + HEADROOM);
    }
}

/* takes a packet and writes its words and headers */
static u64 fresh_packet(struct driver *d)
{
    u32 packet = take_packet();
    words[packet] = (struct words){HEADROOM | (u64)frame << 16, SINGLE};
    d->used[d->tx_produced / UNIT & (entries - 1)] = packet;
    u64 at = packet_at(packet) + HEADROOM;
    memcpy(raw(at), d->head, hashing ? 42 : 14);
    return at;
}

static u64 idle_buffer(struct driver *d)
{
    u32 into = d->idle[--d->idles];
    d->used[d->tx_produced / UNIT & (entries - 1)] = into;
    return d->tx_buffers + into;
}

static void post_receive(struct driver *d, u32 buffer)
{
    u8 *at = raw(d->rx_ring) + (d->rx_produced & (entries * UNIT - 1));
    store4(at, 0);
    store4(at + 4, 1 | 2 << 8);
    store(at + 16, d->rx_buffers + (u64)buffer * stride_rx);
    store4(at + 24, gpa_key);
    store4(at + 28, rx_size);
    d->rx_produced += UNIT;
}

static void post_send(struct driver *d, int wanted)
{
    u64 buffer = with_pools ? fresh_packet(d) : idle_buffer(d);
    store(raw(buffer) + frame - 8, sequence++);
    u8 *at = raw(d->tx_ring) + (d->tx_produced & (entries * UNIT - 1));
    store4(at, 0);
    store4(at + 4, 1 | 2 << 8);
    store4(at + 8, d->send_cq << 8 | (wanted ? 0 : 0x80));
    store4(at + 12, d->send_id & 0xfffc00);
    store(at + 16, buffer);
    store4(at + 24, gpa_key);
    store4(at + 28, frame);
    d->tx_produced += UNIT;
}

static u8 *next(u64 cq, u32 slots, u32 index)
{
    u8 *entry = raw(cq) + (u64)(index & (slots - 1)) * CQE;
    return acquire4(entry + 60) >> 29 == (index >> __builtin_ctz(slots) & 7) ? entry : 0;
}

/* takes what has arrived */
static u32 take_in(u32 i)
{
    struct driver *d = &drivers[i];
    struct queue *rx = &receive_queues[i];
    u32 got = 0;
    u8 *entry;
    while ((entry = next(d->rx_cq, 2 * entries, d->rx_index))) {
        u32 type = load4(entry) & 0x3f;
        if ((load4(entry + 60) & 0x1ffffff) != d->receive_id || (type != 1 && type != 2))
            abort();
        for (u32 k = 0; k < (type == 1 ? 1 : 4); k++) {
            u32 length = load4(entry + 8 + 12 * k) & 0xffff;
            if (!length)
                break;
            if (length > rx_size)
                abort();
            got++;
            if (with_pools) {
                receive_packet(d, length);
                continue;
            }
            sum += load(raw(d->rx_buffers) + (u64)d->rx_next * stride_rx + length - 8);
            post_receive(d, d->rx_next);
            d->rx_next = d->rx_next + 1 == entries ? 0 : d->rx_next + 1;
        }
        d->rx_index++;
    }
    if (got) {
        if (with_pools)
            refill(d);
        __atomic_store_n(&rx->doorbell, d->rx_produced, __ATOMIC_RELEASE);
        __atomic_store_n(&received, received + got, __ATOMIC_RELEASE);
    }
    return got;
}

/* takes what has completed, and posts a burst if there is room; not more than there are buffers to receive it */
static u32 send_on(u32 i, u32 many, int counted)
{
    struct driver *d = &drivers[i];
    struct queue *tx = &send_queues[i];
    u32 did = 0;
    u8 *entry;
    while ((entry = next(d->tx_cq, entries, d->tx_index))) {
        if ((load4(entry + 60) & 0x1ffffff) != (d->send_id | 1 << 24) || (load4(entry) & 0x3f) != 32)
            abort();
        u32 over = ((load4(entry + 8) >> 5) + 1 - d->tx_completed / UNIT) & (entries - 1);
        for (; over; over--, d->tx_completed += UNIT) {
            u32 sent = d->used[d->tx_completed / UNIT & (entries - 1)];
            if (with_pools)
                release_packet(sent);
            else
                d->idle[d->idles++] = sent;
        }
        d->tx_index++;
        did++;
    }
    if (d->tx_produced - d->tx_completed + many * UNIT <= entries * UNIT && many
            && (!counted || sequence - __atomic_load_n(&received, __ATOMIC_ACQUIRE) + many <= entries)) {
        for (u32 k = 0; k < many; k++)
            post_send(d, k + 1 == many);
        __atomic_store_n(&tx->doorbell, d->tx_produced, __ATOMIC_RELEASE);
        if (!(__atomic_fetch_or(&ready, 1ull << i, __ATOMIC_ACQ_REL) & 1ull << i))
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
        did++;
    }
    return did;
}

/* ---- the device on a thread of its own */

static sem_t begin_slice, end_slice;
static int over APART, takes_in APART;
static u32 queue_count;

static void *device_thread(void *unused)
{
    for (;;) {
        sem_wait(&begin_slice);
        for (u32 queue = 0; !__atomic_load_n(&over, __ATOMIC_ACQUIRE);) {
            work(9014);
            if (takes_in) {
                take_in(queue);
                queue = queue + 1 == queue_count ? 0 : queue + 1;
            }
        }
        sem_post(&end_slice);
    }
    return unused;
}

static void apart(u32 many, u64 end)
{
    u32 queue = 0, turns = 0;
    __atomic_store_n(&over, 0, __ATOMIC_RELEASE);
    sem_post(&begin_slice);
    do {
        if (!(++turns & 63) && now() >= end)
            many = 0;
        u32 did = takes_in ? 0 : take_in(queue);
        did += send_on(queue, many, 1);
        queue = queue + 1 == queue_count ? 0 : queue + 1;
        if (!did)
            __builtin_ia32_pause();
    } while (many || __atomic_load_n(&received, __ATOMIC_ACQUIRE) != sequence);
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    sem_wait(&end_slice);
}

/* a fixed key, and a port for each queue whose hash leads to it */
static u8 hash_key(int i) { return i * 37 + 11; }

static void make_toeplitz(void)
{
    for (int at = 0; at < 12; at++)
        for (int value = 0; value < 256; value++) {
            u32 hash = 0;
            for (int bit = 0; bit < 8; bit++)
                if (value & 0x80 >> bit) {
                    u64 window = 0;
                    for (int k = 0; k < 5; k++)
                        window = window << 8 | hash_key(at + k);
                    hash ^= (u32)(window >> (8 - bit));
                }
            toeplitz[at][value] = hash;
        }
}

static void make_frame(u8 *at, u32 queue, u32 queues)
{
    memset(at, 0, frame);
    for (int i = 0; i < 6; i++) {
        at[i] = mac_of[1] >> (40 - 8 * i);
        at[6 + i] = mac_of[0] >> (40 - 8 * i);
    }
    if (!hashing) {
        at[12] = 0x88;
        at[13] = 0xb5;
        return;
    }
    u32 total = frame - 14;
    u8 head[28] = {0x45, 0, total >> 8, total, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 0, 0, 9,
        (total - 20) >> 8, total - 20, 0, 0};
    at[12] = 8;
    memcpy(at + 14, head, 28);
    for (u32 port = 1024;; port++) {
        at[34] = port >> 8;
        at[35] = port;
        u32 hash = 0;
        for (int k = 0; k < 12; k++)
            hash ^= toeplitz[k][at[26 + k]];
        if ((hash & (TABLE - 1)) % queues == queue)
            return;
    }
}

static void make_queue(struct queue *q, u32 id, u64 ring, u32 bytes, u32 cq_id, u64 cq, u32 slots)
{
    ring_make(&q->ring, ring, bytes);
    ring_make(&q->cq.ring, cq, slots * CQE);
    q->id = id;
    q->pd = 17;
    q->cq.id = cq_id;
    q->cq.entries = slots;
    q->cq.shift = __builtin_ctz(slots);
    q->cq.produced = slots;
}

int main(int argc, char **argv)
{
    with_pools = argc == 7 && !strcmp(argv[6], "pools");
    if ((argc != 6 && !with_pools) || (with_pools && !strcmp(argv[5], "ends")))
        return 2;
    frame = atoi(argv[1]);
    u32 queues = atoi(argv[2]), many = atoi(argv[3]);
    hashing = atoi(argv[4]);
    int together = !strcmp(argv[5], "one");
    takes_in = !strcmp(argv[5], "ends");
    threads_apart = !together;
    queue_count = queues;
    entries = 1024 / queues < 128 ? 128 : 1024 / queues;
    rx_size = frame < 1514 ? 1514 : frame;
    stride_rx = (rx_size + 63) & ~63u;
    stride_tx = ((frame + 63) & ~63u) + 64;
    u64 bytes = (u64)queues * entries * (stride_rx + stride_tx + 2 * UNIT + 3 * CQE) + (u64)queues * 6 * PAGE;
    if (with_pools) {
        // an odd number of lines apart, so that first lines spread over all sets of a cache
        stride_pool = ((HEADROOM + rx_size + 63) / 64 | 1) * 64;
        pool_packets = 2 * queues * entries;
        bytes += (u64)pool_packets * stride_pool + PAGE;
        words = calloc(pool_packets, sizeof *words);
        spare = calloc(pool_packets, sizeof *spare);
        if (!words || !spare)
            return 1;
    }
    // driver and device each have a mapping of their own, as they have in different processes
    int file = memfd_create("equal-work", 0);
    if (file < 0 || ftruncate(file, bytes))
        return 1;
    memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    u8 *view = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED || view == MAP_FAILED)
        return 1;
    ranges[range_count++] = (struct range){BASE, BASE + bytes - 1, view, 1};
    gpa_key = 5 << 8 | 1;
    keys[5] = (struct key){gpa_key, 17, 1, 1};
    mac_of[0] = 0x000d3a000001ull;
    mac_of[1] = 0x000d3a000002ull;
    make_toeplitz();
    learn(mac_of[1], 2, now() / 1000000000ull);
    for (u32 i = 0; i < TABLE; i++)
        table[i] = &receive_queues[i % queues];
    for (u32 i = 0; i < queues; i++) {
        struct driver *d = &drivers[i];
        d->tx_ring = take(entries * UNIT);
        d->tx_cq = take(entries * CQE);
        d->tx_buffers = take((u64)entries * stride_tx);
        d->rx_ring = take(entries * UNIT);
        d->rx_cq = take(2 * entries * CQE);
        d->rx_buffers = take((u64)entries * stride_rx);
        make_queue(&send_queues[i], 16 + i, d->tx_ring, entries * UNIT, 16 + 2 * i, d->tx_cq, entries);
        make_queue(&receive_queues[i], 4096 + i, d->rx_ring, entries * UNIT, 17 + 2 * i, d->rx_cq, 2 * entries);
        d->send_id = 16 + i;
        d->send_cq = 16 + 2 * i;
        d->receive_id = 4096 + i;
        d->tx_index = entries;
        d->rx_index = 2 * entries;
        for (u32 k = entries; k--;)
            d->idle[d->idles++] = k * stride_tx;
        for (u32 k = 0; k < entries; k++) {
            make_frame(raw(d->tx_buffers) + (u64)k * stride_tx, i, queues);
            post_receive(d, k);
        }
        receive_queues[i].doorbell = d->rx_produced;
    }
    if (with_pools) {
        pool = take((u64)pool_packets * stride_pool);
        make_pool(queues);
        for (u32 i = 0; i < queues; i++) {
            drivers[i].rx_produced = 0;
            refill(&drivers[i]);
        }
    }
    pthread_t device;
    sem_init(&begin_slice, 0, 0);
    sem_init(&end_slice, 0, 0);
    if (!together && pthread_create(&device, 0, device_thread, 0))
        return 1;
    clockid_t clock = together ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    char line[64];
    u32 queue = 0;
    while (fgets(line, sizeof line, stdin)) {
        u64 before = received, begin = clock_of(clock);
        u64 end = now() + strtoull(line, 0, 10) * 1000000ull;
        if (together) {
            do {
                for (int k = 0; k < 64; k++) {
                    take_in(queue);
                    send_on(queue, many, 0);
                    queue = queue + 1 == queues ? 0 : queue + 1;
                    work(9014);
                }
            } while (now() < end);
            for (u32 k = 0; k < 2 * queues; k++) {
                take_in(k % queues);
                send_on(k % queues, 0, 0);
            }
        } else {
            apart(many, end);
        }
        u64 took = clock_of(clock) - begin;
        if (received != sequence || sum != sequence * (sequence - 1) / 2)
            abort();
        // what is not posted to be received is at home: none was lost, none released twice
        if (with_pools && spares != pool_packets - queues * entries)
            abort();
        printf("%llu %llu\n", (unsigned long long)(received - before), (unsigned long long)took);
        fflush(stdout);
    }
    return 0;
}
