package io.manafold.ethernet.internal.queue;

import io.manafold.gdma.SendCompletion;

/**
 * What one send queue of a port has counted, whatever rings it has had. Written by the device's thread
 * only; others read what may be a moment old.
 */
public final class SendCounters {
    public long packets;
    public long bytes;
    /** Packets that came from hooks, of this device or another. */
    public long redirected;
    public long segmentedPackets;
    public long segmentedBytes;
    public long longForm;
    public long shortForm;
    public long checksums;
    /** Packets of another function's memory, which were copied. */
    public long copied;
    /** Packets in too many pieces, which were copied to fewer. */
    public long linear;
    /** Packets that cannot be sent as they are. */
    public long refused;
    /** Sends that the device completed with an error. */
    public long failed;
    /** Completions of a type that does not exist. */
    public long unknown;
    /** Sends that the device never completed. */
    public long abandoned;
    public long stopped;
    public long woken;
    /** How often as many bytes were under way as may be. */
    public long held;

    /** A packet is on its way that the device is to do something with. */
    void sent(Offload offload) {
        packets++;
        bytes += offload.length;
        if (offload.headerBytes > 0) {
            segmentedPackets++;
            segmentedBytes += offload.length - offload.headerBytes;
        } else if (offload.flags != 0) {
            checksums++;
        }
    }

    /** A send was completed in that way, of {@link SendCompletion}. */
    void ended(int type) {
        if (type < SendCompletion.OK || type > SendCompletion.VLAN) {
            unknown++;
        } else if (type != SendCompletion.OK) {
            failed++;
        }
    }
}
