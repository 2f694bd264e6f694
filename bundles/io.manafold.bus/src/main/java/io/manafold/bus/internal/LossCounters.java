package io.manafold.bus.internal;

import io.manafold.api.device.LossCounter;
import java.util.OptionalLong;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What functions have lost, as those who plugged them in count it. Never on the loop: counters are foreign code. */
final class LossCounters {
    private static final Logger LOG = LoggerFactory.getLogger(LossCounters.class);

    private final BundleContext context;

    LossCounters(BundleContext context) {
        this.context = context;
    }

    /** @return empty if there is no counter, or the counter fails */
    OptionalLong of(String function) {
        try {
            for (ServiceReference<LossCounter> reference : context.getServiceReferences(LossCounter.class,
                    "(" + LossCounter.DEVICE + "=" + function + ")")) {
                LossCounter counter = context.getService(reference);
                if (counter != null) {
                    try {
                        return OptionalLong.of(counter.framesLost());
                    } finally {
                        context.ungetService(reference);
                    }
                }
            }
        } catch (InvalidSyntaxException | RuntimeException | LinkageError failed) {
            LOG.debug("what {} has lost is not known", function, failed);
        }
        return OptionalLong.empty();
    }
}
