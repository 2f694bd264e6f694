package io.manafold.pmd.internal.device;

import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protection domain of a port, and the parent domain by which what is made in it is of that port. A port has them
 * from its probe on, started or not, until it leaves its device.
 */
final class PortDomain implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PortDomain.class);

    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final ParentDomain parent;

    private PortDomain(RdmaDevice device, ProtectionDomain domain, ParentDomain parent) {
        this.device = device;
        this.domain = domain;
        this.parent = parent;
    }

    /**
     * Asks the device for both, which may take as long as the device does not answer: no lock of others is held
     * meanwhile.
     *
     * @throws Refusal {@code ENOMEM}, which of them the device does not make, and what it says
     */
    static PortDomain of(RdmaDevice device, int port) {
        ProtectionDomain domain = made("protection", device::allocateDomain);
        try {
            return new PortDomain(device, domain, made("parent", () -> domain.createParentDomain(port)));
        } catch (RuntimeException refused) {
            close(domain);
            throw refused;
        }
    }

    /** What the device said first is what is told. */
    private static void close(ProtectionDomain domain) {
        try {
            domain.close();
        } catch (Refusal refused) {
            LOG.warn("A protection domain stays until its device goes: {}", refused.getMessage());
        }
    }

    /** The real driver ends with -12 whatever its device says: of a domain it is told only that it is not made. */
    private static <T> T made(String kind, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (Refusal refused) {
            String its = refused.errno() == Errno.ENOMEM ? "" : "; its device says " + refused.errno();
            throw new Refusal(Errno.ENOMEM, "Its device makes no " + kind + " domain for it (ENOMEM, -"
                    + Errno.ENOMEM.number() + its + "): " + refused.getMessage(), refused);
        }
    }

    RdmaDevice device() {
        return device;
    }

    ParentDomain parent() {
        return parent;
    }

    /**
     * Gives both back. A device that has gone has forgotten them.
     *
     * @throws Refusal what the device says, which has them on
     */
    @Override
    public void close() {
        try {
            parent.close();
            domain.close();
        } catch (Refusal refused) {
            if (refused.errno() != Errno.ENODEV) {
                throw refused;
            }
        }
    }
}
