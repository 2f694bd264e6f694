package io.manafold.inet.internal.listing;

import io.manafold.api.inet.IpAddress;
import io.manafold.packet.EtherType;
import io.manafold.packet.Headers;

/**
 * A packet in one line, by the words that readers of packets know. Bytes may say anything: nothing is read beyond those
 * that are there, and nothing of them is printed but numbers.
 */
final class PacketLine {
    private static final int ARP_BYTES = 28;
    private static final int PRIORITY = 13;
    private static final int NUMBER = 0xfff;

    private final Headers headers = new Headers();
    private final boolean withLink;
    private PacketBytes bytes;

    /** @param withLink whether the line begins with what Ethernet says */
    PacketLine(boolean withLink) {
        this.withLink = withLink;
    }

    /** @param length how many bytes the packet has, of which these are the first */
    String of(PacketBytes first, int length) {
        bytes = first;
        StringBuilder line = new StringBuilder();
        if (!headers.parse(first.array(), first.offset(), first.count(), length)) {
            return line.append("[|ether]").toString();
        }
        boolean known = headers.isIp() || headers.isBroken() || headers.etherType() == EtherType.ARP;
        if (withLink || !known) {
            link(line, length);
        }
        if (headers.isIp()) {
            line.append(withLink ? "" : headers.isIpv4() ? "IP " : "IP6 ");
            network(line);
        } else if (headers.etherType() == EtherType.ARP) {
            line.append(withLink ? "" : "ARP, ");
            arp(line, Headers.ETHERNET + headers.tags() * Headers.TAG, length);
        } else if (headers.isBroken()) {
            boolean six = headers.etherType() == EtherType.IPV6;
            line.append(withLink ? "" : six ? "IP6 " : "IP ").append(six ? "[|ip6]" : "[|ip]");
        }
        return line.toString().stripTrailing();
    }

    private void link(StringBuilder line, int length) {
        mac(line, 6);
        line.append(" > ");
        mac(line, 0);
        line.append(", ");
        int at = Headers.ETHERNET - 2;
        type(line, bytes.u16(at));
        line.append(", length ").append(length).append(": ");
        for (int i = 0; i < headers.tags(); i++) {
            int tag = bytes.u16(at + 2);
            at += Headers.TAG;
            line.append("vlan ").append(tag & NUMBER).append(", p ").append(tag >>> PRIORITY)
                    .append((tag & 0x1000) == 0 ? "" : ", DEI").append(", ");
            type(line, bytes.u16(at));
            line.append(", ");
        }
    }

    private static void type(StringBuilder line, int type) {
        line.append("ethertype ").append(switch (type) {
            case EtherType.IPV4 -> "IPv4";
            case EtherType.IPV6 -> "IPv6";
            case EtherType.ARP -> "ARP";
            case EtherType.VLAN -> "802.1Q";
            case EtherType.PROVIDER_VLAN -> "802.1Q-QinQ";
            default -> "Unknown";
        }).append(" (0x%04x)".formatted(type));
    }

    private void mac(StringBuilder line, int at) {
        for (int i = 0; i < 6; i++) {
            line.append(i == 0 ? "" : ":").append("%02x".formatted(bytes.u8(at + i)));
        }
    }

    private void arp(StringBuilder line, int at, int length) {
        if (!bytes.has(at, ARP_BYTES)) {
            line.append("[|arp]");
            return;
        }
        int operation = bytes.u16(at + 6);
        IpAddress sender = IpAddress.ipv4(bytes.i32(at + 14));
        IpAddress target = IpAddress.ipv4(bytes.i32(at + 24));
        switch (operation) {
            case 1 -> {
                line.append("Request who-has ").append(target);
                if ((bytes.u16(at + 18) | bytes.i32(at + 20)) != 0) {
                    line.append(" (");
                    mac(line, at + 18);
                    line.append(')');
                }
                line.append(" tell ").append(sender);
            }
            case 2 -> {
                line.append("Reply ").append(sender).append(" is-at ");
                mac(line, at + 8);
            }
            default -> line.append("Unknown (").append(operation).append(')');
        }
        line.append(", length ").append(length - at);
    }

    private void network(StringBuilder line) {
        int at = headers.addresses();
        int size = headers.addressBytes() / 2;
        String source = bytes.address(at, size).toString();
        String target = bytes.address(at + size, size).toString();
        if (headers.isTcp() || headers.isUdp()) {
            line.append(source).append('.').append(bytes.u16(headers.transport())).append(" > ").append(target)
                    .append('.').append(bytes.u16(headers.transport() + 2)).append(": ");
        } else {
            line.append(source).append(" > ").append(target).append(": ");
        }
        TransportLine.append(line, bytes, headers);
    }
}
