package io.manafold.packet;

/** Checksums that a device writes into or checks in a frame whose headers lie in a copy. Nothing is allocated. */
public final class Offloads {
    private Offloads() {
    }

    /** Writes the checksum of the IPv4 header. All of the header lies in the copy. */
    public static void writeIpv4Checksum(byte[] bytes, int base, Headers headers) {
        int at = base + headers.network();
        put16(bytes, at + 10, 0);
        put16(bytes, at + 10, InternetChecksum.finish(InternetChecksum.add(0, bytes, at, (bytes[at] & 0xf) * 4)));
    }

    /** Whether the checksum of the IPv4 header is right. All of the header lies in the copy. */
    public static boolean isIpv4ChecksumGood(byte[] bytes, int base, Headers headers) {
        int at = base + headers.network();
        return InternetChecksum.isGood(InternetChecksum.add(0, bytes, at, (bytes[at] & 0xf) * 4));
    }

    /**
     * Writes the checksum of TCP or UDP, whatever the field held before.
     *
     * @param copied how many bytes of the frame lie in the copy, at least the transport header
     * @param restSum the sum of the transport's bytes that do not lie in the copy, as if they began at an even place
     */
    public static void writeTransportChecksum(byte[] bytes, int base, Headers headers, int copied, long restSum) {
        put16(bytes, base + headers.transportChecksum(), 0);
        long sum = transportSum(bytes, base, headers, copied, restSum);
        put16(bytes, base + headers.transportChecksum(), headers.isUdp()
                ? InternetChecksum.finishUdp(sum) : InternetChecksum.finish(sum));
    }

    /** Whether the checksum of TCP or UDP is right; a UDP header without one is not. Parameters as for writing. */
    public static boolean isTransportChecksumGood(byte[] bytes, int base, Headers headers, int copied, long restSum) {
        int at = base + headers.transportChecksum();
        return !(headers.isUdp() && bytes[at] == 0 && bytes[at + 1] == 0)
                && InternetChecksum.isGood(transportSum(bytes, base, headers, copied, restSum));
    }

    private static long transportSum(byte[] bytes, int base, Headers headers, int copied, long restSum) {
        int transport = headers.transport();
        int here = Math.min(copied - transport, headers.transportLength());
        long sum = InternetChecksum.pseudoHeader(bytes, base + headers.addresses(), headers.addressBytes(),
                headers.protocol(), headers.transportLength());
        sum = InternetChecksum.add(sum, bytes, base + transport, here);
        return InternetChecksum.addPiece(sum, restSum, here);
    }

    static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }

    static void put32(byte[] bytes, int at, int value) {
        put16(bytes, at, value >>> 16);
        put16(bytes, at + 2, value);
    }

    static int get16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    static int get32(byte[] bytes, int at) {
        return get16(bytes, at) << 16 | get16(bytes, at + 2);
    }
}
