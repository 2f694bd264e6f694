package io.manafold.logging.internal;

import io.manafold.logging.LogRing;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** What SLF4J finds: loggers that write into the ring. The property {@code manafold.log} names their least level. */
public final class RingServiceProvider implements SLF4JServiceProvider {
    /** The newest SLF4J of the line that this provider is written for. */
    private static final String REQUESTED_API_VERSION = "2.0.99";

    private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new BasicMDCAdapter();
    private volatile Level level = Level.INFO;

    @Override
    public void initialize() {
        level = levelOf(System.getProperty("manafold.log", ""));
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, n -> new RingLogger(n, LogRing.shared(), level));
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion() {
        return REQUESTED_API_VERSION;
    }

    static Level levelOf(String word) {
        try {
            return Level.valueOf(word.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return Level.INFO;
        }
    }
}
