package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.api.net.MacAddress;
import io.manafold.gdma.HashType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.message.Counter;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.Headers;
import io.manafold.packet.PauseFrame;
import io.manafold.packet.Toeplitz;
import java.util.function.LongSupplier;

/**
 * The receiving half of a port: which frames are for it, which queue takes each, what its completion says. A port takes
 * frames to its own address and to groups; a function has no command to ask for others. Checksums are vouched for if
 * the sending port computed them, and otherwise left to the driver. Belongs to the agent.
 */
final class Receiver {
    /** Frames that are told of together. */
    static final int BATCH = 64;
    private static final long GROUP = 1L << 40;
    /** As much of a frame as headers reach in practice; behind it a frame counts as one without transport. */
    private static final int HEAD = 128;
    private static final int TAG_END = Headers.ETHERNET + Headers.TAG;
    /**
     * The six bytes of an address among the first eight of a frame, as they lie in memory; the type of a tag likewise.
     */
    private static final long ADDRESS = 0xffff_ffff_ffffL;
    private static final int TAG_IN_MEMORY = Short.toUnsignedInt(Short.reverseBytes((short) EtherType.VLAN));

    private final long mac;
    private final long macInMemory;
    private final PortCounters counters;
    private final ReceiveQueue[] queues;
    private final PortPauses pauses;
    private final LongSupplier rate;
    private final LongSupplier nanoTime;
    private final Headers headers = new Headers();
    private final byte[] head = new byte[HEAD];

    private boolean enabled;
    private boolean spread;
    private int together = 1;
    private ReceiveQueue defaultQueue;
    private ReceiveQueue[] table = {};
    private Toeplitz toeplitz = new Toeplitz(new byte[Toeplitz.KEY]);

    private int flags;
    private int hash;

    /** Of the batch under way: queues with frames of it, and what is counted when it is over. */
    private long touched;
    private int foreign;
    private int disabled;
    private int dropped;
    private int missed;
    private int usual;
    private long usualBytes;
    private int unusual;
    private final long[] unusualDestination = new long[BATCH];
    private final int[] unusualLength = new int[BATCH];
    private final int[] unusualClass = new int[BATCH];

    /** @param rate of the link, bit/s */
    Receiver(MacAddress mac, ReceiveQueue[] queues, PortCounters counters, PortPauses pauses, LongSupplier rate,
            LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.pauses = pauses;
        this.rate = rate;
        this.mac = mac.value();
        this.macInMemory = Long.reverseBytes(this.mac << 16);
        this.queues = queues;
        this.counters = counters;
    }

    boolean isEnabled() {
        return enabled;
    }

    /** @param hashing what {@link Steering#key} makes, or {@code null} */
    void steer(Steering steering, Toeplitz hashing) {
        if (steering.enable() != null) {
            enabled = steering.enable();
        }
        spread = steering.spread();
        together = steering.together();
        if (steering.setDefault()) {
            defaultQueue = steering.defaultQueue();
        }
        if (hashing != null) {
            toeplitz = hashing;
        }
        if (steering.table() != null) {
            table = steering.table().clone();
        }
    }

    /** The port has left its link, which is not there any more to end a pause. */
    void unplugged() {
        pauses.forget(nanoTime.getAsLong());
    }

    /** The port knows how fast its link is; a pause may have been asked of it before. */
    void rated() {
        pauses.countAnew(rate.getAsLong(), nanoTime.getAsLong());
    }

    /** The next driver finds it as it was at first: nothing of this one's key shows in its hashes. */
    void close() {
        enabled = false;
        spread = false;
        together = 1;
        toeplitz = new Toeplitz(new byte[Toeplitz.KEY]);
        defaultQueue = null;
        table = new ReceiveQueue[0];
    }

    void forget(ReceiveQueue queue) {
        if (defaultQueue == queue) {
            defaultQueue = null;
        }
        for (int i = 0; i < table.length; i++) {
            if (table[i] == queue) {
                table[i] = null;
            }
        }
    }

    void receive(Frames frames, int from, int to) {
        for (int at = from; at < to; at += BATCH) {
            batch(frames, at, Math.min(to, at + BATCH));
        }
    }

