package io.manafold.ethernet.internal.queue;

import io.manafold.gdma.ReceiveCompletion;

/**
 * What one receive queue of a port has counted, whatever rings it has had. Written by the device's thread
 * only; others read what may be a moment old.
 */
public final class ReceiveCounters {
    public long packets;
    public long bytes;
    public long multicast;
    public long hookDropped;
    public long hookSent;
    public long hookRedirected;
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
}
