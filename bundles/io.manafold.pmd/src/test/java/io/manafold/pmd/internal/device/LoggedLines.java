package io.manafold.pmd.internal.device;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** A log of this module's tests that keeps what the types of the driver's messages have said. */
public final class LoggedLines implements SLF4JServiceProvider {
    static final Queue<String> LINES = new ConcurrentLinkedQueue<>();
    private static final String TYPES = "pmd.";

    private static final class Type extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        Type(String name) {
            this.name = name;
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return name.startsWith(TYPES);
        }

        @Override
        public boolean isWarnEnabled() {
            return name.startsWith(TYPES);
        }

        @Override
        public boolean isErrorEnabled() {
            return name.startsWith(TYPES);
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(Level level, Marker marker, String text, Object[] arguments,
                Throwable why) {
            LINES.add(name + " " + MessageFormatter.basicArrayFormat(text, arguments));
        }
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Type::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return new BasicMarkerFactory();
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return new NOPMDCAdapter();
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.17";
    }

    @Override
    public void initialize() {
        // nothing is to be made beforehand
    }
}
