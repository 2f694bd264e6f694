package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Pieces;
import io.manafold.api.fabric.Frames;
import io.manafold.gdma.SendRequest;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Offloads;
import io.manafold.packet.Treatment;

/**
 * Makes frames of checked requests: payload by reference, headers that have to change in memory of the port's own. What
 * the driver left in a checksum field does not matter; checksums are computed from the data. Belongs to the agent.
 */
final class FrameMaker {
    private static final int ADDRESSES = 12;
    private static final int TAG = Headers.TAG;
    private static final int LEAST_SEGMENTED = Headers.ETHERNET + 20 + 20;

    private final int mtuFrame;
    private final ScratchHeaders scratch;
    private final Headers headers = new Headers();
    /** Headers with room for a tag in front. */
    private final byte[] copy = new byte[ScratchHeaders.PLACE];
    /** Payload on its way into a sum. */
    private final byte[] payload;
    /** Bytes of it that are sent from there instead of from where the driver has them. */
    private int copied;
    private final Treatment treatment = new Treatment();
    private final byte[] tagged = new byte[Treatment.HEAD + TAG];

    /** Of the frame made last. */
    long destination;
    int trafficClass;

    FrameMaker(int mtuFrame, int frames) {
        this.mtuFrame = mtuFrame;
        this.payload = new byte[mtuFrame + 2 * TAG];
        this.scratch = new ScratchHeaders(frames);
    }

    /**
     * Whether frames can be made of a request that was read.
     *
     * @return what is wrong with it, or {@code null}
     */
    SendFault check(SendWork work) {
        int length = work.pieces.total;
        if (length < Headers.ETHERNET) {
            return SendFault.SHORT_FRAME;
        }
        look(work);
        if (work.segmented) {
            return checkSegmented(work);
        }
        copied = work.tag >= 0 ? ADDRESSES : 0;
        if (length > mtuFrame && length > longest(work.pieces)) {
            return SendFault.MTU;
        }
        if (offloads(work)) {
            return checkOffloads(work);
        }
        if (copied > 0) {
            work.pieces.copyTo(0, copy, TAG, copied);
        }
        return null;
    }

    /**
     * The class that the link gives the frame of a request that was checked, or all frames of a large one. What it
     * depends on is sent from a copy then: a driver that changes its memory meanwhile does not get past a pause.
     */
    int pauseClass(SendWork work) {
        int length = work.segmented ? work.headerBytes : work.pieces.total;
        int head = Math.min(length, Treatment.HEAD);
        if (work.segmented) {
            System.arraycopy(work.template, 0, copy, TAG, head);
        } else if (!offloads(work)) {
            copied = head;
            work.pieces.copyTo(0, copy, TAG, head);
        }
        if (work.tag < 0) {
            treatment.look(copy, TAG, length);
        } else {
            System.arraycopy(copy, TAG, tagged, 0, ADDRESSES);
            putTag(tagged, work.tag);
            System.arraycopy(copy, TAG + ADDRESSES, tagged, ADDRESSES + TAG, head - ADDRESSES);
            treatment.look(tagged, 0, length + TAG);
        }
        return treatment.trafficClass();
    }

    private static boolean offloads(SendWork work) {
        return work.wants(SendRequest.IP_CHECKSUM | SendRequest.TCP_CHECKSUM | SendRequest.UDP_CHECKSUM);
    }

    /** A tag that the driver put in itself does not count. */
    private int longest(Pieces pieces) {
        pieces.copyTo(ADDRESSES, copy, 0, 2);
        return EtherType.isTag((copy[0] & 0xff) << 8 | copy[1] & 0xff) ? mtuFrame + TAG : mtuFrame;
    }

    private void look(SendWork work) {
        Pieces pieces = work.pieces;
        trafficClass = work.tag < 0 ? 0 : work.tag >>> 13;
        if (pieces.length[0] >= 8) {
            destination = RawMemory.getBig64(pieces.address[0]) >>> 16;
        } else {
            pieces.copyTo(0, copy, 0, 6);
            long value = 0;
            for (int i = 0; i < 6; i++) {
                value = value << 8 | copy[i] & 0xff;
            }
            destination = value;
        }
    }

    private SendFault checkSegmented(SendWork work) {
        int header = work.headerBytes;
        int data = work.pieces.total - header;
        if (work.entries() < 2 || header != work.firstEntry() || header < LEAST_SEGMENTED || work.segment == 0
                || !work.wants(SendRequest.TCP_CHECKSUM)) {
            return SendFault.SEGMENT;
        }
        if (data <= 0 || data > SendWork.MOST_PAYLOAD) {
            return SendFault.SEGMENTATION_LENGTH;
        }
        int frame = header + Math.min(work.segment, data);
        if (frame > mtuFrame && frame > longest(work.pieces)) {
            return SendFault.MTU;
        }
        work.pieces.copyTo(0, work.template, 0, header);
        if (!work.segmentation.begin(work.template, 0, header, data, work.segment)) {
            return SendFault.HEADERS;
        }
        return announced(work, work.segmentation.headers()) ? null : SendFault.HEADERS;
    }

