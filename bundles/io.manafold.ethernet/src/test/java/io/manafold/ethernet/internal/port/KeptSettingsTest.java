package io.manafold.ethernet.internal.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.SavedSettings;
import io.manafold.ethernet.internal.queue.PortConfig;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeptSettingsTest {
    private static final String PORT = "port";
    private static final PortConfig FIRST = PortConfig.usual(1, new byte[40]);

    private final Map<String, Map<String, String>> disk = new ConcurrentHashMap<>();
    private final KeptSettings settings = new KeptSettings(new SavedSettings() {
        @Override
        public Map<String, String> read(String subject) {
            return disk.getOrDefault(subject, Map.of());
        }

        @Override
        public void write(String subject, Map<String, String> words) {
            disk.put(subject, Map.copyOf(words));
        }
    }, PORT);

    /** Does something else on another thread, once its words are asked for and before they are answered. */
    private static final class Meanwhile extends AbstractMap<String, String> {
        private final Thread other;
        private final Map<String, String> words;

        Meanwhile(Map<String, String> words, Runnable what) {
            this.words = words;
            other = Thread.ofPlatform().daemon().unstarted(what);
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            try {
                if (other.getState() == Thread.State.NEW) {
                    other.start();
                    other.join(Duration.ofMillis(500));
                }
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
            return words.entrySet();
        }

        void await() throws InterruptedException {
            other.join();
        }
    }

    @Test
    void whatIsSetWhileAPlanIsLookedAtIsKept() throws InterruptedException {
        Meanwhile plan = new Meanwhile(Map.of("mtu", "1400"), () -> {
            settings.changed(FIRST, FIRST.withMtu(2000), Map.of("mtu", "1400"));
            settings.keep();
        });
        settings.follow(plan);
        plan.await();
        settings.note("name", "mana0");
        settings.keep();
        assertThat(disk.get(PORT)).containsEntry("mtu", "2000").containsEntry("name", "mana0");
        assertThat(settings.has("mtu")).isTrue();
    }

    @Test
    void whatWasSetUnderAnotherPlanIsForgottenAndNothingElse() {
        settings.changed(FIRST, FIRST.withMtu(2000).withUp(!FIRST.up()), Map.of("mtu", "1400"));
        assertThat(settings.follow(Map.of("mtu", "1400"))).isFalse();
        assertThat(settings.kept()).containsEntry("mtu", "2000");
        assertThat(settings.follow(Map.of("mtu", "1500"))).isTrue();
        assertThat(settings.kept()).containsOnlyKeys("up");
    }
}
