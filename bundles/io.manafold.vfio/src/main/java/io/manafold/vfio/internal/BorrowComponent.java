package io.manafold.vfio.internal;

import io.manafold.api.device.Device;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciAddresses;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.BorrowStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Hashtable;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/**
 * One entry: what is to be borrowed from where. The service carries the entry's properties, by which a lab knows that
 * it has arrived, from when the function is here or it is known why it is not.
 */
@Capability(namespace = "osgi.service", uses = PciFunction.class,
        attribute = "objectClass:List<String>='io.manafold.api.device.Device,io.manafold.api.device.PciFunction'")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=org.osgi.service.cm.ConfigurationAdmin)")
@Component(service = {}, immediate = true, configurationPid = BorrowComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = BorrowComponent.Config.class, factory = true)
public final class BorrowComponent implements Borrowing {
    static final String PID = "io.manafold.borrow";

    /** Apart from the adapters made here, so that those are where they are whatever is borrowed, and whenever. */
    private static final int DOMAIN = 0x7871;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final BundleContext context;
    private final String name;
    private final PciAddresses.Held place;
    private final Map<String, Object> properties;
    private final Borrower borrower;
    private ServiceRegistration<Borrowing> registration;
    private boolean arrived;

    /** A function that is borrowed over a socket. */
    @ObjectClassDefinition(name = "Manafold borrowed function")
    public @interface Config {
        @AttributeDefinition(description = "What the function is called here.")
        String name();

        @AttributeDefinition(description = "The socket at which it is lent; a relative path lies in the folder 'vfio' "
                + "of the platform's data folder.")
        String socket();

        @AttributeDefinition(description = "Where it sits on the bus here; the first free place of domain 7871 if "
                + "empty.", required = false)
        String address() default "";
    }

    @Activate
    public BorrowComponent(BundleContext context, Config config, Map<String, Object> properties,
            @Reference PciAddresses addresses) {
        this.context = context;
        this.properties = properties;
        name = Names.checked("a borrowed function's name", config.name());
        if (config.socket() == null || config.socket().isBlank()) {
            throw new Refusal(Errno.EINVAL, "What is borrowed as " + name + " needs a 'socket': where it is lent.");
        }
        Path socket = SocketPath.of(context, name, config.socket());
        PciAddress wish = wish(config.address());
        String holder = "the borrowed function " + name;
        place = wish == null ? addresses.takeFirst(holder, DOMAIN) : addresses.take(holder, wish);
        borrower = new Borrower(name, place.address(), socket, this::plug, this::arrive, PATIENCE, PAUSE);
    }

    private static PciAddress wish(String text) {
        try {
            return text == null || text.isEmpty() ? null : PciAddress.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, "A borrowed function's address is wrong: " + wrong.getMessage() + ".");
        }
    }

    @Activate
    void begin() {
        synchronized (this) {
            registration = context.registerService(Borrowing.class, this, new Hashtable<>(Map.of("name", name)));
        }
        borrower.begin();
    }

    @Deactivate
    void end() {
        borrower.close();
        // before a lab sees the entry go: what it brings next may want the address
        place.close();
        synchronized (this) {
            registration.unregister();
            registration = null;
        }
    }

    private void arrive() {
        ServiceRegistration<Borrowing> shown;
        synchronized (this) {
            if (arrived || registration == null) {
                return;
            }
            arrived = true;
            shown = registration;
        }
        try {
            shown.setProperties(new Hashtable<>(properties));
        } catch (IllegalStateException over) {
            // the entry went in this moment, and with it the lab that waits for it
            return;
        }
    }

    private Runnable plug(PciFunction function) {
        Hashtable<String, Object> about = new Hashtable<>(Map.of("name", name, "address", place.address().toString()));
        ServiceRegistration<?> plugged = context.registerService(
                new String[] {Device.class.getName(), PciFunction.class.getName()}, function, about);
        return () -> {
            try {
                plugged.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
                return;
            }
        };
    }

    @Override
    public BorrowStatus status() {
        return borrower.status();
    }
}
