package io.manafold.inet.internal.listing;

/** ICMP for IPv4, for {@link PacketLine}. */
final class IcmpLine {
    private static final int HEADER = 8;
    private static final int IPV4 = 20;
    private static final int TCP = 6;
    private static final int UDP = 17;

    private IcmpLine() {
    }

    static void append(StringBuilder line, PacketBytes bytes, int at, int length) {
        line.append("ICMP ");
        if (!bytes.has(at, HEADER)) {
            line.append("[|icmp]");
            return;
        }
        int type = bytes.u8(at);
        int code = bytes.u8(at + 1);
        switch (type) {
            case 0, 8 -> line.append(type == 0 ? "echo reply" : "echo request").append(", id ")
                    .append(bytes.u16(at + 4)).append(", seq ").append(bytes.u16(at + 6));
            case 3 -> unreachable(line, bytes, at, code);
            case 11 -> line.append(code == 0 ? "time exceeded in-transit" : "ip reassembly time exceeded");
            default -> line.append("type-#").append(type);
        }
        line.append(", length ").append(length);
    }

    /** Of the packet that caused it its IP header is there, and eight bytes more. */
    private static void unreachable(StringBuilder line, PacketBytes bytes, int at, int code) {
        int inner = at + HEADER;
        if (!bytes.has(inner, IPV4)) {
            line.append("unreachable - #").append(code);
            return;
        }
        String target = bytes.address(inner + 16, 4).toString();
        int transport = inner + (bytes.u8(inner) & 0xf) * 4;
        switch (code) {
            case 0 -> line.append("net ").append(target).append(" unreachable");
            case 1 -> line.append("host ").append(target).append(" unreachable");
            case 2 -> line.append(target).append(" protocol ").append(bytes.u8(inner + 9)).append(" unreachable");
            case 3 -> {
                int protocol = bytes.u8(inner + 9);
                line.append(target).append(protocol == TCP ? " tcp" : protocol == UDP ? " udp" : " protocol "
                        + protocol)
                        .append(" port ").append(bytes.has(transport, 4) ? bytes.u16(transport + 2) : 0)
                        .append(" unreachable");
            }
            case 4 -> line.append(target).append(" unreachable - need to frag (mtu ").append(bytes.u16(at + 6))
                    .append(')');
            default -> line.append(target).append(" unreachable - #").append(code);
        }
    }
}
