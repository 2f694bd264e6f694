package io.manafold.fabric.internal;

import io.manafold.memory.RawMemory;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Treatment;

/**
 * What a frame says about its treatment on the way: its class, and whether it may be told of congestion. Only for
 * frames in memory of our own, which do not change.
 */
final class Codepoint {
    private static final int IPV4_CHECKSUM = 10;
    private static final int CONGESTED = 3;

    private final Treatment treatment = new Treatment();
    private final byte[] head = new byte[Treatment.HEAD];
    private long packet;

    /** Looks at a frame. */
    void look(long at, int length) {
        RawMemory.copy(at, head, 0, Math.min(length, head.length));
        treatment.look(head, 0, length);
        packet = at + treatment.network();
    }

    /** 0 to 7, see {@link io.manafold.packet.PauseFrame}. */
    int trafficClass() {
        return treatment.trafficClass();
    }

    boolean isIp() {
        return treatment.version() != 0;
    }

    /** Whether both ends of its flow understand marks. */
    boolean isCapable() {
        return treatment.isCapable();
    }

    /** Marks an IP packet as having met congestion, and has its header checksum follow. */
    void mark() {
        if (treatment.version() == 6) {
            RawMemory.put8(packet + 1, RawMemory.get8(packet + 1) | CONGESTED << 4);
            return;
        }
        int before = RawMemory.getBig16(packet);
        int after = before | CONGESTED;
        long sum = InternetChecksum.add16(~RawMemory.getBig16(packet + IPV4_CHECKSUM) & 0xffff, ~before);
        RawMemory.putBig16(packet, after);
        RawMemory.putBig16(packet + IPV4_CHECKSUM, InternetChecksum.finish(InternetChecksum.add16(sum, after)));
    }
}
