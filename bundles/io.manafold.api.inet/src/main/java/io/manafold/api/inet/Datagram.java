package io.manafold.api.inet;

import org.osgi.annotation.versioning.ProviderType;

/** A datagram that has arrived: a view, used again for the next one. */
@ProviderType
public interface Datagram {
    DatagramPort port();

    IpAddress from();

    int fromPort();

    /** The address it was sent to. */
    IpAddress to();

    int length();

    /** Copies bytes of it out. */
    void get(int at, byte[] into, int offset, int count);

    /** Eight bytes in network order. */
    long get64(int at);
}
