package io.manafold.api.inet;

import java.time.Instant;
import org.osgi.annotation.versioning.ProviderType;

/** A packet that has passed a network device. */
@ProviderType
public interface PassingPacket {
    Instant time();

    /** Whether the device has received it, and not sent. */
    boolean incoming();

    /** Its bytes. */
    int length();

    /**
     * What it is, in one line without control characters.
     *
     * @param withLink whether the line begins with what Ethernet says
     */
    String text(boolean withLink);
}
