package io.manafold.ethernet.internal.queue;

import io.manafold.gdma.ReceiveCompletion;
import java.util.Arrays;
import java.util.List;

/**
 * What one receive queue of a port has counted, whatever rings it has had. Written by the device's thread
 * only; others read what may be a moment old.
 */
public final class ReceiveCounters {
    /** What each of {@link #values} is called where counters are kept for the next driver; those names stay. */
    static final List<String> NAMES = List.of("rx_packets", "rx_bytes", "rx_multicast", "rx_hook_passed",
            "rx_hook_dropped", "rx_hook_sent", "rx_hook_redirected", "rx_hook_aborted", "rx_without_length",
            "rx_truncated", "rx_without_buffer", "rx_unknown", "rx_coalesced_0",
            "rx_coalesced_1", "rx_coalesced_2", "rx_coalesced_3", "rx_coalesced_4", "rx_coalesced_5", "rx_coalesced_6",
            "rx_coalesced_7", "rx_coalesced_8");
    private static final int SINGLE = 12;

    public long packets;
    public long bytes;
    public long multicast;
    public long hookPassed;
    public long hookDropped;
    public long hookSent;
    public long hookRedirected;
    /** Of those dropped, the ones by which the hook failed. */
    public long hookAborted;
    /** Completions that told of a packet without bytes. */
    public long withoutLength;
    /** Completions that stood for two to eight packets, at index 2 to 8. */
    public final long[] coalesced = new long[ReceiveCompletion.MOST_PACKETS + 1];
    /** Packets that were longer than their buffer, or said so. */
    public long truncated;
    /** Packets dropped because there was no buffer to post instead. */
    public long withoutBuffer;
    /** Completions of a type that does not exist. */
    public long unknown;

    /** Completions that stood for several packets. */
    long several() {
        long all = 0;
        for (int i = 2; i < coalesced.length; i++) {
            all += coalesced[i];
        }
        return all;
    }

    /** In the order of {@link #NAMES}. */
    long[] values() {
        long[] values = Arrays.copyOf(new long[] {packets, bytes, multicast, hookPassed, hookDropped, hookSent,
            hookRedirected, hookAborted, withoutLength, truncated, withoutBuffer, unknown}, SINGLE + coalesced.length);
        System.arraycopy(coalesced, 0, values, SINGLE, coalesced.length);
        return values;
    }

    /** Goes on from what {@link #values} were. */
    void goOnFrom(long[] values) {
        packets = values[0];
        bytes = values[1];
        multicast = values[2];
        hookPassed = values[3];
        hookDropped = values[4];
        hookSent = values[5];
        hookRedirected = values[6];
        hookAborted = values[7];
        withoutLength = values[8];
        truncated = values[9];
        withoutBuffer = values[10];
        unknown = values[11];
        System.arraycopy(values, SINGLE, coalesced, 0, coalesced.length);
    }
}
