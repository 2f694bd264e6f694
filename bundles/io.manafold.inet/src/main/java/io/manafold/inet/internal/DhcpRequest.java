package io.manafold.inet.internal;

import io.manafold.api.inet.Datagram;

/** A client's message of DHCP, as it lies in a copy. It is used again for the next one. */
final class DhcpRequest {
    static final int DISCOVER = 1;
    static final int REQUEST = 3;
    static final int DECLINE = 4;
    static final int RELEASE = 7;

    private static final int MOST = 1500;
    private static final int OPTIONS = 240;
    private static final int COOKIE = 0x63825363;
    private static final int END = 255;
    private static final int LONGEST_NAME = 63;

    private final byte[] bytes = new byte[MOST];
    int type;
    long mac;
    long client;
    /** An address that is asked for; 0 without one. */
    long wanted;
    /** The server that is meant; 0 without one. */
    long server;
    private int nameAt;
    private int nameLength;

    /** False for what is no message of a client on an Ethernet. */
    boolean read(Datagram datagram) {
        int length = datagram.length();
        if (length < OPTIONS || length > MOST) {
            return false;
        }
        datagram.get(0, bytes, 0, length);
        mac = BigEndian.get48(bytes, 28);
        client = BigEndian.get32(bytes, 12) & 0xffff_ffffL;
        // a request of an Ethernet's station that came without a relay
        if (BigEndian.get32(bytes, 0) >>> 8 != 0x010106 || BigEndian.get32(bytes, 24) != 0
                || BigEndian.get32(bytes, 236) != COOKIE || mac == 0 || (mac >>> 40 & 1) != 0) {
            return false;
        }
        type = 0;
        wanted = 0;
        server = 0;
        nameLength = 0;
        return options(length) && type != 0;
    }

    private boolean options(int length) {
        int at = OPTIONS;
        while (at < length) {
            int code = BigEndian.get8(bytes, at++);
            if (code == END) {
                return true;
            }
            if (code == 0) {
                continue;
            }
            if (at == length || at + 1 + BigEndian.get8(bytes, at) > length) {
                return false;
            }
            int size = BigEndian.get8(bytes, at++);
            option(code, at, size);
            at += size;
        }
        // messages end without their last option, too
        return true;
    }

    private void option(int code, int at, int size) {
        if (code == 53 && size == 1) {
            type = BigEndian.get8(bytes, at);
        } else if (code == 50 && size == 4) {
            wanted = BigEndian.get32(bytes, at) & 0xffff_ffffL;
        } else if (code == 54 && size == 4) {
            server = BigEndian.get32(bytes, at) & 0xffff_ffffL;
        } else if (code == 12) {
            nameAt = at;
            nameLength = Math.min(size, LONGEST_NAME);
        }
    }

    /** What the client calls itself, in printable characters. */
    String hostName() {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < nameLength; i++) {
            byte one = bytes[nameAt + i];
            name.append(one > ' ' && one < 0x7f ? (char) one : '.');
        }
        return name.toString();
    }

    /** The parts of an answer that repeat the question: transaction, flags and the station's address. */
    void answer(byte[] into) {
        into[0] = 2;
        into[1] = 1;
        into[2] = 6;
        System.arraycopy(bytes, 4, into, 4, 4);
        System.arraycopy(bytes, 10, into, 10, 2);
        System.arraycopy(bytes, 28, into, 28, 16);
        BigEndian.put32(into, 236, COOKIE);
    }
}
