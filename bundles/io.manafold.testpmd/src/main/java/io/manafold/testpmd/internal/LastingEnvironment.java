package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The environment of a run, which ends when the poll-mode driver is replaced. There is another one of the same words as
 * soon as it is asked for and a driver is there.
 */
final class LastingEnvironment implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LastingEnvironment.class);

    private static final int MOST_LEVELS = 64;

    private final Supplier<Environments> driver;
    private final List<String> words;
    private Environments maker;
    private volatile Environment now;
    private EthDevListener listener;
    private AutoCloseable listening = () -> { };
    /** Levels of types of messages that lines have set, the last ones last. */
    private final Map<String, Integer> levels = new LinkedHashMap<>();

    /** @throws Refusal {@code ENODEV} without a driver; else what the driver says of the words */
    LastingEnvironment(Supplier<Environments> driver, List<String> words) {
        this.driver = driver;
        this.words = words;
        maker = driver.get();
        if (maker == null) {
            throw new Refusal(Errno.ENODEV, "There is no poll-mode driver: start the bundle io.manafold.pmd.");
        }
        now = maker.start(words);
    }

    /** The one that is there, or has ended last. */
    Environment now() {
        return now;
    }

    void listen(EthDevListener told) {
        listener = told;
        listening = now.listen(told);
    }

    /**
     * Has an environment of the driver that is there, if the one before has ended with its own. A secondary stays what
     * it was: its ports are those of a primary, which has ended, too.
     *
     * @return whether it is another one, whose ports the program does not have yet
     * @throws Refusal what the driver says of the words
     */
    boolean renew() {
        Environments there = driver.get();
        if (there == null || there == maker || now.isSecondary()) {
            return false;
        }
        Environment made = there.start(words);
        silence();
        maker = there;
        now = made;
        listening = made.listen(listener);
        levels.forEach(made::logLevel);
        return true;
    }

    /**
     * Sets which messages are logged, also of the environments that come.
     *
     * @throws Refusal what the environment says of it
     */
    void logLevel(String types, int level) {
        now.logLevel(types, level);
        levels.remove(types);
        levels.put(types, level);
        if (levels.size() > MOST_LEVELS) {
            levels.remove(levels.keySet().iterator().next());
        }
    }

    private void silence() {
        try {
            listening.close();
        } catch (Exception wrong) {
            LOG.warn("Events of the environment {} are not ended", now.prefix(), wrong);
        }
    }

    @Override
    public void close() {
        silence();
        now.close();
    }
}
