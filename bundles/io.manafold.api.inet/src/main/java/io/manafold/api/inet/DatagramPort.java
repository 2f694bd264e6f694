package io.manafold.api.inet;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** A UDP port of a host; it stays when the device goes and comes. Any thread may call. */
@ProviderType
public interface DatagramPort extends AutoCloseable {
    /** The address it is bound to; unspecified if to all. */
    IpAddress address();

    int port();

    /**
     * Sends a datagram: at once on the device's thread, as from a {@link DatagramReceiver}, else soon. It may be lost
     * on the way like any other.
     *
     * @return false if there is no room for it now
     * @throws io.manafold.api.refusal.Refusal {@code EMSGSIZE} if the MTU does not let it through, {@code ENETUNREACH}
     *         without a route, {@code EADDRNOTAVAIL} without an address to send from, {@code ENODEV}, {@code ENETDOWN}
     */
    boolean send(byte[] data, int offset, int length, IpAddress to, int toPort);

    /** The longest datagram to a host of that family, at the moment. */
    int maxSize(boolean ipv6);

    /** {@code received}, {@code sent}, {@code dropped}, bytes of both. */
    Map<String, Long> counters();

    @Override
    void close();
}
