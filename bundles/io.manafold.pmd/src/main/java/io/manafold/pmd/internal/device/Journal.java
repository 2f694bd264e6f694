package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.words.LogLevels;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages of an environment on their way to the platform's log, as far as its words want them there. */
final class Journal {
    private static final String INIT = "pmd.net.mana.init";
    private static final String DRIVER = "pmd.net.mana.driver";

    private static final String PAIRS = "pmd.net.netvsc.driver";

    private final AtomicReference<LogLevels> levels;

    Journal(LogLevels levels) {
        this.levels = new AtomicReference<>(levels);
    }

    /**
     * Sets the level of types.
     *
     * @throws Refusal {@code EINVAL} for what names no type, and for another level
     */
    void level(String types, int level) {
        levels.updateAndGet(before -> before.with(List.of(INIT, DRIVER, PAIRS), types, level));
    }

    /** About looking for ports. */
    void init(int level, String text) {
        log(INIT, level, text);
    }

    /** About ports. */
    void driver(int level, String text) {
        log(DRIVER, level, text);
    }

    /** About ports over pairs. */
    void pairs(int level, String text) {
        log(PAIRS, level, text);
    }

    void event(EthDevEvent event) {
        driver(switch (event.kind()) {
            case QUEUE_STATE, RECOVERY_FAILED -> LogLevels.ERROR;
            case ERR_RECOVERING, INTR_RMV -> LogLevels.WARNING;
            default -> LogLevels.INFO;
        }, event.text());
    }

    private void log(String type, int level, String text) {
        if (levels.get().isLogged(type, level)) {
            Logger logger = LoggerFactory.getLogger(type);
            if (level <= LogLevels.ERROR) {
                logger.error("{}", text);
            } else if (level == LogLevels.WARNING) {
                logger.warn("{}", text);
            } else {
                // the words have said that it is wanted
                logger.info("{}", text);
            }
        }
    }
}
