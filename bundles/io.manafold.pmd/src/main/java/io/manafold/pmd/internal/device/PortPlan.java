package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import java.util.Arrays;

/** How a port is to be, queue by queue, within the limits of its device. */
final class PortPlan {
    static final int LEAST_DESCRIPTORS = 64;
    static final int ALIGNMENT = 64;
    static final int PREFERRED = 256;
    static final int LEAST_ROOM = 1024;
    static final int KEY_BYTES = 40;
    static final int TABLE = 64;
    private static final int[] DEFAULT_KEY = {0x2c, 0xc6, 0x81, 0xd1, 0x5b, 0xdb, 0xf4, 0xf7, 0xfc, 0xa2, 0x83, 0x19,
            0xdb, 0x1a,
        0x3e, 0x94, 0x6b, 0x9e, 0x38, 0xd9, 0x2c, 0x9c, 0x03, 0xd1, 0xad, 0x99, 0x44, 0xa7, 0xd9, 0x56, 0x3d, 0x59,
        0x06, 0x3c, 0x25, 0xf3, 0xfc, 0x1f, 0xdc, 0x2a};

    /** To the first queue. */
    private static final RssHash UNHASHED = new RssHash(new byte[0], 0);

    private final String name;
    private final int mostDescriptors;
    private final EthDevPlan plan;
    private final int[] sendDescriptors;
    private final int[] receiveDescriptors;
    private final PacketPool[] pools;
    private int[] table;
    private RssHash hash;

    /** @throws Refusal {@code EINVAL} for what cannot be */
    PortPlan(String name, EthDevPlan plan, int mostQueues, int mostDescriptors, long receiveOffloads,
            long sendOffloads) {
        this.name = name;
        this.mostDescriptors = mostDescriptors;
        int queues = plan.receiveQueues();
        if (queues != plan.sendQueues() || Integer.bitCount(queues) != 1 || queues > mostQueues || queues < 1) {
            throw wrong("cannot have " + queues + " receive and " + plan.sendQueues()
                    + " send queues; both are the same power of two, at most "
                    + Integer.highestOneBit(mostQueues) + ".");
        }
        offloads("receive", plan.receiveOffloads(), receiveOffloads);
        offloads("send", plan.sendOffloads(), sendOffloads);
        this.plan = withHash(plan, receiveOffloads);
        sendDescriptors = new int[queues];
        receiveDescriptors = new int[queues];
        pools = new PacketPool[queues];
        table = even();
        hash = plan.rss() == null ? UNHASHED : plan.rss();
        check(hash);
    }

    private void offloads(String side, long wanted, long has) {
        if ((wanted & ~has) != 0) {
            throw wrong("has no %s offloads 0x%x: 0x%x were asked for, and it has 0x%x.".formatted(side, wanted & ~has,
                    wanted, has));
        }
    }

    /** An application that has packets spread by their hash is told it, as the real driver does. */
    private static EthDevPlan withHash(EthDevPlan plan, long has) {
        boolean isSpread = plan.receiveQueues() > 1 && plan.rss() != null && plan.rss().fields() != 0;
        return isSpread ? plan.withOffloads(plan.receiveOffloads() | has & Offload.RECEIVE_RSS_HASH,
                plan.sendOffloads()) : plan;
    }

    private int[] even() {
        int[] even = new int[TABLE];
        for (int i = 0; i < TABLE; i++) {
            even[i] = i & plan.receiveQueues() - 1;
        }
        return even;
    }

    EthDevPlan plan() {
        return plan;
    }

    void setUpSend(int queue, int descriptors) {
        sendDescriptors[known(queue)] = descriptors(descriptors);
    }

    void setUpReceive(int queue, int descriptors, int pool) {
        int at = known(queue);
        PacketPool packets = PacketPool.numbered(pool);
        if (packets == null) {
            throw wrong("cannot have packets of pool " + pool + ", which is not there.");
        }
        if (packets.room() < LEAST_ROOM) {
            throw wrong("needs packets with room for " + LEAST_ROOM + " bytes at least, and those of " + packets
                    + " have " + packets.room() + ".");
        }
        receiveDescriptors[at] = descriptors(descriptors);
        pools[at] = packets;
    }

    private int known(int queue) {
        if (queue < 0 || queue >= pools.length) {
            throw wrong("has the queues 0 to " + (pools.length - 1) + ", not " + queue + ".");
        }
        return queue;
    }

    private int descriptors(int wanted) {
        int number = wanted == 0 ? Math.min(PREFERRED, mostDescriptors) : wanted;
        if (number < LEAST_DESCRIPTORS || number > mostDescriptors || number % ALIGNMENT != 0) {
            throw wrong("cannot have queues of " + number + " descriptors: from " + LEAST_DESCRIPTORS + " to "
                    + mostDescriptors + ", multiples of " + ALIGNMENT + ".");
        }
        return number;
    }

    /** @throws Refusal {@code EINVAL} if a queue is not set up */
    void checkComplete() {
        for (int i = 0; i < pools.length; i++) {
            if (sendDescriptors[i] == 0 || receiveDescriptors[i] == 0) {
                throw wrong("is not started: its queue " + i + " is not set up in both directions.");
            }
        }
    }

    int sendDescriptors(int queue) {
        return sendDescriptors[queue];
    }

    int receiveDescriptors(int queue) {
        return receiveDescriptors[queue];
    }

    PacketPool pool(int queue) {
        return pools[queue];
    }

    /** The device hashes all fields that it can, or none. */
    boolean isSpread() {
        return pools.length > 1 && hash.fields() != 0;
    }

    int[] table() {
        return table.clone();
    }

    void table(int[] wanted) {
        checkTable(wanted);
        table = wanted.clone();
    }

    void checkTable(int[] wanted) {
        if (wanted.length != TABLE) {
            throw wrong("has a table of " + TABLE + " entries, not " + wanted.length + ".");
        }
        Arrays.stream(wanted).forEach(this::known);
    }

    /** With the key that is in use, also where none was given. */
    RssHash hash() {
        return new RssHash(key(), hash.fields());
    }

    void hash(RssHash wanted) {
        check(wanted);
        hash = wanted;
    }

    void check(RssHash wanted) {
        int bytes = wanted.key().length;
        if (bytes != 0 && bytes != KEY_BYTES) {
            throw wrong("hashes with keys of " + KEY_BYTES + " bytes, not " + bytes + ".");
        }
        if ((wanted.fields() & ~RssHash.ALL) != 0) {
            throw wrong("hashes the fields 0x%x, not 0x%x.".formatted(RssHash.ALL, wanted.fields() & ~RssHash.ALL));
        }
    }

    byte[] key() {
        byte[] key = hash.key();
        if (key.length == 0) {
            key = new byte[KEY_BYTES];
            for (int i = 0; i < KEY_BYTES; i++) {
                key[i] = (byte) DEFAULT_KEY[i];
            }
        }
        return key;
    }

    private Refusal wrong(String rest) {
        return new Refusal(Errno.EINVAL, name + " " + rest);
    }
}
