package io.manafold.launcher.internal.log;

import io.manafold.api.log.LogLine;
import io.manafold.api.log.PlatformLog;
import io.manafold.logging.LogRing;
import io.manafold.logging.LoggedLine;
import java.util.List;
import java.util.function.Consumer;

/** The platform's log is what the logging ring holds. */
public final class RingLog implements PlatformLog {
    private final LogRing ring;

    public RingLog(LogRing ring) {
        this.ring = ring;
    }

    @Override
    public List<LogLine> recent() {
        return ring.recent().stream().map(RingLog::line).toList();
    }

    @Override
    public AutoCloseable follow(Consumer<LogLine> listener) {
        return ring.follow(logged -> listener.accept(line(logged)));
    }

    private static LogLine line(LoggedLine logged) {
        return new LogLine(logged.time(), logged.level(), logged.logger(), logged.text());
    }
}