    /**
     * Takes in a batch; frames that are in one piece, untagged, and for this station alone go the short way.
     *
     * <p>All of that stands in this one method because compilers take a method of such a size for itself: everything it
     * calls down to the single store is then inlined, however deep the stack above.
     */
    private void batch(Frames frames, int from, int to) {
        try {
            begin();
            int frame = from;
            while (frame < to) {
                int marks = frames.marks(frame);
                int end = frame;
                while (end < to && frames.marks(end) == marks && frames.length(end) >= TAG_END) {
                    if (end == frame || !frames.repeats(end)) {
                        long at = frames.whole(end);
                        if (at == 0 || (RawMemory.get64(at) & ADDRESS) != macInMemory
                                || RawMemory.get16(at + 12) == TAG_IN_MEMORY) {
                            break;
                        }
                    }
                    end++;
                }
                boolean alike = !spread && marks == 0;
                while (enabled && frame < end) {
                    flags = 0;
                    hash = 0;
                    ReceiveQueue queue = alike ? defaultQueue : look(frames, frame, false, frames.length(frame));
                    if (queue == null || queue.ended) {
                        break;
                    }
                    touch(queue);
                    long bytes = queue.placedBytes();
                    int many = alike ? end - frame : 1;
                    int placed = queue.placePlain(frames, frame, many, flags, hash);
                    frame += placed;
                    usual += placed;
                    usualBytes += queue.placedBytes() - bytes;
                    if (placed < many) {
                        break;
                    }
                }
                for (int rest = Math.min(end + 1, to); frame < rest; frame++) {
                    place(frames, frame);
                }
            }
            // before the driver is told that the frames are there
            if (frames.mayVanish() || mayVanish()) {
                RawMemory.settle();
            }
        } catch (InternalError gone) {
            rollBack();
            oneByOne(frames, from, to);
            return;
        }
        publish();
    }

    private boolean mayVanish() {
        for (long open = touched; open != 0; open &= open - 1) {
            if (queues[Long.numberOfTrailingZeros(open)].mayVanish()) {
                return true;
            }
        }
        return false;
    }

    private void touch(ReceiveQueue queue) {
        long bit = 1L << queue.slot;
        if ((touched & bit) == 0) {
            touched |= bit;
            queue.newBatch();
        }
    }

    /** Memory of some frame has vanished, or of a queue that takes them: that costs no other queue anything. */
    private void oneByOne(Frames frames, int from, int to) {
        for (int frame = from; frame < to; frame++) {
            try {
                begin();
                place(frames, frame);
                RawMemory.settle();
            } catch (InternalError gone) {
                rollBack();
                recover();
                continue;
            }
            publish();
        }
    }

    private void begin() {
        touched = 0;
        foreign = 0;
        disabled = 0;
        dropped = 0;
        missed = 0;
        usual = 0;
        usualBytes = 0;
        unusual = 0;
    }

    private void place(Frames frames, int frame) {
        int length = frames.length(frame);
        if (length < Headers.ETHERNET) {
            dropped++;
            return;
        }
        long at = frames.address(frame, 0);
        boolean split = frames.length(frame, 0) < Math.min(length, TAG_END);
        if (split) {
            copyHead(frames, frame);
        }
        long destination = split ? big48(head) : RawMemory.getBig64(at) >>> 16;
        if (destination != mac && (destination & GROUP) == 0) {
            foreign++;
            return;
        }
        if (destination == PauseFrame.DESTINATION) {
            // between the link and the port alone: one that another port made, after the link had looked, is none
            if ((frames.marks(frame) & Frames.PAUSE) != 0) {
                pauses.take(frames, frame, rate.getAsLong(), nanoTime.getAsLong());
            } else {
                foreign++;
            }
            return;
        }
        if (!enabled) {
            disabled++;
            return;
        }
        int type = split ? big16(head, 12) : RawMemory.getBig16(at + 12);
        int tag = -1;
        if (type == EtherType.VLAN && length >= TAG_END) {
            tag = split ? big16(head, 14) : RawMemory.getBig16(at + 14);
        }
        flags = 0;
        hash = 0;
        ReceiveQueue queue = defaultQueue;
        if (spread || frames.marks(frame) != 0) {
            queue = look(frames, frame, split, length);
        }
        if (tag >= 0) {
            flags = ReceiveCompletion.tagged(flags, tag);
        }
        deliver(frames, frame, queue, tag, destination);
    }

