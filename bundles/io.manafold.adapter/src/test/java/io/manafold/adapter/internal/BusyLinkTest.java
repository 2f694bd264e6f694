package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciAddresses;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.LinkWithoutViews;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** An adapter that is removed while the agent of its link is busy elsewhere. */
@Timeout(120)
class BusyLinkTest {
    private static final PciAddress ADDRESS = new PciAddress(PortMacs.DOMAIN, 0xee, 0, 0);

    private final List<String> held = new ArrayList<>();
    private final Map<String, Object> services = new HashMap<>();

    /** Once it is busy, its agent takes commands and carries none out. */
    private static final class BusyLink extends LinkWithoutViews {
        final List<String> plugged = new ArrayList<>();
        final List<Runnable> later = new ArrayList<>();
        final CountDownLatch all;
        volatile boolean busy;

        BusyLink(int ports) {
            all = new CountDownLatch(ports);
        }

        @Override
        public String name() {
            return "busy";
        }

        @Override
        public Wire plug(Plug plug) {
            plugged.add(plug.name());
            all.countDown();
            return new Wire() {
                @Override
                public void send(Frames frames) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void wake() {
                    // its agent has no cycles
                }

                @Override
                public void execute(Runnable command) {
                    if (busy) {
                        later.add(command);
                    } else {
                        command.run();
                    }
                }

                @Override
                public void close() {
                    plugged.remove(plug.name());
                }
            };
        }
    }

    private final class Addresses implements PciAddresses {
        @Override
        public Held take(String holder, PciAddress address) {
            held.add(holder);
            return new Held() {
                @Override
                public PciAddress address() {
                    return address;
                }

                @Override
                public void close() {
                    held.remove(holder);
                }
            };
        }

        @Override
        public Held takeFirst(String holder, int domain) {
            return take(holder, ADDRESS);
        }

        @Override
        public Optional<String> holder(PciAddress address) {
            return held.stream().findFirst();
        }
    }

    private BundleContext context() {
        Object registration = Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ServiceRegistration.class}, (_, _, _) -> null);
        return (BundleContext) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {BundleContext.class}, (_, _, arguments) -> {
                    if (arguments[0] instanceof String[] names) {
                        services.put(names[1], arguments[1]);
                    } else {
                        services.put(((Class<?>) arguments[0]).getName(), arguments[1]);
                    }
                    return registration;
                });
    }

    @Test
    void anAdapterIsRemovedAsAWholeWhateverItsPortsWaitFor() throws Exception {
        AdapterComponent component = new AdapterComponent();
        Field addresses = AdapterComponent.class.getDeclaredField("addresses");
        addresses.setAccessible(true);
        addresses.set(component, new Addresses());
        BusyLink link = new BusyLink(2);
        component.addLink(link, Map.of(Link.PORTS, new String[] {"kept/1", "kept/2"}));
        component.activate(context(), Map.of("name", "kept", "ports", 2));
        assertThat(link.all.await(60, TimeUnit.SECONDS)).isTrue();
        AdapterFunction function = (AdapterFunction) services.get(PciFunction.class.getName());
        // the ports are in place when the control agent answers
        assertThat(((Adapter) services.get(Adapter.class.getName())).usage()).isNotEmpty();
        assertThat(held).containsExactly("the adapter kept");
        link.busy = true;
        component.deactivate();
        assertThat(held).as("addresses held").isEmpty();
        assertThat(link.plugged).as("ports on the link").isEmpty();
        assertThatThrownBy(() -> function.dma().map(0x1000, 0x1000, 0, 0, false)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).as("memory of a function that is gone").isEqualTo(Errno.ENODEV));
        boolean[] ran = new boolean[1];
        function.control().await(() -> ran[0] = true);
        assertThat(ran[0]).as("the control agent is there still").isFalse();
        link.later.forEach(Runnable::run);
    }
}
