package io.manafold.fabric.internal;

import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.InternetChecksum;

/**
 * What a frame says about its treatment on the way: its class, and whether it may be told of congestion. Only for frames
 * in memory of our own, which do not change.
 */
final class Codepoint {
    private static final int TYPE_AT = 12;
    private static final int ETHERNET = 14;
    private static final int TAG = 4;
    private static final int MOST_TAGS = 2;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int IPV4_CHECKSUM = 10;
    private static final int CONGESTED = 3;

    private long packet;
    /** 4, 6, or 0 for what is no sound IP header. */
    private int version;
    /** Traffic class or type of service: DSCP and ECN. */
    private int treatment;
    private int priority;

    /** Looks at a frame. */
    void look(long at, int length) {
        version = 0;
        treatment = 0;
        priority = 0;
        if (length < ETHERNET) {
            return;
        }
        int type = RawMemory.getBig16(at + TYPE_AT);
        int header = ETHERNET;
        for (int tags = 0; tags < MOST_TAGS && EtherType.isTag(type) && header + TAG <= length; tags++) {
            if (tags == 0) {
                priority = RawMemory.get8(at + header) >>> 5;
            }
            type = RawMemory.getBig16(at + header + 2);
            header += TAG;
        }
        packet = at + header;
        int left = length - header;
        if (type == EtherType.IPV4 && left >= IPV4) {
            int first = RawMemory.get8(packet);
            int size = (first & 0xf) * 4;
            if (first >>> 4 == 4 && size >= IPV4 && size <= left) {
                version = 4;
                treatment = RawMemory.get8(packet + 1);
            }
        } else if (type == EtherType.IPV6 && left >= IPV6 && RawMemory.get8(packet) >>> 4 == 6) {
            version = 6;
            treatment = RawMemory.getBig16(packet) >>> 4 & 0xff;
        }
    }

    /** 0 to 7, see {@link io.manafold.packet.PauseFrame}. */
    int trafficClass() {
        return version == 0 ? priority : treatment >>> 5;
    }

    boolean isIp() {
        return version != 0;
    }

    /** Whether both ends of its flow understand marks. */
    boolean isCapable() {
        int ecn = treatment & CONGESTED;
        return version != 0 && ecn != 0 && ecn != CONGESTED;
    }

    /** Marks an IP packet as having met congestion, and has its header checksum follow. */
    void mark() {
        if (version == 6) {
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
