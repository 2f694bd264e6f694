package io.manafold.packet;

/**
 * Where the headers of a frame are: Ethernet, up to two tags, IPv4 with options, IPv6 with extension headers, TCP and
 * UDP. It reads from a copy, trusts nothing, never throws for what the bytes say, and is used again for the next frame.
 * Offsets count from the start of the frame.
 */
public final class Headers {
    /** The Ethernet header without tags. */
    public static final int ETHERNET = 14;
    /** A tag. */
    public static final int TAG = 4;
    /** As much of a frame as is worth copying to have its headers. */
    public static final int WORTH = 256;

    private static final int MAX_TAGS = 2;
    private static final int MAX_EXTENSIONS = 8;
    private static final int IPV4_MIN = 20;
    private static final int IPV6 = 40;
    private static final int TCP_MIN = 20;
    private static final int UDP_SIZE = 8;

    private byte[] bytes;
    private int base;
    private int available;
    private int frame;

    private int etherType;
    private int tags;
    private int tag;
    private int ipVersion;
    private int network;
    private int protocol;
    private int transport;
    private int transportHeader;
    private int transportLength;
    private boolean fragment;
    private boolean extensions;
    private boolean broken;

    /**
     * Looks at a frame as it came over the wire.
     *
     * @param from what holds its first bytes
     * @param offset where it begins there
     * @param count how many of its bytes are there
     * @param frameLength how many it has
     * @return whether there is a whole Ethernet header
     */
    public boolean parse(byte[] from, int offset, int count, int frameLength) {
        return parse(from, offset, count, frameLength, false);
    }

    /** Looks at the template of a segmentation, whose IP length is not filled in yet and follows from the frame's. */
    public boolean parseTemplate(byte[] from, int offset, int count, int frameLength) {
        return parse(from, offset, count, frameLength, true);
    }

    private boolean parse(byte[] from, int offset, int count, int frameLength, boolean template) {
        bytes = from;
        base = offset;
        available = Math.min(Math.min(count, frameLength), from.length - offset);
        frame = frameLength;
        etherType = 0;
        tags = 0;
        tag = 0;
        ipVersion = 0;
        network = -1;
        protocol = -1;
        transport = -1;
        transportHeader = 0;
        transportLength = 0;
        fragment = false;
        extensions = false;
        broken = false;
        if (offset < 0 || available < ETHERNET) {
            broken = true;
            return false;
        }
        int at = ETHERNET;
        etherType = u16(at - 2);
        while (EtherType.isTag(etherType) && tags < MAX_TAGS && at + TAG <= available) {
            if (tags == 0) {
                tag = u16(at);
            }
            tags++;
            etherType = u16(at + 2);
            at += TAG;
        }
        if (etherType == EtherType.IPV4) {
            ipv4(at, template);
        } else if (etherType == EtherType.IPV6) {
            ipv6(at, template);
        }
        return true;
    }

    private void ipv4(int at, boolean template) {
        if (at + IPV4_MIN > available || u8(at) >>> 4 != 4) {
            broken = true;
            return;
        }
        int header = (u8(at) & 0xf) * 4;
        int total = template ? frame - at : u16(at + 2);
        if (header < IPV4_MIN || total < header || total > frame - at) {
            broken = true;
            return;
        }
        network = at;
        ipVersion = 4;
        protocol = u8(at + 9);
        int place = u16(at + 6);
        fragment = (place & 0x3fff) != 0;
        if ((place & 0x1fff) == 0) {
            transport(at + header, total - header);
        }
    }

