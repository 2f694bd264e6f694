package io.manafold.memory;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/**
 * What is done to packets of any pools, of one segment or several, by their numbers. The thread that does it owns the
 * packet. Nothing is allocated but for a refusal, after which all is as it was.
 */
public final class Packets {
    /** How many segments a packet can have. */
    public static final int MOST_SEGMENTS = 0x7f;

    /** What a thread clones a packet into, segment by segment. */
    private static final ThreadLocal<int[]> CLONES = ThreadLocal.withInitial(() -> new int[MOST_SEGMENTS]);

    private Packets() {
    }

    // ---- looking

    /** Bytes of all its segments. */
    public static int length(int packet) {
        PacketPool pool = pool(packet, "is not measured");
        int segment = packet;
        int sum = PacketPool.length(pool.first(segment));
        for (int left = count(pool, packet); left > 1; left--) {
            segment = pool.next(segment);
            pool = pool(segment, "is not measured, as a segment of a packet");
            sum += PacketPool.length(pool.first(segment));
        }
        return sum;
    }

    /** The last of its segments, which may be itself. */
    public static int last(int packet) {
        PacketPool pool = pool(packet, "has no last segment");
        int segment = packet;
        for (int left = count(pool, packet); left > 1; left--) {
            segment = pool.next(segment);
            pool = pool(segment, "is not found, as a segment of a packet");
        }
        return segment;
    }

    /** Bytes in front of its data that are its own; 0 if its bytes are not its own. */
    public static int headroom(int packet) {
        PacketPool pool = pool(packet, "has no headroom");
        return PacketPool.isShared(pool.second(packet)) ? 0 : PacketPool.offset(pool.first(packet));
    }

    /** Bytes behind the data of its last segment that are its own; 0 if the bytes of that are not its own. */
    public static int tailroom(int packet) {
        int last = last(packet);
        PacketPool pool = pool(last, "has no tailroom");
        return PacketPool.isShared(pool.second(last)) ? 0 : PacketPool.HEADROOM + pool.room() - end(pool.first(last));
    }

    private static int end(long word) {
        return PacketPool.offset(word) + PacketPool.length(word);
    }

    // ---- at its ends

    /**
     * Has its data begin earlier.
     *
     * @return where they begin now
     * @throws Refusal {@code ENOSPC} if there is less headroom, {@code EBUSY} if its bytes are not its own,
     *     {@code EINVAL} for what is no packet or no number of bytes
     */
    public static long prepend(int packet, int bytes) {
        PacketPool pool = own(packet, bytes, "gets no bytes in front of its data");
        long word = pool.first(packet);
        int offset = PacketPool.offset(word);
        if (bytes > offset) {
            throw full(packet, "gets no %d bytes in front of its data: it has a headroom of %d. Chain it behind a "
                    + "packet with them.", bytes, offset);
        }
        pool.first(packet, PacketPool.first(offset - bytes, PacketPool.length(word) + bytes, PacketPool.flags(word)));
        return pool.data(packet);
    }

    /**
     * Has the data of its last segment end later.
     *
     * @return where the bytes are that have come in
     * @throws Refusal {@code ENOSPC} if there is less tailroom, and as {@link #prepend}
     */
    public static long append(int packet, int bytes) {
        pool(packet, "gets no bytes behind its data");
        int last = last(packet);
        PacketPool pool = own(last, bytes, "gets no bytes behind its data");
        long word = pool.first(last);
        int room = PacketPool.HEADROOM + pool.room() - end(word);
        if (bytes > room) {
            throw full(packet, "gets no %d bytes behind its data: its last segment has a tailroom of %d. Chain another "
                    + "packet with them behind it.", bytes, room);
        }
        pool.first(last, PacketPool.first(PacketPool.offset(word), PacketPool.length(word) + bytes,
                PacketPool.flags(word)));
        return pool.data(last) + PacketPool.length(word);
    }

    /**
     * Has the data of its first segment begin later, also if others have those bytes.
     *
     * @return where they begin now
     * @throws Refusal {@code EINVAL} if that segment has fewer bytes, and for what is no packet
     */
    public static long dropFront(int packet, int bytes) {
        PacketPool pool = pool(packet, "loses no bytes");
        long word = pool.first(packet);
        int left = left(packet, word, bytes, "first");
        if (PacketPool.isElsewhere(word)) {
            pool.skipElsewhere(packet, bytes);
            pool.first(packet, PacketPool.first(PacketPool.offset(word), left, PacketPool.flags(word)));
        } else {
            pool.first(packet, PacketPool.first(PacketPool.offset(word) + bytes, left, PacketPool.flags(word)));
        }
        return pool.data(packet);
    }

    /**
     * Has the data of its last segment end earlier, also if others have those bytes.
     *
     * @throws Refusal {@code EINVAL} if that segment has fewer bytes, and for what is no packet
     */
    public static void dropBack(int packet, int bytes) {
        pool(packet, "loses no bytes");
        int last = last(packet);
        PacketPool pool = pool(last, "loses no bytes");
        long word = pool.first(last);
        pool.first(last, PacketPool.first(PacketPool.offset(word), left(packet, word, bytes, "last"),
                PacketPool.flags(word)));
    }

