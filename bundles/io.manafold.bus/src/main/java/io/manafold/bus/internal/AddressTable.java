package io.manafold.bus.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciAddresses;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Which address has which holder. Functions that were registered without asking here count as holders of theirs. */
@Component
public final class AddressTable implements PciAddresses {
    private static final int DEVICES = 32;
    private static final int BUSES = 256;

    private final Map<PciAddress, Lease> leases = new HashMap<>();
    private final Function<PciAddress, String> registered;

    @Activate
    public AddressTable(BundleContext context) {
        this(address -> registrant(context, address));
    }

    /** @param registered who has registered a function at an address, {@code null} if none has */
    AddressTable(Function<PciAddress, String> registered) {
        this.registered = registered;
    }

    private static String registrant(BundleContext context, PciAddress address) {
        try {
            for (ServiceReference<PciFunction> one : context.getServiceReferences(PciFunction.class, null)) {
                Bundle bundle = one.getBundle();
                if (bundle != null && address.toString().equals(one.getProperty("address"))) {
                    return "a function of the bundle " + bundle.getSymbolicName();
                }
            }
            return null;
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public synchronized Held take(String holder, PciAddress address) {
        holder(address).ifPresent(other -> {
            throw new Refusal(Errno.EBUSY, "The address " + address + " is held by " + other + ", so " + holder
                    + " cannot be there: an address has one holder. Choose another, or leave it out.");
        });
        return lease(holder, address);
    }

    @Override
    public synchronized Held takeFirst(String holder, int domain) {
        for (int place = 0; place < BUSES * DEVICES; place++) {
            PciAddress address = new PciAddress(domain, place / DEVICES, place % DEVICES, 0);
            if (holder(address).isEmpty()) {
                return lease(holder, address);
            }
        }
        throw new Refusal(Errno.ENOSPC, "There is no address for " + holder + ": all of domain "
                + Integer.toHexString(domain) + " are held. Name an address of another domain.");
    }

    @Override
    public synchronized Optional<String> holder(PciAddress address) {
        Lease lease = leases.get(address);
        return Optional.ofNullable(lease != null ? lease.holder : registered.apply(address));
    }

    private Held lease(String holder, PciAddress address) {
        Lease lease = new Lease(holder, address);
        leases.put(address, lease);
        return lease;
    }

    private synchronized void end(Lease lease) {
        leases.remove(lease.address, lease);
    }

    private final class Lease implements Held {
        private final String holder;
        private final PciAddress address;

        private Lease(String holder, PciAddress address) {
            this.holder = holder;
            this.address = address;
        }

        @Override
        public PciAddress address() {
            return address;
        }

        @Override
        public void close() {
            end(this);
        }
    }
}
