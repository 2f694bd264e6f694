package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.RssQueuePair;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Limits;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.message.ConfigureVportRx;
import java.util.List;
import java.util.function.Consumer;

/** Where the packets of a port go. */
public final class RawRss implements RssQueuePair {
    private final QueueDevice device;
    private final PortInUse port;
    private final Consumer<RawRss> closing;
    private RssPlan plan;
    private boolean closed;

    /**
     * Begins spreading.
     *
     * @param closing is told that it is being closed
     */
    public RawRss(QueueDevice device, PortInUse port, RssPlan plan, Consumer<RawRss> closing) {
        this.device = device;
        this.port = port;
        this.closing = closing;
        begin(plan);
    }

    public PortInUse port() {
        return port;
    }

    @Override
    public synchronized RssPlan plan() {
        return plan;
    }

    @Override
    public void change(RssPlan next) {
        if (!device.enter()) {
            throw device.gone();
        }
        try {
            synchronized (this) {
                if (closed) {
                    throw new Refusal(Errno.EBADF, "The spreading of packets of " + device.name() + " has ended.");
                }
                RssPlan before = plan;
                begin(next);
                release(before);
            }
        } finally {
            device.leave();
        }
    }

    private void begin(RssPlan next) {
        check(next);
        int held = 0;
        try {
            for (ReceiveWorkQueue queue : next.table()) {
                ((RawReceiveQueue) queue).hold();
                held++;
            }
            steer(next);
            plan = next;
        } catch (RuntimeException refused) {
            release(next.table().subList(0, held));
            throw refused;
        }
    }

    private static void release(RssPlan old) {
        release(old.table());
    }

    private static void release(List<ReceiveWorkQueue> queues) {
        queues.forEach(queue -> ((RawReceiveQueue) queue).release());
    }

    private void check(RssPlan next) {
        int size = next.table().size();
        if (Integer.bitCount(size) != 1 || size > port.entries()) {
            throw new Refusal(Errno.EINVAL, "Packets are not spread by a table of " + size
                    + " entries; choose a power of two from 1 to " + port.entries() + ".");
        }
        if (next.key().length != Limits.HASH_KEY) {
            throw new Refusal(Errno.EINVAL, "A key of " + next.key().length + " bytes hashes nothing; it has "
                    + Limits.HASH_KEY + ".");
        }
        if ((next.fields() & ~RssPlan.ALL) != 0 || next.fields() == 0 && size > 1) {
            throw new Refusal(Errno.EINVAL, "Packets are not spread over " + size + " entries by the fields 0x"
                    + Integer.toHexString(next.fields()) + "; use RssPlan.ALL.");
        }
        if (next.fields() != 0 && next.fields() != RssPlan.ALL) {
            throw new Refusal(Errno.EOPNOTSUPP, device.name()
                    + " hashes all fields that a packet has, and does not choose among them; use RssPlan.ALL, or 0 to "
                    + "spread nothing.");
        }
        for (ReceiveWorkQueue queue : next.table()) {
            if (!(queue instanceof RawReceiveQueue own) || own.device() != device || own.port()
                    .number() != port.number()) {
                throw new Refusal(Errno.EINVAL, "Packets of port " + port.number() + " of " + device.name()
                        + " are spread to receive work queues of that port, device and bundle; make them in the same "
                        + "domain.");
            }
        }
    }

    /** One completion may tell of several packets, unless the device knows nothing of that. */
    private void steer(RssPlan next) {
        try {
            device.client().call(steering(next, true));
        } catch (CommandRefused refused) {
            if (refused.status() != Status.UNSUPPORTED) {
                throw refused;
            }
            device.client().call(steering(next, false));
        }
    }

    private ConfigureVportRx steering(RssPlan next, boolean coalesce) {
        List<ReceiveWorkQueue> queues = next.table();
        long[] table = new long[port.entries()];
        for (int i = 0; i < table.length; i++) {
            table[i] = ((RawReceiveQueue) queues.get(i % queues.size())).object();
        }
        int spread = queues.size() > 1 ? ConfigureVportRx.ON : ConfigureVportRx.OFF;
        return new ConfigureVportRx(port.vport(), ConfigureVportRx.ON, spread, true, true, true, table[0], next.key(),
                coalesce ? ReceiveCompletion.MAX_PACKETS : 1, table);
    }

    /** Has no packet come any more. */
    public ConfigureVportRx destroyRequest() {
        return new ConfigureVportRx(port.vport(), ConfigureVportRx.OFF, ConfigureVportRx.OFF, false, false, false,
                Limits.NO_OBJECT, new byte[Limits.HASH_KEY], 1, new long[port.entries()]);
    }

    @Override
    public void close() {
        if (!device.enter()) {
            return;
        }
        try {
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
            }
            try {
                device.client().call(destroyRequest());
            } finally {
                release(plan);
                closing.accept(this);
            }
        } finally {
            device.leave();
        }
    }
}
