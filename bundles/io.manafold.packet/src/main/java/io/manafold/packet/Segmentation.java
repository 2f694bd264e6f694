package io.manafold.packet;

/**
 * Cuts a large TCP send into segments: what each segment's headers are, and which part of the payload it has. The
 * headers are a template in a scratch copy; the payload is elsewhere and only its sum is needed. Used again for the
 * next send.
 */
public final class Segmentation {
    private static final int FIN_PSH = 0x09;
    private static final int CWR = 0x80;

    private final Headers headers = new Headers();
    private byte[] template;
    private int base;
    private int headerBytes;
    private int payload;
    private int segment;
    private int count;

    /**
     * Looks at a template: Ethernet, IP and TCP with their options, and nothing else.
     *
     * @param bytes holds it; must not change while segments are written
     * @param offset where it begins there
     * @param length all of it
     * @param payloadBytes how much follows
     * @param segmentBytes how much of that goes into one segment
     * @return false if it is not TCP over IP without fragments, has other bytes behind its headers, or if there is
     *         nothing to cut
     */
    public boolean begin(byte[] bytes, int offset, int length, int payloadBytes, int segmentBytes) {
        template = bytes;
        base = offset;
        headerBytes = length;
        payload = payloadBytes;
        segment = segmentBytes;
        count = 0;
        if (payloadBytes <= 0 || segmentBytes <= 0 || segmentBytes > 0xffff - length
                || !headers.parseTemplate(bytes, offset, length, length) || headers.isBroken()
                || headers.isFragment() || !headers.isTcp() || headers.payload() != length) {
            return false;
        }
        count = (payloadBytes - 1) / segmentBytes + 1;
        return true;
    }

    /** How many segments there are. */
    public int count() {
        return count;
    }

    /** Where the headers of the template are. */
    public Headers headers() {
        return headers;
    }

    /** Bytes of headers that every segment has. */
    public int headerBytes() {
        return headerBytes;
    }

    /** Where in the payload a segment's part begins. */
    public int payloadOffset(int index) {
        return index * segment;
    }

    /** How much of the payload a segment has. */
    public int payloadLength(int index) {
        return Math.min(segment, payload - index * segment);
    }

    /**
     * Writes a segment's headers with all lengths and checksums.
     *
     * @param out where, with room for {@link #headerBytes}
     * @param payloadSum sum of the segment's part of the payload, as {@link InternetChecksum} makes it
     */
    public void write(int index, byte[] out, int at, long payloadSum) {
        System.arraycopy(template, base, out, at, headerBytes);
        int network = at + headers.network();
        int transport = at + headers.transport();
        int data = payloadLength(index);
        int transportLength = headerBytes - headers.transport() + data;
        if (headers.isIpv4()) {
            Offloads.put16(out, network + 2, headerBytes - headers.network() + data);
            Offloads.put16(out, network + 4, Offloads.get16(out, network + 4) + index);
            Offloads.writeIpv4Checksum(out, at, headers);
        } else {
            Offloads.put16(out, network + 4, headerBytes - headers.network() - 40 + data);
        }
        Offloads.put32(out, transport + 4, Offloads.get32(out, transport + 4) + payloadOffset(index));
        if (index < count - 1) {
            out[transport + 13] = (byte) (out[transport + 13] & ~FIN_PSH);
        }
        if (index > 0) {
            out[transport + 13] = (byte) (out[transport + 13] & ~CWR);
        }
        Offloads.put16(out, transport + 16, 0);
        long sum = InternetChecksum.pseudoHeader(out, at + headers.addresses(), headers.addressBytes(), Protocol.TCP,
                transportLength);
        sum = InternetChecksum.add(sum, out, transport, headers.transportHeader());
        sum = InternetChecksum.addPiece(sum, payloadSum, 0);
        Offloads.put16(out, transport + 16, InternetChecksum.finish(sum));
    }
}