    private static int left(int packet, long word, int bytes, String which) {
        if (bytes < 0 || bytes > PacketPool.length(word)) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x loses no %d bytes: its %s segment has %d.".formatted(packet,
                    bytes, which, PacketPool.length(word)));
        }
        return PacketPool.length(word) - bytes;
    }

    // ---- several segments

    /**
     * Has all segments of a packet follow those of another, of which they are a part from then on.
     *
     * @throws Refusal {@code EOVERFLOW} if these are too many, {@code EINVAL} for what is no packet, and for the same
     *     twice
     */
    public static void chain(int packet, int behind) {
        PacketPool pool = pool(packet, "has no other chained behind it");
        PacketPool others = pool(behind, "is not chained behind another");
        int segments = count(pool, packet) + count(others, behind);
        if (isIn(packet, behind) || isIn(behind, packet)) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x is not chained behind 0x%08x: one is a segment of the other."
                    .formatted(behind, packet));
        }
        if (segments > MOST_SEGMENTS) {
            throw new Refusal(Errno.EOVERFLOW, "Packet 0x%08x gets no more segments: it would have %d, of %d at most."
                    .formatted(packet, segments, MOST_SEGMENTS));
        }
        int last = last(packet);
        pool(last, "has no other chained behind it").next(last, behind);
        pool.segments(packet, segments);
        others.segments(behind, 1);
    }

    private static boolean isIn(int packet, int wanted) {
        PacketPool pool = pool(packet, "is not chained");
        int segment = packet;
        for (int left = count(pool, packet); left > 1 && segment != wanted; left--) {
            segment = pool.next(segment);
            pool = pool(segment, "is not chained, as a segment of a packet");
        }
        return segment == wanted;
    }

    /**
     * Has all data of a packet in its first segment; the others go home.
     *
     * @throws Refusal {@code ENOSPC} if that has no room for them, {@code EBUSY} if its bytes are not its own, and
     *     {@code EINVAL} for what is no packet
     */
    public static void linearize(int packet) {
        PacketPool pool = pool(packet, "is not made one segment");
        int segments = count(pool, packet);
        if (segments == 1) {
            return;
        }
        own(packet, 0, "is not made one segment");
        long word = pool.first(packet);
        int more = length(packet) - PacketPool.length(word);
        int room = PacketPool.HEADROOM + pool.room() - end(word);
        if (more > room) {
            throw full(packet, "is not made one segment: the others have %d bytes, and its first one has room for %d.",
                    more, room);
        }
        int rest = pool.next(packet);
        gather(rest, segments - 1, pool.data(packet) + PacketPool.length(word));
        pool.first(packet, PacketPool.first(PacketPool.offset(word), PacketPool.length(word) + more,
                PacketPool.flags(word)));
        pool.segments(packet, 1);
        PacketPool others = PacketPool.of(rest);
        others.segments(rest, segments - 1);
        others.releaseChain(rest);
    }

    private static void gather(int first, int segments, long to) {
        int segment = first;
        long at = to;
        for (int left = segments; left > 0; left--) {
            PacketPool its = PacketPool.of(segment);
            int length = PacketPool.length(its.first(segment));
            if (length > 0) {
                RawMemory.copy(its.data(segment), at, length);
            }
            at += length;
            segment = left > 1 ? its.next(segment) : segment;
        }
    }

    /**
     * A packet with the same bytes, without a copy of them: they stay where they are until the packet and all of its
     * clones have been sent or released, in whatever order and by whatever threads. As long as there are clones,
     * neither those bytes nor the second word of the packet are written. A clone is sent by queues that send segments.
     * Neither it nor the packet is sent while it asks for a checksum of TCP or UDP, a part of which would be written.
     *
     * @param from whose packets its segments are
     * @return -1 if that has too few left
     * @throws Refusal {@code EOVERFLOW} if there are too many clones already, {@code EINVAL} for what is no packet
     */
    public static int clone(int packet, PacketPool from) {
        PacketPool pool = pool(packet, "is not cloned");
        int segments = count(pool, packet);
        last(packet);
        int[] made = CLONES.get();
        if (!from.take(made, 0, segments)) {
            return -1;
        }
        int segment = packet;
        int done = 0;
        try {
            for (; done < segments; done++) {
                from.share(made[done], pool, segment);
                segment = done < segments - 1 ? pool.next(segment) : segment;
                pool = PacketPool.of(segment);
            }
        } finally {
            if (done < segments) {
                PacketPool.tryRelease(made, 0, done);
                from.give(made, done, segments - done);
            }
        }
        for (int i = 1; i < segments; i++) {
            from.next(made[i - 1], made[i]);
        }
        from.segments(made[0], segments);
        return made[0];
    }

    // ---- what is none

    /** Its pool, of which it is one, and which is not known to be another's. */
    private static PacketPool pool(int packet, String what) {
        PacketPool pool = PacketPool.of(packet);
        if (pool == null || (packet & PacketPool.MOST_PACKETS - 1) >= pool.packets()) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x %s: it is of no pool. That has gone, or this is no number "
                    .formatted(packet, what) + "of a packet.");
        }
        if (pool.owners() != null) {
            pool.owners().checkOwn(packet, what);
        }
        return pool;
    }

    private static int count(PacketPool pool, int packet) {
        return Math.max(1, PacketPool.segments(pool.second(packet)));
    }

    private static PacketPool own(int packet, int bytes, String what) {
        PacketPool pool = pool(packet, what);
        if (bytes < 0) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x %s: %d is no number of them.".formatted(packet, what,
                    bytes));
        }
        if (PacketPool.isShared(pool.second(packet))) {
            throw new Refusal(Errno.EBUSY, "Packet 0x%08x %s: its bytes are those of other packets, too, or of memory "
                    .formatted(packet, what) + "of an application. Chain another packet to it, or copy it.");
        }
        return pool;
    }

    private static Refusal full(int packet, String rest, int wanted, int there) {
        return new Refusal(Errno.ENOSPC, ("Packet 0x%08x " + rest).formatted(packet, wanted, there));
    }
}
