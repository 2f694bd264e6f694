package io.manafold.api.log;

import java.util.List;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** The running platform's log. A host that keeps its own log does not register this service. */
@ProviderType
public interface PlatformLog {
    /** What is remembered, oldest first. */
    List<LogLine> recent();

    /**
     * Hands every further line to a listener, on the thread that logs; it must be quick and must not log.
     *
     * @return ends it
     */
    AutoCloseable follow(Consumer<LogLine> listener);
}
