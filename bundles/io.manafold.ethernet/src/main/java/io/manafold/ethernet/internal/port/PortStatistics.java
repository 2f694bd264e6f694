package io.manafold.ethernet.internal.port;

import io.manafold.api.net.Counter;
import io.manafold.api.net.HookStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.ReceiveCounters;
import io.manafold.ethernet.internal.queue.SendCounters;
import io.manafold.gdma.message.QueryPhyStatistics;
import io.manafold.memory.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code ethtool -S} and {@code ip -s link} show of a port. Any thread may ask. */
public final class PortStatistics {
    private static final Logger LOG = LoggerFactory.getLogger(PortStatistics.class);
    /** A function that takes longer to tell a counter is about to be reset. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final PortLife life;
    private final HostCounters host;
    private final ReentrantLock asking = Locks.named("what a port has missed");
    /** What was answered last; empty if nothing was, or if the function does not count by port. */
    private OptionalLong missed = OptionalLong.empty();

    public PortStatistics(PortLife life, HostCounters host) {
        this.life = life;
        this.host = host;
    }

    /** By the names and in the order of the real driver, all zero while the port is down. */
    List<Counter> all() {
        boolean open = life.isOpen();
        int channels = life.config().channels();
        List<Counter> all = new ArrayList<>();
        add(all, "", Labels.PORT, port());
        add(all, "", Labels.HOST, host.host());
        add(all, "", Labels.PHYSICAL, open ? HostCounters.physical(life.port().session())
                : new long[QueryPhyStatistics.COUNTERS]);
        for (int i = 0; i < channels; i++) {
            add(all, "rx_" + i + "_", Labels.RECEIVE, receive(life.counters().receive(i)));
        }
        for (int i = 0; i < channels; i++) {
            add(all, "tx_" + i + "_", Labels.SEND, send(life.counters().send(i)));
        }
        return open ? all : all.stream().map(one -> new Counter(one.name(), 0)).toList();
    }

    private static void add(List<Counter> all, String prefix, List<String> labels, long[] values) {
        for (int i = 0; i < values.length; i++) {
            all.add(new Counter(prefix + labels.get(i), values[i]));
        }
    }

    private long[] port() {
        long[] sums = new long[6];
        for (int i = 0; i < life.counters().queues(); i++) {
            SendCounters send = life.counters().send(i);
            sums[0] += send.stopped;
            sums[1] += send.woken;
            sums[2] += send.failed;
            sums[3] += send.unknown;
            sums[4] += send.copied;
            sums[5] += life.counters().receive(i).unknown;
        }
        return sums;
    }

    private static long[] receive(ReceiveCounters counters) {
        return new long[] {counters.packets, counters.bytes, counters.hookDropped, counters.hookSent,
            counters.hookRedirected, counters.withoutLength, counters.coalesced[2], counters.coalesced[3],
            counters.coalesced[4], counters.coalesced[5], counters.coalesced[6], counters.coalesced[7],
            counters.coalesced[8]};
    }

    /** Nothing here is sent through tunnels, and nothing is mapped when it is sent. */
    private static long[] send(SendCounters counters) {
        return new long[] {counters.packets, counters.bytes, counters.redirected, counters.segmentedPackets,
            counters.segmentedBytes, 0, 0, counters.longForm, counters.shortForm, counters.checksums, 0};
    }

    HookStatus hook() {
        long[] sums = new long[5];
        for (int i = 0; i < life.counters().queues(); i++) {
            ReceiveCounters receive = life.counters().receive(i);
            sums[0] += receive.hookPassed;
            sums[1] += receive.hookDropped;
            sums[2] += receive.hookSent;
            sums[3] += receive.hookRedirected;
            sums[4] += receive.hookAborted;
        }
        ReceiveHook hook = life.config().hook();
        return new HookStatus(HookOwner.type(hook), HookOwner.name(hook), sums[0], sums[1], sums[2], sums[3], sums[4]);
    }

    /**
     * Asked whenever it is wanted: those of the function are of all its ports and up to a tick old. One question at a
     * time, so that no answer is older than one before. It may be less all the same: a function that was reset may
     * count from 0 again, and callers that add up expect that.
     */
    private OptionalLong missed() {
        asking.lock();
        try {
            missed = life.port().missed(PATIENCE);
            return missed;
        } catch (Refusal unanswered) {
            LOG.debug("What port {} has missed is not told: {}", life.port().index() + 1, unanswered.getMessage());
            return missed;
        } finally {
            asking.unlock();
        }
    }

    Map<String, Long> totals() {
        long[] sums = new long[10];
        for (int i = 0; i < life.counters().queues(); i++) {
            ReceiveCounters receive = life.counters().receive(i);
            SendCounters send = life.counters().send(i);
            sums[0] += receive.packets;
            sums[1] += receive.bytes;
            sums[2] += receive.withoutLength + receive.unknown;
            sums[3] += receive.truncated + receive.withoutBuffer + receive.hookDropped;
            sums[4] += receive.multicast;
            sums[5] += send.packets;
            sums[6] += send.bytes;
            sums[7] += send.failed + send.unknown;
            sums[8] += send.refused + send.abandoned;
            sums[9] += receive.withoutLength;
        }
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put("rx_packets", sums[0]);
        totals.put("rx_bytes", sums[1]);
        totals.put("rx_errors", sums[2]);
        totals.put("rx_dropped", sums[3]);
        totals.put("rx_length_errors", sums[9]);
        missed().ifPresent(count -> totals.put("rx_missed", count));
        totals.put("rx_multicast", sums[4]);
        totals.put("tx_packets", sums[5]);
        totals.put("tx_bytes", sums[6]);
        totals.put("tx_errors", sums[7]);
        totals.put("tx_dropped", sums[8]);
        return totals;
    }
}
