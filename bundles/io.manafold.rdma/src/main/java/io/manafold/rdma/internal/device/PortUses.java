package io.manafold.rdma.internal.device;

import io.manafold.api.net.PortClaims;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.rdma.internal.queue.PortInUse;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports of an Ethernet device that are taken for raw packets, each by one domain. Any thread may call. */
final class PortUses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PortUses.class);

    private final RawDevice device;
    private final EthernetSession session;
    private final PortClaims claims;
    private final Map<Integer, Use> uses = new TreeMap<>();
    private boolean closed;

    /** A port with its claim and its events, for as many queues. */
    private static final class Use {
        private final RawDomain domain;
        private final AutoCloseable claim;
        private final EventLines lines;
        private int queues;

        Use(RawDomain domain, AutoCloseable claim, EventLines lines) {
            this.domain = domain;
            this.claim = claim;
            this.lines = lines;
        }

        void end() {
            lines.close();
            lines.destroy();
            give(claim);
        }
    }

    PortUses(RawDevice device, EthernetSession session, PortClaims claims) {
        this.device = device;
        this.session = session;
        this.claims = claims;
    }

    /**
     * Takes a port for one more queue.
     *
     * @throws Refusal {@code EBUSY} if its network device is up or another domain has it
     */
    synchronized PortInUse take(int number, RawDomain domain) {
        if (closed) {
            throw device.gone();
        }
        Use use = uses.get(number);
        if (use != null && use.domain != domain) {
            throw new Refusal(Errno.EBUSY, "Port " + number + " of " + device.name()
                    + " has queues of another protection domain; make all queues of a port in one domain.");
        }
        QueryVportConfig.Result vport = session.vports().get(number - 1);
        boolean begins = use == null;
        if (begins) {
            use = begin(number, domain);
        }
        try {
            int offset = session.call(new ConfigureVportTx(vport.vport(), domain.domain().id(),
                    domain.context().page().number())).offset();
            PortInUse port = new PortInUse(number, vport.vport(), vport.indirection(), domain.context().page(), offset,
                    use.lines.completions());
            use.queues++;
            uses.put(number, use);
            return port;
        } catch (RuntimeException refused) {
            if (begins) {
                use.end();
            }
            throw refused;
        }
    }

    private Use begin(int number, RawDomain domain) {
        AutoCloseable claim = claims.claim(number, device.name() + " (" + domain.context().owner() + ")");
        try {
            return new Use(domain, claim, new EventLines(device.client(), "manafold-" + device.name() + "-" + number,
                    this::event, number - 1, 1));
        } catch (RuntimeException refused) {
            give(claim);
            throw refused;
        }
    }

    private static void give(AutoCloseable claim) {
        try {
            claim.close();
        } catch (Exception wrong) {
            LOG.error("A port is not given back: {}", wrong.toString());
        }
    }

    private void event(int type, int data) {
        if (type == EventEntry.COMPLETION) {
            device.completion(EventEntry.completionQueue(data));
        }
    }

    /** A queue of the port has ended; the last one gives the port back. */
    synchronized void giveBack(int number) {
        Use use = uses.get(number);
        if (use != null && --use.queues == 0) {
            uses.remove(number);
            use.end();
        }
    }

    /** All queues have ended. */
    @Override
    public synchronized void close() {
        closed = true;
        uses.values().forEach(Use::end);
        uses.clear();
    }
}
