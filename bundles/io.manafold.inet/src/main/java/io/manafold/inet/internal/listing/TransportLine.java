package io.manafold.inet.internal.listing;

import io.manafold.packet.Headers;
import io.manafold.packet.Protocol;

/** What stands behind the header of IP, for {@link PacketLine}. */
final class TransportLine {
    private static final int SYN = 2;
    private static final int FIN = 1;
    private static final int RST = 4;
    private static final int ACK = 16;
    private static final int URG = 32;
    private static final int TCP_MIN = 20;
    /** The letters of TCP's flags, in the order in which they are printed. */
    private static final String LETTERS = "FSRP.UEWe";
    private static final int FLAGS = 0x1ff;

    private static final int END = 0;
    private static final int NOP = 1;
    private static final int MSS = 2;
    private static final int WINDOW_SCALE = 3;
    private static final int SACK_PERMITTED = 4;
    private static final int SACK = 5;
    private static final int TIMESTAMPS = 8;

    private TransportLine() {
    }

    static void append(StringBuilder line, PacketBytes bytes, Headers headers) {
        int at = headers.transport();
        if (at < 0) {
            later(line, headers);
        } else if (headers.isTcp()) {
            tcp(line, bytes, at, headers.transportHeader(), headers.transportLength());
        } else if (headers.isUdp()) {
            line.append("UDP, length ").append(headers.transportLength() - headers.transportHeader());
        } else {
            switch (headers.protocol()) {
                case Protocol.TCP -> line.append("[|tcp]");
                case Protocol.UDP -> line.append("[|udp]");
                case Protocol.ICMP -> IcmpLine.append(line, bytes, at, headers.transportLength());
                case Protocol.ICMPV6 -> Icmp6Line.append(line, bytes, at, headers.transportLength());
                default -> line.append(" ip-proto-").append(headers.protocol()).append(' ')
                        .append(headers.transportLength());
            }
        }
    }

    /** A later fragment, or one whose extension headers are not all there. */
    private static void later(StringBuilder line, Headers headers) {
        line.append(headers.isBroken() ? "[|ip6]" : switch (headers.protocol()) {
            case Protocol.TCP -> "tcp";
            case Protocol.UDP -> "udp";
            case Protocol.ICMP -> "icmp";
            case Protocol.ICMPV6 -> "frag";
            default -> "ip-proto-" + headers.protocol();
        });
    }

    private static void tcp(StringBuilder line, PacketBytes bytes, int at, int header, int length) {
        int flags = bytes.u16(at + 12) & FLAGS;
        line.append("Flags [");
        for (int i = 0; i < LETTERS.length(); i++) {
            if ((flags >> i & 1) != 0) {
                line.append(LETTERS.charAt(i));
            }
        }
        line.append(flags == 0 ? "none]" : "]");
        int payload = length - header;
        if (payload > 0 || (flags & (SYN | FIN | RST)) != 0) {
            long sequence = bytes.u32(at + 4);
            line.append(", seq ").append(sequence);
            if (payload > 0) {
                line.append(':').append(sequence + payload & 0xffff_ffffL);
            }
        }
        if ((flags & ACK) != 0) {
            line.append(", ack ").append(bytes.u32(at + 8));
        }
        line.append(", win ").append(bytes.u16(at + 14));
        if ((flags & URG) != 0) {
            line.append(", urg ").append(bytes.u16(at + 18));
        }
        if (header > TCP_MIN) {
            line.append(", options [");
            options(line, bytes, at + TCP_MIN, at + header);
            line.append(']');
        }
        line.append(", length ").append(payload);
    }

    private static void options(StringBuilder line, PacketBytes bytes, int from, int end) {
        int at = from;
        while (at < end) {
            line.append(at == from ? "" : ",");
            int kind = bytes.has(at, 1) ? bytes.u8(at) : END;
            int size = kind == NOP || kind == END ? 1 : bytes.has(at, 2) ? bytes.u8(at + 1) : 0;
            if (size < (kind == NOP || kind == END ? 1 : 2) || size > end - at || !bytes.has(at, size)) {
                line.append("[bad opt]");
                return;
            }
            if (kind == END) {
                line.append("eol");
                return;
            }
            option(line, bytes, at, kind, size);
            at += size;
        }
    }

    private static void option(StringBuilder line, PacketBytes bytes, int at, int kind, int size) {
        if (kind == NOP) {
            line.append("nop");
        } else if (kind == MSS && size == 4) {
            line.append("mss ").append(bytes.u16(at + 2));
        } else if (kind == WINDOW_SCALE && size == 3) {
            line.append("wscale ").append(bytes.u8(at + 2));
        } else if (kind == SACK_PERMITTED && size == 2) {
            line.append("sackOK");
        } else if (kind == TIMESTAMPS && size == 10) {
            line.append("TS val ").append(bytes.u32(at + 2)).append(" ecr ").append(bytes.u32(at + 6));
        } else if (kind == SACK && size > 2 && (size - 2) % 8 == 0) {
            line.append("sack ").append((size - 2) / 8).append(' ');
            for (int block = at + 2; block < at + size; block += 8) {
                line.append('{').append(bytes.u32(block)).append(':').append(bytes.u32(block + 4)).append('}');
            }
        } else {
            line.append("unknown-").append(kind);
            line.append(size > 2 ? " 0x" : "");
            for (int i = 2; i < size; i++) {
                line.append("%02x".formatted(bytes.u8(at + i)));
            }
        }
    }
}
