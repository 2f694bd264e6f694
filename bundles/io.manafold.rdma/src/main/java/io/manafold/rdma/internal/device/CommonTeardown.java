package io.manafold.rdma.internal.device;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.memory.DmaPiece;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What devices of all parts give back in the same way when they go: regions, protection domains, doorbell pages,
 * memory.
 */
final class CommonTeardown {
    private static final Logger LOG = LoggerFactory.getLogger(CommonTeardown.class);

    private final List<Region> regions = new ArrayList<>();
    private final List<PartDomain> domains = new ArrayList<>();
    private final List<Runnable> pages = new ArrayList<>();
    private final List<DmaPiece> memory = new ArrayList<>();

    void add(PartDomain domain, Iterable<Region> inside) {
        inside.forEach(regions::add);
        domains.add(domain);
    }

    void add(Runnable page) {
        pages.add(page);
    }

    /** What no thread is in any more goes, what one stays in does not. */
    void add(boolean left, List<DmaPiece> pieces, String what) {
        if (left) {
            memory.addAll(pieces);
        } else {
            LOG.error("A thread does not leave {}; its memory stays.", what);
        }
    }

    /** The device forgets what is in no queue any more. */
    void device() {
        regions.forEach(region -> quietly(region.registered()::close));
        domains.forEach(domain -> quietly(domain.domain()::close));
        pages.forEach(CommonTeardown::quietly);
    }

    /** The memory goes. */
    void memory(ClientSession client) {
        if (!memory.isEmpty()) {
            client.memory().free(memory);
        }
    }

    static void quietly(Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            LOG.debug("{}", refused.getMessage());
        }
    }
}
