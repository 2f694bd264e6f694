package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/**
 * Packets as numbers: the upper 8 bits of a number are the pool, the others the packet's index in it. A packet is a
 * part of one block, which is registered with a device as a whole, and two words of a table of its own, which no device
 * reaches. <b>A word is written and read whole</b>: a processor that has to gather a word from narrower stores waits
 * for them.
 *
 * <p>A packet has one owner at any time, who alone touches its words. Threads that {@link #enter} keep some packets
 * that are free to themselves, the ones in their caches first; the others come from what all share.
 */
public final class PacketPool implements AutoCloseable {
    /** How many pools there may be. */
    public static final int MOST_POOLS = 256;
    /** How many packets a pool may have. */
    public static final int MOST_PACKETS = 1 << 24;
    /** Bytes in front of the data of a packet that has just been taken. */
    public static final int HEADROOM = 128;
    /** A second word with one segment and one reference, and nothing else. */
    public static final long SINGLE = 1L << 48 | 1L << 56;

    /** How long the data of a packet can be. */
    static final int MOST_LENGTH = 0xffff;
    static final int INDEX_BITS = 24;
    /** An offset that no data in a packet have: they are in a buffer that it is attached to. */
    private static final int ELSEWHERE = 0xffff;
    /** In the second word: an external buffer is let go with the packet. */
    private static final long ATTACHED = 1L << 55;
    /** In the second table, behind the next segment: which external buffer, and where in it. */
    private static final int BUFFER = 4;
    private static final int BUFFER_PLACE = 8;
    /** In place of an external buffer: the packet is a clone, of one whose bytes it has. */
    private static final int CLONE = -1;
    private static final int MOST_REFERENCES = 0xff;
    private static final long REFERENCE = 1L << 56;
    private static final int INDEX = MOST_PACKETS - 1;
    private static final int CACHE_LINE = 64;
    private static final int WORDS = 16;
    private static final int RARE = 16;
    private static final int MOST_HEADER = 0xffff;

    private static final PacketPool[] POOLS = new PacketPool[MOST_POOLS];
    private static final ThreadLocal<PacketCache[]> CACHES = new ThreadLocal<>();

    private final int number;
    private final String name;
    private final MemoryBlock block;
    private final MemoryBlock words;
    private final int count;
    private final int mask;
    private final int stride;
    private final int room;
    private final int cacheSize;
    private final long base;
    private final long table;
    private final long rare;
    private final FreePackets free;
    private final PacketOwners owners;
    private final AtomicBoolean closed = new AtomicBoolean();

    PacketPool(int number, PacketPlan plan, MemoryBlock block, MemoryBlock words) {
        this.number = number;
        this.name = plan.name();
        this.block = block;
        this.words = words;
        count = plan.packets();
        mask = slots(count) - 1;
        stride = stride(plan.room());
        room = plan.room();
        cacheSize = plan.cache();
        base = block.segment().address();
        table = words.segment().address();
        rare = table + (long) WORDS * (mask + 1);
        free = new FreePackets(number << INDEX_BITS, count, this::home);
        owners = plan.checked() ? new PacketOwners(this) : null;
        free.tell(owners);
    }

