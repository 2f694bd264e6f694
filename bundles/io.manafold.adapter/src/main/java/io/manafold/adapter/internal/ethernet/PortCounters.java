package io.manafold.adapter.internal.ethernet;

import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryPhyStatistics;

/** What a port counts. One agent writes at a time; readers see numbers that are at most a little old. */
final class PortCounters {
    private static final int UNICAST = 0;
    private static final int MULTICAST = 1;
    private static final int BROADCAST = 2;
    private static final long EVERYBODY = 0xffff_ffff_ffffL;
    private static final long GROUP = 1L << 40;
    private static final int[] SENT = {Counter.TX_UCAST_PKTS.ordinal(), Counter.TX_MCAST_PKTS.ordinal(),
        Counter.TX_BCAST_PKTS.ordinal()};
    private static final int[] RECEIVED = {Counter.RX_UCAST_PKTS.ordinal(), Counter.RX_MCAST_PKTS.ordinal(),
        Counter.RX_BCAST_PKTS.ordinal()};
    private static final int SENT_BYTES = Counter.TX_BYTES.ordinal();
    private static final int RECEIVED_BYTES = Counter.RX_BYTES.ordinal();
    private static final int RECEIVE_DROPS = 0;
    private static final int SEND_DROPS = 1;

    /** By {@link Counter#ordinal}. */
    final long[] device = new long[Counter.values().length];
    /** As {@link QueryPhyStatistics} numbers them. */
    final long[] physical = new long[QueryPhyStatistics.COUNTERS];
    private int usualSent;
    private long usualSentBytes;
    /** Frames for other stations. */
    long foreign;
    /** Frames that were lost because their memory vanished. */
    long vanished;

    void count(Counter counter) {
        device[counter.ordinal()]++;
    }

    /** A frame has left. The usual kind is counted with {@link #addSent}. */
    void sent(long destination, int bytes, int trafficClass) {
        if ((destination & GROUP | trafficClass) == 0) {
            sentUsual(1, bytes);
        } else {
            addSent(destination, bytes, trafficClass);
        }
    }

    /** Frames to one station each have left, without a priority. */
    void sentUsual(int frames, int bytes) {
        usualSent += frames;
        usualSentBytes += bytes;
    }

    /** A batch is over. */
    void addSent() {
        device[SENT[UNICAST]] += usualSent;
        device[SENT[UNICAST] + 1] += usualSentBytes;
        device[SENT_BYTES] += usualSentBytes;
        physical[QueryPhyStatistics.packets(0, true)] += usualSent;
        physical[QueryPhyStatistics.bytes(0, true)] += usualSentBytes;
        usualSent = 0;
        usualSentBytes = 0;
    }

    /** The packets of each kind stand just before their bytes. */
    private void addSent(long destination, int bytes, int trafficClass) {
        int kind = SENT[kind(destination)];
        device[kind]++;
        device[kind + 1] += bytes;
        device[SENT_BYTES] += bytes;
        physical[QueryPhyStatistics.packets(trafficClass, true)]++;
        physical[QueryPhyStatistics.bytes(trafficClass, true)] += bytes;
    }

    /** Frames to one station each have arrived, without a priority. */
    void received(int frames, long bytes) {
        device[RECEIVED[UNICAST]] += frames;
        device[RECEIVED[UNICAST] + 1] += bytes;
        device[RECEIVED_BYTES] += bytes;
        physical[QueryPhyStatistics.packets(0, false)] += frames;
        physical[QueryPhyStatistics.bytes(0, false)] += bytes;
    }

    void received(long destination, int bytes, int trafficClass) {
        int kind = RECEIVED[kind(destination)];
        device[kind]++;
        device[kind + 1] += bytes;
        device[RECEIVED_BYTES] += bytes;
        physical[QueryPhyStatistics.packets(trafficClass, false)]++;
        physical[QueryPhyStatistics.bytes(trafficClass, false)] += bytes;
    }

    void count(Counter counter, int more) {
        device[counter.ordinal()] += more;
    }

    void sendDropped(int frames) {
        physical[SEND_DROPS] += frames;
    }

    void receiveDropped(int frames) {
        physical[RECEIVE_DROPS] += frames;
    }

    private static int kind(long destination) {
        return (destination & GROUP) == 0 ? UNICAST : destination == EVERYBODY ? BROADCAST : MULTICAST;
    }
}
