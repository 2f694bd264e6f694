package io.manafold.ethernet.internal;

/**
 * What one send queue of a port has counted, whatever rings it has had. Written by the device's thread
 * only; others read what may be a moment old.
 */
final class SendCounters {
    long packets;
    long bytes;
    /** Packets that came from hooks, of this device or another. */
    long redirected;
    long segmentedPackets;
    long segmentedBytes;
    long longForm;
    long shortForm;
    long checksums;
    /** Packets of another function's memory, which were copied. */
    long copied;
    /** Packets in too many pieces, which were copied to fewer. */
    long linear;
    /** Packets that cannot be sent as they are. */
    long refused;
    /** Sends that the device completed with an error. */
    long failed;
    /** Completions of a type that does not exist. */
    long unknown;
    /** Sends that the device never completed. */
    long abandoned;
    long stopped;
    long woken;
}