    /**
     * Bytes from a packet to the next: an odd number of cache lines, so that first lines spread over all sets of a
     * cache.
     */
    static int stride(int room) {
        return (HEADROOM + room + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE | CACHE_LINE;
    }

    /** Bytes of the block, up to where the last index that a number can say would be. */
    static long blockBytes(PacketPlan plan) {
        return (long) slots(plan.packets()) * stride(plan.room());
    }

    static long wordBytes(PacketPlan plan) {
        return (long) slots(plan.packets()) * (WORDS + RARE);
    }

    /**
     * Has the kernel give packets their pages, which takes longer than the packet that would be the first to touch one
     * may wait.
     *
     * @param most bytes of them; packets beyond have their pages as they are used
     */
    void populate(long most) {
        long bytes = Math.min(most, (long) count * stride);
        // what the kernel does not give now is asked for again by the packet that needs it
        if (RawMemory.writable(base, bytes)) {
            RawMemory.writable(table, bytes / stride * WORDS);
        }
    }

    /** A power of two, so that whatever index a number has is one of the pool's memory. */
    private static int slots(int packets) {
        return Integer.highestOneBit(packets * 2 - 1);
    }

    /** Takes the place of a pool that has gone. */
    static int publish(IntFunction<PacketPool> maker) {
        synchronized (POOLS) {
            for (int i = 0; i < POOLS.length; i++) {
                if (POOLS[i] == null) {
                    POOLS[i] = maker.apply(i);
                    return i;
                }
            }
            return -1;
        }
    }

    /** The pool of a packet; {@code null} if its pool has gone. */
    public static PacketPool of(int packet) {
        return POOLS[packet >>> INDEX_BITS];
    }

    /** The number of a packet's pool, whether there is one or not. */
    public static int poolOf(int packet) {
        return packet >>> INDEX_BITS;
    }

    /** The pool of a number; {@code null} if there is none. */
    public static PacketPool numbered(int number) {
        return number < 0 || number >= MOST_POOLS ? null : POOLS[number];
    }

    /** From now on this thread keeps free packets to itself. */
    public static void enter() {
        if (CACHES.get() == null) {
            CACHES.set(new PacketCache[MOST_POOLS]);
        }
    }

    /** This thread gives back what it keeps. */
    public static void leave() {
        PacketCache[] caches = CACHES.get();
        CACHES.remove();
        if (caches != null) {
            for (PacketCache cache : caches) {
                if (cache != null) {
                    cache.flush();
                }
            }
        }
    }

    /** Until {@link #pause} this thread has what a keep has; it has entered no other way. */
    public static void resume(PacketKeep keep) {
        CACHES.set(keep.caches());
    }

    /** This thread keeps nothing any more; what it had stays in its keep. */
    public static void pause() {
        // an entry that is removed would be made anew for the next turn
        CACHES.set(null);
    }

    public int number() {
        return number;
    }

    public String name() {
        return name;
    }

    /** What its packets lie in, to be registered. */
    public MemoryBlock block() {
        return block;
    }

    /** How many packets it has. */
    public int packets() {
        return count;
    }

    /** Bytes of a packet behind the headroom. */
    public int room() {
        return room;
    }

    /** How many packets a thread keeps to itself at most. */
    public int cacheSize() {
        return cacheSize;
    }

    /** Who has its packets, if it is checked; {@code null} otherwise. */
    public PacketOwners owners() {
        return owners;
    }

    /** How many packets all threads share at the moment. */
    public int shared() {
        return free.size();
    }

    /** How many packets are free. */
    public int available() {
        return free.size() + free.kept();
    }

    // ---- the words of a packet

    /** Offset of its data (16 bits), their length (16), {@link PacketFlags} (32). */
    public long first(int packet) {
        return RawMemory.getSealed64(table + (long) (packet & mask) * WORDS);
    }

    public void first(int packet, long word) {
        RawMemory.put64(table + (long) (packet & mask) * WORDS, word);
    }

    /**
     * The hash (32 bits), the tag (16), how many segments (7), whether it is attached (1), how many references (8).
     */
    public long second(int packet) {
        return RawMemory.getSealed64(table + (long) (packet & mask) * WORDS + 8);
    }

    public void second(int packet, long word) {
        RawMemory.put64(table + (long) (packet & mask) * WORDS + 8, word);
    }

    /** The next segment of a packet of several. */
    public int next(int packet) {
        return RawMemory.get32(rare + (long) (packet & mask) * RARE);
    }

    public void next(int packet, int segment) {
        RawMemory.put32(rare + (long) (packet & mask) * RARE, segment);
    }

    /** A first word. */
    public static long first(int offset, int length, int flags) {
        return offset & MOST_HEADER | (length & 0xffffL) << 16 | (long) flags << 32;
    }

    public static int offset(long first) {
        return (int) first & 0xffff;
    }

    public static int length(long first) {
        return (int) first >>> 16;
    }

    public static int flags(long first) {
        return (int) (first >>> 32);
    }

    /** A second word of one segment and one reference. */
    public static long second(int hash, int tag) {
        return hash & 0xffff_ffffL | (tag & 0xffffL) << 32 | SINGLE;
    }

    public static int hash(long second) {
        return (int) second;
    }

    public static int tag(long second) {
        return (int) (second >>> 32) & 0xffff;
    }

    public static int segments(long second) {
        return (int) (second >>> 48) & 0x7f;
    }

    public static int references(long second) {
        return (int) (second >>> 56) & 0xff;
    }

    /** Where the packet is in the block, headroom first. */
    public long place(int packet) {
        return (long) (packet & mask) * stride;
    }

    /** Where the data of a packet are. */
    public long data(int packet) {
        int offset = offset(first(packet));
        return offset == ELSEWHERE ? elsewhere(packet) : base + place(packet) + offset;
    }

    // ---- packets whose data are elsewhere

    /**
     * Has the data of a packet be a part of an external buffer, which has a user more until the packet is released, or
     * has been sent. The packet is one of a single segment, or a later segment of others. It is sent by queues that
     * send segments, if it asks for no checksum of TCP or UDP, and is not {@link #give given} back but
     * {@link #release released}.
     *
     * @throws Refusal {@code EINVAL} for what is not in the buffer, {@code EBADF} if that has been closed
     */
    public void attach(int packet, ExternalBuffer buffer, long from, int length) {
        buffer.use(from, length);
        long at = rare + (long) (packet & mask) * RARE;
        RawMemory.put32(at + BUFFER, buffer.number());
        RawMemory.put64(at + BUFFER_PLACE, from);
        first(packet, first(ELSEWHERE, length, 0));
        second(packet, SINGLE | ATTACHED);
    }

    /** Whether the first word of a packet says that its data are elsewhere. */
    public static boolean isElsewhere(long first) {
        return offset(first) == ELSEWHERE;
    }

    /** What a packet is attached to; {@code null} if it is not. */
    public ExternalBuffer attached(int packet) {
        return (second(packet) & ATTACHED) == 0 ? null
                : ExternalBuffer.numbered(RawMemory.get32(rare + (long) (packet & mask) * RARE + BUFFER));
    }

    /** Where the data of a packet begin in what it is attached to. */
    public long attachedAt(int packet) {
        return RawMemory.getSealed64(rare + (long) (packet & mask) * RARE + BUFFER_PLACE);
    }

    private long elsewhere(int packet) {
        int source = source(packet);
        PacketPool its = source == -1 ? null : of(source);
        if (its != null) {
            return its.base + its.place(source) + sourceAt(packet);
        }
        ExternalBuffer buffer = attached(packet);
        if (buffer == null) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x is attached to nothing: its words were written after that."
                    .formatted(packet));
        }
        return buffer.address(attachedAt(packet));
    }

    private void detach(int packet) {
        ExternalBuffer buffer = attached(packet);
        int source = source(packet);
        clear(packet);
        if (buffer != null) {
            buffer.release();
        } else if (source != -1 && of(source) != null) {
            of(source).letGo(source);
        }
    }

    /** The packet whose bytes a clone has; -1 for what is no clone. */
    public int source(int packet) {
        long at = rare(packet);
        return (second(packet) & ATTACHED) == 0 || RawMemory.get32(at + BUFFER) != CLONE ? -1
                : RawMemory.get32(at + BUFFER_PLACE);
    }

    /** Where the data of a clone begin in the packet whose bytes they are, counted as offsets are. */
    public int sourceAt(int packet) {
        return RawMemory.get32(rare(packet) + BUFFER_PLACE + Integer.BYTES);
    }

    /** Whether some packet has bytes of this one: its own, those of another, or of an external buffer. */
    static boolean isShared(long second) {
        return (second & ATTACHED) != 0 || references(second) > 1;
    }

    private long rare(int packet) {
        return rare + (long) (packet & mask) * RARE;
    }

    /**
     * Has a packet that has just been taken have the bytes of another, of any pool.
     *
     * @throws Refusal {@code EOVERFLOW} if too many have them already
     */
    void share(int packet, PacketPool its, int other) {
        long word = its.first(other);
        long second = its.second(other);
        int source = other;
        int buffer = CLONE;
        long place = (long) offset(word) << 32;
        if ((second & ATTACHED) != 0) {
            buffer = RawMemory.get32(its.rare(other) + BUFFER);
            place = its.attachedAt(other);
            source = (int) place;
        }
        ExternalBuffer external = ExternalBuffer.numbered(buffer);
        PacketPool pool = buffer == CLONE ? of(source) : null;
        if (pool != null) {
            pool.refer(source);
            place = place & -1L << 32 | source & 0xffff_ffffL;
        } else if (external != null) {
            external.share();
        } else {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x is not cloned: it is attached to nothing, as its words were "
                    .formatted(other) + "written after that.");
        }
        RawMemory.put32(rare(packet) + BUFFER, buffer);
        RawMemory.put64(rare(packet) + BUFFER_PLACE, place);
        first(packet, first(ELSEWHERE, length(word), flags(word)));
        second(packet, second & 0xffff_ffff_ffffL | SINGLE | ATTACHED);
    }

    /** The data of a packet that are elsewhere begin later, and are fewer. */
    void skipElsewhere(int packet, int bytes) {
        long at = rare(packet) + BUFFER_PLACE;
        RawMemory.put64(at, RawMemory.get64(at) + (source(packet) == -1 ? bytes : (long) bytes << 32));
    }

    /** Others may let go of it meanwhile, so its word is not simply written. */
    void segments(int packet, int segments) {
        long at = table + (long) (packet & mask) * WORDS + 8;
        long word = RawMemory.getSealed64(at);
        while (!RawMemory.replaceSealed64(at, word, word & ~(0x7fL << 48) | (long) segments << 48)) {
            word = RawMemory.getSealed64(at);
        }
    }

    private void refer(int packet) {
        long at = table + (long) (packet & mask) * WORDS + 8;
        long word;
        do {
            word = RawMemory.getSealed64(at);
            if (references(word) == MOST_REFERENCES) {
                throw new Refusal(Errno.EOVERFLOW, "Packet 0x%08x has %d users already; copy it instead."
                        .formatted(packet, MOST_REFERENCES));
            }
        } while (!RawMemory.replaceSealed64(at, word, word + REFERENCE));
    }

    /** One user less, who may be any thread's. The last has it go home. */
    private void letGo(int packet) {
        long at = table + (long) (packet & mask) * WORDS + 8;
        long word;
        do {
            word = RawMemory.getSealed64(at);
            if (references(word) > 1 && owners != null) {
                owners.letGo(packet);
            }
        } while (!RawMemory.replaceSealed64(at, word, references(word) == 0 ? word : word - REFERENCE));
        if (references(word) <= 1) {
            if ((word & ATTACHED) != 0) {
                detach(packet);
            }
            free.give(packet);
        }
    }

    // ---- taking and giving back

    /**
     * Takes packets, whose words hold anything. All of them or none.
     *
     * @return whether there were so many
     */
    public boolean take(int[] packets, int from, int wanted) {
        PacketCache cache = cache();
        return cache == null ? free.take(packets, from, wanted) : cache.take(packets, from, wanted);
    }

    /** Gives packets of this pool back, each of one segment, attached to nothing and with no other reference. */
    public void give(int[] packets, int from, int amount) {
        PacketCache cache = cache();
        if (cache == null) {
            free.give(packets, from, amount);
        } else {
            cache.give(packets, from, amount);
        }
    }

    /** Takes a packet that is empty, its data behind the headroom; -1 if there is none. Not for data paths. */
    public int allocate() {
        int[] one = new int[1];
        if (!take(one, 0, 1)) {
            return -1;
        }
        clear(one[0]);
        return one[0];
    }

    /** Has a packet be empty, with one segment and one reference. */
    public void clear(int packet) {
        first(packet, HEADROOM);
        second(packet, SINGLE);
    }

    /**
     * Gives packets of any pools back, with all their segments, unless others refer to them.
     *
     * @throws Refusal {@code EINVAL} if some are of no pool; the others are back then
     */
    public static void release(int[] packets, int from, int count) {
        int lost = tryRelease(packets, from, count);
        if (lost > 0) {
            throw new Refusal(Errno.EINVAL, lost + " of " + count + " packets are of no pool, or have segments of none,"
                    + " and cannot be given back: their pools have gone, or these are no numbers of packets. The "
                    + "others are back. With pools that are made with checks, a queue tells which packets are wrong.");
        }
    }

    /** The same for what acts for others: returns how many are of no pool, or have segments of none. */
    public static int tryRelease(int[] packets, int from, int count) {
        int end = from + count;
        int begin = from;
        int lost = 0;
        while (begin < end) {
            PacketPool pool = of(packets[begin]);
            if (pool == null) {
                lost++;
                begin++;
                continue;
            }
            int at = begin;
            while (at < end && packets[at] >>> INDEX_BITS == pool.number && (pool.second(packets[at]) & -1L << 48)
                    == SINGLE) {
                at++;
            }
            if (at > begin) {
                pool.give(packets, begin, at - begin);
                begin = at;
            } else {
                lost += pool.releaseChain(packets[begin]) ? 0 : 1;
                begin++;
            }
        }
        return lost;
    }

    /** False if it has a segment of no pool, behind which no others are found. */
    boolean releaseChain(int packet) {
        int segment = packet;
        PacketPool pool = this;
        for (int left = Math.max(1, segments(second(packet))); left > 0; left--) {
            if (pool == null) {
                return false;
            }
            int following = pool.next(segment);
            pool.letGo(segment);
            segment = following;
            pool = left > 1 ? of(segment) : pool;
        }
        return true;
    }

    private PacketCache cache() {
        PacketCache[] caches = CACHES.get();
        if (caches == null) {
            return null;
        }
        PacketCache cache = caches[number];
        if (cache == null || !cache.isOf(free)) {
            if (owners != null) {
                // each packet that is taken or given back is looked at
                return null;
            }
            cache = new PacketCache(free, cacheSize);
            caches[number] = cache;
        }
        return cache;
    }

    /**
     * No packet is taken any more; its memory and number go when the last packet is back. A second time does nothing.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            if (owners != null) {
                owners.closed();
            }
            free.close();
        }
    }

    private void home() {
        synchronized (POOLS) {
            POOLS[number] = null;
        }
        block.close();
        words.close();
    }

    @Override
    public String toString() {
        return name + " (pool " + number + ")";
    }
}
