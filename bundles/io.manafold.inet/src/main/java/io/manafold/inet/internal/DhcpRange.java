package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import java.util.List;

/**
 * The addresses that a host gives to others.
 *
 * @param own the host's address, with the network that all of them are in
 */
record DhcpRange(IpPrefix own, long first, int count) {
    static final int MOST = 256;

    /**
     * Reads {@code 10.77.0.100-10.77.0.199}.
     *
     * @param addresses those of the host; one of them is on the network of the range
     * @throws IllegalArgumentException with a sentence
     */
    static DhcpRange parse(String text, List<IpPrefix> addresses) {
        String[] ends = text.split("-", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException("'" + text + "' is not two addresses with - between them, as in "
                    + "10.77.0.100-10.77.0.199");
        }
        IpAddress first = IpAddress.parse(ends[0].strip());
        IpAddress last = IpAddress.parse(ends[1].strip());
        if (!first.isIpv4() || !last.isIpv4() || last.low() < first.low() || last.low() - first.low() >= MOST) {
            throw new IllegalArgumentException("'" + text + "' is not 1 to " + MOST
                    + " addresses of IPv4, the lowest first");
        }
        for (IpPrefix own : addresses) {
            if (own.address().isIpv4() && own.length() < 31 && own.contains(first) && own.contains(last)) {
                boolean taken = own.address().low() >= first.low() && own.address().low() <= last.low();
                if (taken || own.network().address().equals(first) || own.last().equals(last)) {
                    throw new IllegalArgumentException("'" + text + "' holds the host's own address, or one that is "
                            + "no single host's");
                }
                return new DhcpRange(own, first.low(), (int) (last.low() - first.low()) + 1);
            }
        }
        throw new IllegalArgumentException("'" + text + "' is on no network of the host's addresses");
    }

    boolean has(long address) {
        return address >= first && address < first + count;
    }
}
