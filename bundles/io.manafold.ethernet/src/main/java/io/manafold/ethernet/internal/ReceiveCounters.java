package io.manafold.ethernet.internal;

/**
 * What one receive queue of a port has counted, whatever rings it has had. Written by the device's thread
 * only; others read what may be a moment old.
 */
final class ReceiveCounters {
    long packets;
    long bytes;
    long multicast;
    long hookDropped;
    long hookSent;
    long hookRedirected;
    /** Completions that told of a packet without bytes. */
    long withoutLength;
    /** Completions that stood for two, three, four packets. */
    long coalesced2;
    long coalesced3;
    long coalesced4;
    /** Packets that were longer than their buffer, or said so. */
    long truncated;
    /** Packets dropped because there was no buffer to post instead. */
    long withoutBuffer;
    /** Completions of a type that does not exist. */
    long unknown;
}
