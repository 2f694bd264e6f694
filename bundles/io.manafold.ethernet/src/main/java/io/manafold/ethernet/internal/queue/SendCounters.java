package io.manafold.ethernet.internal.queue;

import io.manafold.gdma.SendCompletion;
import java.util.List;

/**
 * What one send queue of a port has counted, whatever rings it has had. Written by the device's thread
 * only; others read what may be a moment old.
 */
public final class SendCounters {
    /** What each of {@link #values} is called where counters are kept for the next driver; those names stay. */
    static final List<String> NAMES = List.of("tx_packets", "tx_bytes", "tx_redirected", "tx_segmented_packets",
            "tx_segmented_bytes", "tx_long_form", "tx_short_form", "tx_checksums", "tx_copied", "tx_linear",
            "tx_refused", "tx_failed", "tx_unknown", "tx_abandoned", "tx_stopped", "tx_woken", "tx_held",
            "tx_coalesced");

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
    /** Completions that told of several packets. */
    public long coalesced;

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

    /** In the order of {@link #NAMES}. */
    long[] values() {
        return new long[] {packets, bytes, redirected, segmentedPackets, segmentedBytes, longForm, shortForm, checksums,
            copied, linear, refused, failed, unknown, abandoned, stopped, woken, held,
            coalesced};
    }

    /** Goes on from what {@link #values} were. */
    void goOnFrom(long[] values) {
        packets = values[0];
        bytes = values[1];
        redirected = values[2];
        segmentedPackets = values[3];
        segmentedBytes = values[4];
        longForm = values[5];
        shortForm = values[6];
        checksums = values[7];
        copied = values[8];
        linear = values[9];
        refused = values[10];
        failed = values[11];
        unknown = values[12];
        abandoned = values[13];
        stopped = values[14];
        woken = values[15];
        held = values[16];
        coalesced = values[17];
    }
}
