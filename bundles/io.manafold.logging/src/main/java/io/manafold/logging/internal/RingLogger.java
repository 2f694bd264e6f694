package io.manafold.logging.internal;

import io.manafold.logging.LogRing;
import io.manafold.logging.LoggedLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes into the ring what is at least as grave as its level. */
public final class RingLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_TEXT = 4000;
    private static final int LONGEST_TRACE = 32_000;
    private static final int DEEPEST_CAUSE = 8;

    private final transient LogRing ring;
    private final int level;
    private final String shortName;

    RingLogger(String name, LogRing ring, Level level) {
        this.name = name;
        this.ring = ring;
        this.level = level.toInt();
        this.shortName = name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public boolean isTraceEnabled() {
        return enabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return enabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return enabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return enabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return enabled(Level.ERROR);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(Level at, Marker marker, String pattern, Object[] arguments,
            Throwable thrown) {
        StringBuilder text = new StringBuilder();
        String message = MessageFormatter.basicArrayFormat(pattern, arguments);
        text.append(message);
        if (thrown != null) {
            name(thrown, text);
        }
        ring.append(new LoggedLine(Instant.now(), at.name(), shortName, oneLine(text), trace(thrown)));
    }

    private boolean enabled(Level wanted) {
        return wanted.toInt() >= level;
    }

    /** Names a throwable and its causes: what a reader of one line needs of them. */
    private static void name(Throwable thrown, StringBuilder text) {
        Throwable at = thrown;
        for (int depth = 0; at != null && depth < DEEPEST_CAUSE; depth++) {
            text.append(depth == 0 ? ": " : ", because of ").append(at.getClass().getSimpleName());
            try {
                String message = at.getMessage();
                if (message != null) {
                    text.append(": ").append(message);
                }
                at = at.getCause();
            } catch (Throwable second) {
                // its class may be of any bundle, and must not end what the speaker is about
                text.append(" (which threw ").append(second.getClass().getName()).append(')');
                return;
            }
        }
    }

    /** What is logged may come from anyone: it must neither begin lines of its own nor reach a terminal as an order. */
    private static String oneLine(StringBuilder text) {
        int end = Math.min(text.length(), LONGEST_TEXT);
        StringBuilder line = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append(' ');
                default -> {
                    if (Character.isISOControl(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        if (end < text.length()) {
            line.append(" …");
        }
        return line.toString();
    }

    private static String trace(Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        StringWriter written = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(written, true));
        } catch (Throwable second) {
            written.append("(its trace threw ").append(second.getClass().getName()).append(")");
        }
        String trace = written.toString();
        return trace.length() <= LONGEST_TRACE ? trace : trace.substring(0, LONGEST_TRACE);
    }
}
