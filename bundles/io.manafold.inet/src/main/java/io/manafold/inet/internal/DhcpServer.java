package io.manafold.inet.internal;

import io.manafold.api.inet.Datagram;
import io.manafold.api.inet.DatagramReceiver;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Lease;
import io.manafold.api.net.MacAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives addresses of a range to stations that ask for them by DHCP (RFC 2131): address and mask, no router, no names.
 * Stations without end may ask: what is remembered is one entry for each address of the range, and when all are given,
 * later ones get no answer until one is given back or an hour has passed. Messages come on the device's thread.
 */
final class DhcpServer implements DatagramReceiver {
    static final int SERVER_PORT = 67;
    static final int CLIENT_PORT = 68;
    private static final int LEASE_SECONDS = 3600;
    /** How long an offer is kept for the station that it was made to. */
    private static final int OFFER_SECONDS = 10;
    private static final int OFFER = 2;
    private static final int ACK = 5;
    private static final int NAK = 6;
    /** The least that a client of BOOTP takes. */
    private static final int LENGTH = 300;

    private final DhcpRange range;
    private final Clock clock;
    private final Entry[] entries;
    private final DhcpRequest request = new DhcpRequest();
    private final byte[] answer = new byte[LENGTH];

    /** What is known of one address of the range. */
    private static final class Entry {
        /** 0 for one that another host has already. */
        private long mac;
        private boolean given;
        private boolean used;
        private long until;
        private String hostName = "";
        private long times;
    }

    /** @param last the server before, or {@code null}: what it has given in this range is given */
    DhcpServer(DhcpRange range, Clock clock, DhcpServer last) {
        this.range = range;
        this.clock = clock;
        entries = new Entry[range.count()];
        Arrays.setAll(entries, at -> last == null ? new Entry() : last.copy(range.first() + at));
    }

    private synchronized Entry copy(long address) {
        Entry copy = new Entry();
        if (range.has(address)) {
            Entry entry = entries[(int) (address - range.first())];
            copy.mac = entry.mac;
            copy.given = entry.given;
            copy.used = entry.used;
            copy.until = entry.until;
            copy.hostName = entry.hostName;
            copy.times = entry.times;
        }
        return copy;
    }

    DhcpRange range() {
        return range;
    }

    @Override
    public synchronized void receive(Datagram datagram) {
        if (!request.read(datagram)) {
            return;
        }
        switch (request.type) {
            case DhcpRequest.DISCOVER -> discover(datagram);
            case DhcpRequest.REQUEST -> request(datagram);
            case DhcpRequest.DECLINE -> giveBack(request.wanted, 0);
            case DhcpRequest.RELEASE -> giveBack(request.client, request.mac);
            default -> {
                // what remains are questions for parameters, of which there are none, and messages of servers
            }
        }
    }

    private void discover(Datagram datagram) {
        int at = find();
        if (at >= 0) {
            Entry entry = entries[at];
            if (!isOf(entry, request.mac) || !entry.given) {
                keep(entry, false, OFFER_SECONDS);
            }
            send(datagram, OFFER, range.first() + at);
        }
    }

    private void request(Datagram datagram) {
        if (request.server != 0 && request.server != range.own().address().low()) {
            return;
        }
        long wanted = request.wanted != 0 ? request.wanted : request.client;
        if (!range.has(wanted) || !isFreeFor(entries[(int) (wanted - range.first())], request.mac)) {
            send(datagram, NAK, 0);
            return;
        }
        Entry entry = entries[(int) (wanted - range.first())];
        forget(entry);
        keep(entry, true, LEASE_SECONDS);
        entry.hostName = request.hostName();
        entry.times++;
        send(datagram, ACK, wanted);
    }

    /** What else the station had. */
    private void forget(Entry but) {
        for (Entry other : entries) {
            if (other != but && isOf(other, request.mac)) {
                other.used = false;
            }
        }
    }

    private void keep(Entry entry, boolean given, int seconds) {
        if (!isOf(entry, request.mac)) {
            entry.times = 0;
            entry.hostName = "";
        }
        entry.mac = request.mac;
        entry.used = true;
        entry.given = given;
        entry.until = clock.now() + seconds * Clock.SECOND;
    }

    private static boolean isOf(Entry entry, long mac) {
        return entry.used && entry.mac == mac;
    }

    private boolean isFreeFor(Entry entry, long mac) {
        return !entry.used || entry.mac == mac || entry.until - clock.now() < 0;
    }

    /** The station's own, what it asks for, or the first that is free; -1 if there is none. */
    private int find() {
        for (int i = 0; i < entries.length; i++) {
            if (isOf(entries[i], request.mac)) {
                return i;
            }
        }
        if (range.has(request.wanted) && isFreeFor(entries[(int) (request.wanted - range.first())], request.mac)) {
            return (int) (request.wanted - range.first());
        }
        for (int i = 0; i < entries.length; i++) {
            if (isFreeFor(entries[i], request.mac)) {
                return i;
            }
        }
        return -1;
    }

    /** @param mac the station that has it from now on: the same that had it lets it go, 0 is a host unknown here */
    private void giveBack(long address, long mac) {
        if (range.has(address)) {
            Entry entry = entries[(int) (address - range.first())];
            if (isOf(entry, request.mac)) {
                entry.used = mac == 0;
                entry.mac = mac;
                entry.given = false;
                entry.until = clock.now() + LEASE_SECONDS * Clock.SECOND;
            }
        }
    }

    /** To all, since no station without an address can be found; to its address where it has one. */
    private void send(Datagram datagram, int type, long address) {
        Arrays.fill(answer, (byte) 0);
        request.answer(answer);
        BigEndian.put32(answer, 16, (int) address);
        int at = 240;
        at = option(at, 53, 1, type);
        at = option(at, 54, 4, (int) range.own().address().low());
        if (type != NAK) {
            BigEndian.put32(answer, 12, type == ACK ? (int) request.client : 0);
            at = option(at, 51, 4, LEASE_SECONDS);
            at = option(at, 1, 4, (int) (0xffff_ffffL << 32 - range.own().length()));
        }
        answer[at] = (byte) 255;
        boolean known = type == ACK && request.client == address;
        datagram.port().send(answer, 0, LENGTH, known ? IpAddress.ipv4((int) address) : IpAddress.BROADCAST4,
                CLIENT_PORT);
    }

    private int option(int at, int code, int size, int value) {
        BigEndian.put8(answer, at, code);
        BigEndian.put8(answer, at + 1, size);
        if (size == 1) {
            BigEndian.put8(answer, at + 2, value);
        } else {
            BigEndian.put32(answer, at + 2, value);
        }
        return at + 2 + size;
    }

    synchronized List<Lease> leases() {
        List<Lease> all = new ArrayList<>();
        for (int i = 0; i < entries.length; i++) {
            Entry entry = entries[i];
            if (entry.used && entry.given && entry.until - clock.now() >= 0) {
                all.add(new Lease(IpAddress.ipv4((int) (range.first() + i)), new MacAddress(entry.mac),
                        entry.hostName, entry.times));
            }
        }
        return all;
    }
}