    private void ipv6(int at, boolean template) {
        if (at + IPV6 > available || u8(at) >>> 4 != 6) {
            broken = true;
            return;
        }
        int payload = template ? frame - at - IPV6 : u16(at + 4);
        if (payload > frame - at - IPV6) {
            broken = true;
            return;
        }
        network = at;
        ipVersion = 6;
        int next = u8(at + 6);
        int position = at + IPV6;
        int end = position + payload;
        boolean first = true;
        for (int i = 0; Protocol.isExtension(next); i++) {
            int size = extension(next, position, end);
            if (size < 0 || i == MAX_EXTENSIONS) {
                broken = true;
                return;
            }
            extensions = true;
            if (next == Protocol.FRAGMENT) {
                int place = u16(position + 2);
                fragment |= (place & 0xfff9) != 0;
                first &= (place & 0xfff8) == 0;
            }
            next = u8(position);
            position += size;
            if (!first) {
                break;
            }
        }
        protocol = next;
        if (first) {
            transport(position, end - position);
        }
    }

    /** The size of an extension header, −1 if it is not all there. */
    private int extension(int type, int position, int end) {
        if (position + 8 > available || position + 8 > end) {
            return -1;
        }
        int size = switch (type) {
            case Protocol.FRAGMENT -> 8;
            case Protocol.AUTHENTICATION -> (u8(position + 1) + 2) * 4;
            default -> (u8(position + 1) + 1) * 8;
        };
        return position + size > end ? -1 : size;
    }

    private void transport(int at, int length) {
        transport = at;
        transportLength = length;
        if (protocol == Protocol.TCP) {
            if (length >= TCP_MIN && at + TCP_MIN <= available) {
                int header = (u8(at + 12) >>> 4) * 4;
                transportHeader = header >= TCP_MIN && header <= length ? header : 0;
            }
        } else if (protocol == Protocol.UDP && length >= UDP_SIZE && at + UDP_SIZE <= available) {
            transportHeader = UDP_SIZE;
        }
    }

    private int u8(int at) {
        return bytes[base + at] & 0xff;
    }

    private int u16(int at) {
        return u8(at) << 8 | u8(at + 1);
    }

    /** What follows the tags. */
    public int etherType() {
        return etherType;
    }

    /** How many tags there are, up to two. */
    public int tags() {
        return tags;
    }

    /** The outer tag as it goes over the wire; 0 without one. */
    public int tag() {
        return tag;
    }

    /** Whether something claims to be there that is not, or not wholly. */
    public boolean isBroken() {
        return broken;
    }

    public boolean isIpv4() {
        return ipVersion == 4;
    }

    public boolean isIpv6() {
        return ipVersion == 6;
    }

    public boolean isIp() {
        return ipVersion != 0;
    }

    /** Where the IP header is, −1 if there is none. */
    public int network() {
        return network;
    }

    /** Where source and destination address are, one behind the other. */
    public int addresses() {
        return network + (ipVersion == 4 ? 12 : 8);
    }

    /** Bytes of both addresses together. */
    public int addressBytes() {
        return ipVersion == 4 ? 8 : 32;
    }

    /** Whether it is a part of a larger packet, the first part included. */
    public boolean isFragment() {
        return fragment;
    }

    /** Whether there are extension headers of IPv6. */
    public boolean hasExtensions() {
        return extensions;
    }

    /** What follows IP and its extension headers, −1 without IP; of a later fragment what follows in the first. */
    public int protocol() {
        return protocol;
    }

    /** Where the transport header would be; −1 without IP, in later fragments, and where extensions are broken. */
    public int transport() {
        return transport;
    }

    /** Bytes from the transport header to the end of the IP packet. */
    public int transportLength() {
        return transportLength;
    }

    /** Bytes of the transport header, 0 unless it is one of TCP or UDP that is sound. */
    public int transportHeader() {
        return transportHeader;
    }

    /** Whether there is a sound TCP header; it may be that of a first fragment. */
    public boolean isTcp() {
        return transportHeader != 0 && protocol == Protocol.TCP;
    }

    /** Whether there is a sound UDP header; it may be that of a first fragment. */
    public boolean isUdp() {
        return transportHeader != 0 && protocol == Protocol.UDP;
    }

    /** Where the bytes behind all headers begin; only for TCP and UDP. */
    public int payload() {
        return transport + transportHeader;
    }

    /** Where the checksum of TCP or UDP is. */
    public int transportChecksum() {
        return transport + (protocol == Protocol.TCP ? 16 : 6);
    }
}
