package io.manafold.api.device;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Keeps what administrators set, for drivers and services that can put it in place again: it outlives the driver, the
 * device and the platform. What is set on a port belongs to the lab that brought its function, so that one lab never
 * gets what was set in another. Any thread may call.
 */
@ProviderType
public interface SavedSettings {
    /** What a port's settings are about: the port itself, its shapers, its host, RDMA. */
    String PORT = "port";
    String SHAPERS = "shapers";
    String HOST = "inet";
    /** Of an adapter as a whole, kept with its first port. */
    String RDMA = "rdma";

    /** Begins what settings are about that are a pair's, not those of the port that one of its members drives. */
    String PAIR = "pair";

    /** Stands in a subject for the lab of what is no lab's. */
    String NO_LAB = "-";

    /** Begins a word that holds what the lab's file said of another word when that was set. */
    String FILE = "file.";

    /** Begins a word that holds what the driver chose for another word. */
    String DRIVER = "driver.";

    /**
     * Where something about a port is kept: by lab, adapter and port. Asked once when the port comes, as another lab
     * may have its address later.
     *
     * @param port from 1
     */
    default String subject(String about, PciAddress function, int port) {
        return about + ":" + function + "/" + port;
    }

    /**
     * Where something about a port of a lab is kept, whether or not its function is there.
     *
     * @param lab {@code null} if it is none's
     * @param port from 1
     */
    static String subject(String about, String lab, String adapter, int port) {
        return about + ":" + (lab == null ? NO_LAB : word(lab)) + "/" + word(adapter) + "/" + port;
    }

    private static String word(String name) {
        String word = URLEncoder.encode(name, StandardCharsets.UTF_8);
        return word.equals(NO_LAB) ? "%2D" : word;
    }

    /** What was kept last; empty if nothing. */
    Map<String, String> read(String subject);

    /**
     * Keeps settings instead of what was kept before; when this returns they are on disk. Those that cannot be written
     * are taken all the same, and written as soon as that can be done.
     *
     * @param settings words without spaces; empty to forget the subject
     * @throws io.manafold.api.refusal.NotKept if they cannot be written now
     */
    void write(String subject, Map<String, String> settings);

    /**
     * Forgets what administrators have set; what the driver chose stays. What is in force stays as well until the port
     * comes again, and may be kept again until then: take the port away first.
     *
     * @throws io.manafold.api.refusal.NotKept if that cannot be written now
     */
    default void forget(String subject) {
        Map<String, String> kept = read(subject);
        Map<String, String> chosen = new TreeMap<>();
        kept.forEach((word, value) -> {
            if (word.startsWith(DRIVER)) {
                chosen.put(word, value);
                chosen.put(word.substring(DRIVER.length()), value);
            }
        });
        write(subject, chosen);
    }

    /** All that is kept, by subject and word. */
    default List<SavedSetting> list() {
        return List.of();
    }
}
