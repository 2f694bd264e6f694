package io.manafold.launcher.internal;

import io.manafold.launcher.internal.words.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the terminal of the standard streams for the prompt, without a process of its own where that is possible. */
final class SystemTerminal {
    private static final Logger LOG = LoggerFactory.getLogger(SystemTerminal.class);
    /** The start script's answer to {@code infocmp -x}. */
    private static final String ABILITIES = "MANAFOLD_TERMINAL_ABILITIES";

    private SystemTerminal() {
    }

    static Terminal open() throws IOException {
        // JLine looks for what it needs through this loader
        Thread.currentThread().setContextClassLoader(TerminalBuilder.class.getClassLoader());
        String type = System.getenv("TERM");
        String abilities = System.getenv(ABILITIES);
        if (type != null && abilities != null && !abilities.isBlank()) {
            InfoCmp.setLoadedInfoCmp(type, abilities + "\n");
        }
        // JLine's quick way to a terminal loses the line's speed: a hang-up where there is a line, no harm elsewhere
        if (Places.isPseudoTerminal(0)) {
            try {
                return builder().ffm(true).exec(false).dumb(false).build();
            } catch (IOException | IllegalStateException e) {
                LOG.info("The terminal is asked by other programs, since it cannot be asked from here", e);
            }
        }
        return builder().ffm(false).exec(true).dumb(true).build();
    }

    private static TerminalBuilder builder() {
        return TerminalBuilder.builder().system(true).jni(false).jna(false).jansi(false)
                .encoding(StandardCharsets.UTF_8).nativeSignals(false);
    }
}
