package io.manafold.ethernet.internal.queue;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Feature;
import io.manafold.gdma.Limits;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.FenceRq;
import io.manafold.gdma.message.NameShaperQueues;
import io.manafold.gdma.message.QueryLinkConfig;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.gdma.message.QueryPortStatistics;
import io.manafold.gdma.message.QueryStatistics;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.SetBandwidthClamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A vPort of a function that is up, and the commands that are about it.
 *
 * @param index of the vPort, from 0
 * @param trees whether trees of shapers are used: driver and device have them
 */
public record Port(EthernetSession session, int index, QueryVportConfig.Result vport, boolean trees) {
    /** How long a device may take for a fence while all is well. */
    public static final Duration FENCE = Duration.ofSeconds(10);
    private static final long MEGABIT = 1_000_000;
    /** What a device takes that does not say. */
    private static final int USUAL_FRAME = 1514;

    /** How many pairs of queues it can have; what the function has for all of its ports is shared evenly. */
    public int maxChannels() {
        QueryMaxResources.Result most = session.function().resources();
        int vectors = Math.min(session.function().pci().interrupts().count(), most.vectors()) - 1;
        int all = IntStream.of(most.sendQueues(), most.receiveQueues(), most.eventQueues(),
                most.completionQueues() >>> 1).map(count -> count < 0 ? Integer.MAX_VALUE : count).min().getAsInt();
        int queues = Math.min(Math.min(vport.sendQueues(), vport.receiveQueues()), all / session.vports().size());
        return Math.clamp(Math.min(queues, vectors), 1, Limits.QUEUES_PER_PORT);
    }

    /** Lets it send; answers the offset that every send names. */
    int transmit() {
        return session.call(new ConfigureVportTx(vport.vport(), session.client().rights().protectionDomain(),
                session.client().rights().page().number())).offset();
    }

    /** Whether the device holds back events of completion queues as it is told to. */
    public boolean moderatesEvents() {
        return (session.function().features() & Feature.EVENT_MODERATION) != 0;
    }

    /** How many packets one receive completion may stand for at most. */
    public int mostFrames() {
        return (session.config().flags1() & Feature.EIGHT_FRAMES) != 0 ? ReceiveCompletion.MOST_PACKETS
                : ReceiveCompletion.MAX_PACKETS;
    }

    /** The interrupt of a channel; ports share them only when there are too few. */
    int vector(int channel) {
        int usable = Math.min(session.function().pci().interrupts().count(), session.function().resources().vectors());
        return usable < 2 ? 0 : 1 + (index * maxChannels() + channel) % (usable - 1);
    }

    /** Steers what arrives to a set of queues. Answers how long the device waits to coalesce, in nanoseconds. */
    public int steer(QueueSet queues, PortConfig config) {
        long[] table = new long[vport.indirection()];
        for (int k = 0; k < table.length; k++) {
            table[k] = queues.receive(config.queueOf(k)).pair().object();
        }
        int rss = config.channels() > 1 ? ConfigureVportRx.ON : ConfigureVportRx.OFF;
        return session.call(new ConfigureVportRx(vport.vport(), ConfigureVportRx.ON, rss, true, true, true,
                queues.receive(0).pair().object(), config.key(), config.frames(), table)).coalescingNanos();
    }

    /** Stops what arrives. */
    public void stop() {
        session.call(new ConfigureVportRx(vport.vport(), ConfigureVportRx.OFF, ConfigureVportRx.OFF, false, false,
                false, Limits.NO_OBJECT, new byte[Limits.HASH_KEY], 1, new long[vport.indirection()]));
    }

    /** Limits what it sends, or limits it no more. */
    public void clamp(boolean limited, int megabits) {
        session.call(new SetBandwidthClamp(vport.vport(), limited ? 1 : 0, megabits));
    }

    /** What the device says of its link. */
    public QueryLinkConfig.Result link() {
        return session.call(new QueryLinkConfig(vport.vport()));
    }

    /** The limits of queues are for these from now on. */
    public void name(QueueSet queues) {
        if (trees) {
            List<Long> objects = new ArrayList<>();
            for (int i = 0; i < queues.channels(); i++) {
                objects.add(queues.send(i).pair().object());
            }
            session.call(new NameShaperQueues(vport.vport(), objects));
        }
    }

    /** Bits per second that its kind can do, 0 if the device does not say. */
    public long speed() {
        try {
            QueryLinkConfig.Result link = link();
            return link.unconfigured() ? 0 : Integer.toUnsignedLong(link.maximum()) * MEGABIT;
        } catch (Refusal unknown) {
            return 0;
        }
    }

    /** Megabits per second that its link does at the moment, a limit of what it sends included; 0 if unknown. */
    public long currentMegabits() {
        try {
            QueryLinkConfig.Result link = link();
            return link.unconfigured() ? 0 : Integer.toUnsignedLong(link.current());
        } catch (Refusal unknown) {
            return 0;
        }
    }

    /** The largest MTU that the adapter takes. */
    public int maxMtu() {
        int frame = session.config().frame();
        return (frame == 0 ? USUAL_FRAME : frame) - PortConfig.HEADER;
    }

    /**
     * Packets that came for it while no buffer was posted, as the device counts them now; empty if it counts them for
     * several ports together alone.
     *
     * @param most how long the answer is waited for
     * @throws Refusal if there is none
     */
    public OptionalLong missed(Duration most) {
        if (session.function().hasPortStatistics()) {
            return missed(new QueryPortStatistics(vport.vport(), Counter.RX_DISCARDS_NO_WQE.mask()), most);
        }
        return session.vports().size() > 1 ? OptionalLong.empty() : missed(new QueryStatistics(Counter.ALL), most);
    }

    private OptionalLong missed(Request<QueryStatistics.Result> question, Duration most) {
        return OptionalLong.of(session.call(question, most).value(Counter.RX_DISCARDS_NO_WQE));
    }

    /** Returns when all that a set of queues got before has been handled by the device's thread. */
    public void fence(QueueSet queues, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        List<FenceRq> fences = new ArrayList<>();
        for (int i = 0; i < queues.channels(); i++) {
            ReceiveRing ring = queues.receive(i);
            ring.fences().drainPermits();
            fences.add(new FenceRq(ring.pair().object()));
        }
        session.client().callAll(fences);
        // those of all queues are on their way while the first is waited for
        for (int i = 0; i < queues.channels(); i++) {
            ReceiveRing ring = queues.receive(i);
            try {
                if (!ring.fences().tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new Refusal(Errno.ETIMEDOUT, "The fence of receive queue " + ring.pair().work().id()
                            + " did not come within " + limit.toMillis() + " ms; reset the port.");
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new Refusal(Errno.EINTR, "The wait for the fence of a receive queue was interrupted.");
            }
        }
    }
}