    private SendFault checkOffloads(SendWork work) {
        int length = work.pieces.total;
        copied = Math.min(length, Headers.WORTH);
        work.pieces.copyTo(0, copy, TAG, copied);
        headers.parse(copy, TAG, copied, length);
        boolean sound = !headers.isBroken() && headers.isIp() && announced(work, headers);
        boolean tcp = work.wants(SendRequest.TCP_CHECKSUM);
        boolean udp = work.wants(SendRequest.UDP_CHECKSUM);
        if (!sound || tcp && udp || tcp && !headers.isTcp() || udp && !headers.isUdp()
                || (tcp || udp) && headers.isFragment()) {
            return SendFault.HEADERS;
        }
        return null;
    }

    /**
     * Whether the headers are those that the driver announced, as far as it did. Only with TCP it says where they are:
     * DPDK's driver leaves the place of an earlier packet's header in requests of UDP.
     */
    private static boolean announced(SendWork work, Headers found) {
        boolean v4 = work.wants(SendRequest.IPV4);
        boolean v6 = work.wants(SendRequest.IPV6);
        return !(v4 && v6) && !(v4 && !found.isIpv4()) && !(v6 && !found.isIpv6())
                && (work.transportOffset == 0 || !work.wants(SendRequest.TCP_CHECKSUM)
                || work.transportOffset == found.transport());
    }

    /** Makes the frame of a request without segmentation right after its {@link #check}. */
    int whole(SendWork work, FrameBurst burst) {
        Pieces pieces = work.pieces;
        int place = burst.count();
        if (offloads(work)) {
            offload(work, burst, place);
        } else if (copied > 0) {
            burst.begin(0);
            addHeaders(work.tag, copied, burst, place);
            pieces.addTo(burst, copied, pieces.total - copied);
        } else {
            burst.begin(0);
            for (int i = 0; i < pieces.count; i++) {
                burst.add(pieces.address[i], pieces.length[i]);
            }
        }
        return burst.length(place);
    }

    private void offload(SendWork work, FrameBurst burst, int place) {
        int marks = 0;
        if (headers.isIpv4() && work.wants(SendRequest.IP_CHECKSUM)) {
            Offloads.writeIpv4Checksum(copy, TAG, headers);
        }
        if (headers.isIpv6() || Offloads.isIpv4ChecksumGood(copy, TAG, headers)) {
            marks = Frames.IP_GOOD;
        }
        if (work.wants(SendRequest.TCP_CHECKSUM | SendRequest.UDP_CHECKSUM)) {
            int end = headers.transport() + headers.transportLength();
            Offloads.writeTransportChecksum(copy, TAG, headers, copied, sum(work.pieces, copied, end - copied));
            marks |= Frames.L4_GOOD;
        }
        burst.begin(marks);
        addHeaders(work.tag, copied, burst, place);
        work.pieces.addTo(burst, copied, work.pieces.total - copied);
    }

    /** Makes a segment of a large send that was checked. */
    int segment(SendWork work, int index, FrameBurst burst) {
        look(work);
        int place = burst.count();
        int header = work.headerBytes;
        int from = header + work.segmentation.payloadOffset(index);
        int data = work.segmentation.payloadLength(index);
        work.segmentation.write(index, copy, TAG, sum(work.pieces, from, data));
        burst.begin(Frames.IP_GOOD | Frames.L4_GOOD);
        addHeaders(work.tag, header, burst, place);
        work.pieces.addTo(burst, from, data);
        return burst.length(place);
    }

    private long sum(Pieces pieces, int from, int bytes) {
        if (bytes <= 0) {
            return 0;
        }
        pieces.copyTo(from, payload, 0, bytes);
        return InternetChecksum.add(0, payload, 0, bytes);
    }

    /** The headers lie behind the room for a tag. */
    private void addHeaders(int tag, int length, FrameBurst burst, int place) {
        if (tag >= 0) {
            System.arraycopy(copy, TAG, copy, 0, ADDRESSES);
            putTag(copy, tag);
            burst.add(scratch.put(place, copy, 0, length + TAG), length + TAG);
        } else {
            burst.add(scratch.put(place, copy, TAG, length), length);
        }
    }

    private static void putTag(byte[] frame, int tag) {
        frame[ADDRESSES] = (byte) (EtherType.VLAN >>> 8);
        frame[ADDRESSES + 1] = (byte) EtherType.VLAN;
        frame[ADDRESSES + 2] = (byte) (tag >>> 8);
        frame[ADDRESSES + 3] = (byte) tag;
    }

    void close() {
        scratch.close();
    }
}
