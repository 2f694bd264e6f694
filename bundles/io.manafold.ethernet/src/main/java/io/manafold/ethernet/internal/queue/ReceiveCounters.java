package io.manafold.ethernet.internal.queue;


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
    /** Completions that stood for two, three, four packets. */
    public long coalesced2;
    public long coalesced3;
    public long coalesced4;
    /** Packets that were longer than their buffer, or said so. */
    public long truncated;
    /** Packets dropped because there was no buffer to post instead. */
    public long withoutBuffer;
    /** Completions of a type that does not exist. */
    public long unknown;
}
