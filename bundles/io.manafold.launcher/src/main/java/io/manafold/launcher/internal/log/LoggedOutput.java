package io.manafold.launcher.internal.log;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Takes the place of a standard stream, so that what a library prints goes to the log, line by line, and not over
 * a user's prompt. A line that begins with the name of a level is logged at that level.
 */
public final class LoggedOutput extends OutputStream {
    private static final int LONGEST_LINE = 4096;
    private static final Pattern LEVELLED =
            Pattern.compile("\\s*\\[?(?<level>TRACE|DEBUG|INFO|WARN|ERROR)(?:ING)?\\s*[]:]\\s*(?<text>.*)");

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Logger log;
    private final Level level;

    /** @param level of the lines that name none */
    public LoggedOutput(Logger log, Level level) {
        this.log = log;
        this.level = level;
    }

    @Override
    public void write(int value) {
        String full = null;
        synchronized (line) {
            if (value != '\n') {
                line.write(value);
            }
            if (line.size() == LONGEST_LINE || value == '\n') {
                full = line.toString(StandardCharsets.UTF_8);
                line.reset();
            }
        }
        if (full != null && !full.isBlank()) {
            log(full.stripTrailing());
        }
    }

    private void log(String text) {
        Matcher levelled = LEVELLED.matcher(text);
        if (levelled.matches()) {
            log.atLevel(Level.valueOf(levelled.group("level"))).log(levelled.group("text"));
        } else {
            log.atLevel(level).log(text);
        }
    }
}
