package io.manafold.ethernet.internal.function;

import io.manafold.api.device.Device;
import io.manafold.api.device.KeptCounters;
import io.manafold.api.refusal.Refusal;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counters of a function and its ports where the next driver finds them. */
final class FunctionCounters {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionCounters.class);
    private static final String HOST = "host";

    private final KeptCounters kept;
    private final Device function;
    private boolean refused;

    FunctionCounters(KeptCounters kept, Device function) {
        this.kept = kept;
        this.function = function;
    }

    Map<String, long[]> host() {
        return kept.read(function, HOST);
    }

    void keepHost(Map<String, long[]> counters) {
        keep(HOST, counters);
    }

    /** @param number from 1 */
    Map<String, long[]> port(int number) {
        return kept.read(function, "port " + number);
    }

    void keepPort(int number, Map<String, long[]> counters) {
        keep("port " + number, counters);
    }

    /** A function may say that it has more ports than are kept: that costs their counters alone. */
    private void keep(String subject, Map<String, long[]> counters) {
        try {
            kept.keep(function, subject, counters);
        } catch (Refusal refusal) {
            if (!refused) {
                refused = true;
                LOG.warn("{}", refusal.getMessage());
            }
        }
    }
}