    private void deliver(Frames frames, int frame, ReceiveQueue queue, int tag, long destination) {
        if (queue == null || queue.ended) {
            missed++;
            return;
        }
        touch(queue);
        switch (queue.place(frames, frame, tag >= 0, flags, hash)) {
            case ReceiveQueue.DELIVERED -> received(destination, frames.length(frame), tag < 0 ? 0 : tag >>> 13);
            case ReceiveQueue.TRUNCATED -> dropped++;
            default -> missed++;
        }
    }

    private void received(long destination, int length, int trafficClass) {
        if ((destination & GROUP | trafficClass) == 0) {
            usual++;
            usualBytes += length;
        } else {
            unusualDestination[unusual] = destination;
            unusualLength[unusual] = length;
            unusualClass[unusual++] = trafficClass;
        }
    }

    /** Looks into the headers: fills in flags and hash, and chooses the queue. */
    private ReceiveQueue look(Frames frames, int frame, boolean copied, int length) {
        int marks = frames.marks(frame);
        if (!copied) {
            copyHead(frames, frame);
        }
        headers.parse(head, 0, Math.min(length, HEAD), length);
        if (!headers.isIp()) {
            return defaultQueue;
        }
        boolean ports = !headers.isFragment() && (headers.isTcp() || headers.isUdp());
        int checks = 0;
        if ((marks & Frames.IP_GOOD) != 0) {
            checks = ReceiveCompletion.IP_GOOD;
        }
        if ((marks & Frames.L4_GOOD) != 0 && ports) {
            checks |= headers.isTcp() ? ReceiveCompletion.TCP_GOOD : ReceiveCompletion.UDP_GOOD;
        }
        if (!spread || table.length == 0) {
            flags = checks;
            return defaultQueue;
        }
        int addresses = headers.addresses();
        int bytes = headers.addressBytes();
        hash = ports ? toeplitz.hash(head, addresses, bytes, headers.transport())
                : toeplitz.hash(head, addresses, bytes);
        flags = ReceiveCompletion.flags(checks, hashType(ports));
        return table[hash & table.length - 1];
    }

    private int hashType(boolean ports) {
        if (headers.isIpv4()) {
            return !ports ? HashType.IPV4 : headers.isTcp() ? HashType.TCP_IPV4 : HashType.UDP_IPV4;
        }
        if (headers.hasExtensions()) {
            return !ports ? HashType.IPV6_EXTENSIONS
                    : headers.isTcp() ? HashType.TCP_IPV6_EXTENSIONS : HashType.UDP_IPV6_EXTENSIONS;
        }
        return !ports ? HashType.IPV6 : headers.isTcp() ? HashType.TCP_IPV6 : HashType.UDP_IPV6;
    }

    private void copyHead(Frames frames, int frame) {
        int want = Math.min(frames.length(frame), HEAD);
        int done = 0;
        for (int piece = 0; done < want; piece++) {
            int part = Math.min(frames.length(frame, piece), want - done);
            RawMemory.copy(frames.address(frame, piece), head, done, part);
            done += part;
        }
    }

    private static int big16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static long big48(byte[] bytes) {
        return (long) big16(bytes, 0) << 32 | (long) big16(bytes, 2) << 16 | big16(bytes, 4);
    }

    /** Memory has vanished: receiving queues end if it was theirs, anybody else's costs a frame. */
    private void recover() {
        counters.vanished++;
        boolean found = false;
        for (long open = touched; open != 0; open &= open - 1) {
            found |= queues[Long.numberOfTrailingZeros(open)].isGuilty();
        }
        if (!found) {
            VanishedMemoryCounter.note();
        }
    }

    private void rollBack() {
        for (long open = touched; open != 0; open &= open - 1) {
            queues[Long.numberOfTrailingZeros(open)].rollBack();
        }
    }

    /** Queue by queue, so that memory which vanishes meanwhile is that of the queue whose turn it is. */
    private void publish() {
        counters.received(usual, usualBytes);
        for (int i = 0; i < unusual; i++) {
            counters.received(unusualDestination[i], unusualLength[i], unusualClass[i]);
        }
        if ((foreign | disabled | dropped | missed) != 0) {
            counters.foreign += foreign;
            counters.count(Counter.RX_ERR_VPORT_DISABLED, disabled);
            counters.count(Counter.RX_DISCARDS_NO_WQE, missed);
            counters.receiveDropped(dropped);
        }
        for (long open = touched; open != 0; open &= open - 1) {
            queues[Long.numberOfTrailingZeros(open)].publish(together);
        }
    }
}
