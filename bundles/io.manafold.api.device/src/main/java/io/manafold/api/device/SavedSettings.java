package io.manafold.api.device;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Keeps what administrators set, for whoever can put it in place again: it outlives the driver, the device and the
 * platform. Subjects are named after where a thing is: {@code 7870:00:00.0/1}. Any thread may call.
 */
@ProviderType
public interface SavedSettings {
    /** What was kept last; empty if nothing. */
    Map<String, String> read(String subject);

    /**
     * Keeps settings instead of what was kept before; when this returns they are on disk. Those that cannot be written are
     * taken all the same, and written as soon as that can be done.
     *
     * @param settings words without spaces; empty to forget the subject
     * @throws io.manafold.api.refusal.NotKept if they cannot be written now
     */
    void write(String subject, Map<String, String> settings);
}
