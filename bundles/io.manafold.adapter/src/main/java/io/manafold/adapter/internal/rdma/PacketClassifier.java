package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.api.fabric.Frames;
import io.manafold.gdma.Gid;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.roce.Packet;

/**
 * Which of the frames that come are RDMA's, which queue pair each is for, and whether it is whole. Belongs to the
 * port's agent.
 */
final class PacketClassifier {
    /** As many bytes have to be in the first piece to see where a tagged frame goes. */
    private static final int LEAST_IPV4 = 42;
    private static final int LEAST_IPV6 = 62;
    private static final int UDP = 17;

    private final RdmaEngine engine;
    private final RdmaCounters counters;
    private final ReceivedFrame arrival = new ReceivedFrame();
    private final Packet arrived = new Packet();
    /** The driver's addresses; {@code null} while the engine is closed. */
    private volatile GidTable gids;
    private IdTable<QueuePair> pairs;
    private QueuePair management;
    /** Packets mostly come in runs. One that ends leaves the table before it is forgotten here. */
    private QueuePair last;
    /** Whether a burst is being received, and since when. */
    private boolean receiving;
    private long receivedAt;

    PacketClassifier(RdmaEngine engine, RdmaCounters counters) {
        this.engine = engine;
        this.counters = counters;
    }

    /** From now on packets to these addresses are RDMA's. */
    void open(GidTable addresses, IdTable<QueuePair> table) {
        arrival.open();
        last = null;
        pairs = table;
        gids = addresses;
    }

    /** From now on none is. */
    void shut() {
        gids = null;
        pairs = null;
        last = null;
    }

    /** Any thread. */
    boolean isOpen() {
        return gids != null;
    }

    /** Whether packets may come from an address. */
    boolean has(Gid gid) {
        GidTable mine = gids;
        return mine != null && mine.contains(gid.high(), gid.low());
    }

    /** The queue pair in a slot, or {@code null}. */
    QueuePair pair(int slot) {
        return pairs == null ? null : pairs.get(slot);
    }

    /** The queue pair that management datagrams are for, or {@code null} for none. */
    void manage(QueuePair pair) {
        management = pair;
    }

    void forget(QueuePair pair) {
        if (management == pair) {
            management = null;
        }
        last = null;
    }

    /** A look at the words that tell; what a hostile sender changes afterwards is judged anew from a copy. */
    private boolean isMine(Frames frames, int frame) {
        int length = frames.length(frame, 0);
        if (length < LEAST_IPV4) {
            return frames.pieces(frame) > 1;
        }
        long at = frames.address(frame, 0);
        int type = RawMemory.getBig16(at + 12);
        if (type == EtherType.VLAN) {
            at += 4;
            type = RawMemory.getBig16(at + 12);
        }
        if (type == EtherType.IPV4) {
            return RawMemory.get8(at + 23) == UDP && RawMemory.getBig16(at + 36) == Packet.PORT;
        }
        return type == EtherType.IPV6 && (length < LEAST_IPV6 ? frames.pieces(frame) > 1
                : RawMemory.get8(at + 20) == UDP && RawMemory.getBig16(at + 56) == Packet.PORT);
    }

    /** Takes a frame; false if it is none of RDMA's. */
    boolean receive(Frames frames, int frame) {
        GidTable mine = gids;
        if (mine == null) {
            return false;
        }
        QueuePair pair = null;
        try {
            if ((frames.marks(frame) & Frames.ICRC_GOOD) == 0 && !isMine(frames, frame)) {
                return false;
            }
            engine.access().clear();
            int wrong = arrival.read(frames, frame, arrived);
            if (wrong == Packet.NOT_ROCE || arrived.destinationMac != engine.mac()
                    || !mine.contains(arrived.destinationHigh, arrived.destinationLow)) {
                return false;
            }
            counters.received(frames.length(frame));
            if (wrong != 0) {
                counters.malformed++;
                return true;
            }
            if (!arrival.isWhole(arrived)) {
                counters.badIcrc++;
                return true;
            }
            pair = find(arrived.queuePair);
            if (pair == null) {
                counters.unknownQueuePair++;
                return true;
            }
            pair.receive(arrived, arrival, receivedAt());
            if (engine.mayVanish() || !arrival.isMarked()) {
                RawMemory.settle();
            }
        } catch (InternalError gone) {
            if (pair != null && !(engine.access().isThere(true) && pair.isThere())) {
                engine.vanish(pair);
            } else {
                EthernetPort.noteVanished();
            }
        } catch (RuntimeException mistake) {
            if (pair != null) {
                engine.fail(pair, mistake);
            }
        }
        return true;
    }

    /** When the first frame of those that come together was received. */
    private long receivedAt() {
        if (!receiving) {
            receiving = true;
            receivedAt = engine.port().now();
        }
        return receivedAt;
    }

    private QueuePair find(int number) {
        if (number == 1) {
            return management;
        }
        QueuePair pair = last;
        if (pair == null || pair.number() != number || pair.engine() != engine) {
            int slot = QpNumber.slot(number);
            pair = slot < 0 ? null : pairs.get(slot);
            last = pair;
        }
        return pair != null && pair.engine() == engine ? pair : null;
    }

    /** The burst is over. */
    void received() {
        receiving = false;
    }

    void close() {
        arrival.close();
    }
}
