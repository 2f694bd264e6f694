package io.manafold.inet.internal.listing;

/** ICMP for IPv6, for {@link PacketLine}. */
final class Icmp6Line {
    private static final int LEAST = 4;
    private static final int ADDRESS = 16;
    private static final int TARGET = 8;

    private Icmp6Line() {
    }

    static void append(StringBuilder line, PacketBytes bytes, int at, int length) {
        line.append("ICMP6, ");
        if (!bytes.has(at, LEAST)) {
            line.append("[|icmp6]");
            return;
        }
        int type = bytes.u8(at);
        switch (type) {
            case 1 -> line.append("destination unreachable");
            case 2 -> line.append("packet too big");
            case 3 -> line.append("time exceeded");
            case 128, 129 -> {
                line.append(type == 128 ? "echo request" : "echo reply");
                if (bytes.has(at, 8)) {
                    line.append(", id ").append(bytes.u16(at + 4)).append(", seq ").append(bytes.u16(at + 6));
                }
            }
            case 133 -> line.append("router solicitation");
            case 134 -> line.append("router advertisement");
            case 135 -> target(line.append("neighbor solicitation, who has "), bytes, at);
            case 136 -> target(line.append("neighbor advertisement, tgt is "), bytes, at);
            case 143 -> line.append("multicast listener report v2, ")
                    .append(bytes.has(at, 8) ? bytes.u16(at + 6) : 0).append(" group record(s)");
            default -> line.append(type).append(", code ").append(bytes.u8(at + 1));
        }
        line.append(", length ").append(length);
    }

    private static void target(StringBuilder line, PacketBytes bytes, int at) {
        line.append(bytes.has(at + TARGET, ADDRESS) ? bytes.address(at + TARGET, ADDRESS).toString() : "[|icmp6]");
    }
}
