package io.manafold.pmd.internal.device;

import io.manafold.api.device.Removal;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A device that makes domains, or does not, and knows how many are open. */
final class DomainDevice {
    private static final DeviceAttributes LIMITS = new DeviceAttributes(0x1414, 2, 0, 2, 16, 16, 16, 16, 4096, 30, 1,
            4096, 0, 0, 65535);

    final RdmaDevice device = made(RdmaDevice.class, new AtomicInteger(), () -> { });
    /** What has been asked of it has arrived. */
    final CountDownLatch asked = new CountDownLatch(1);
    /** Until when it does not answer, {@code null} for at once. */
    volatile CountDownLatch answers;
    volatile Removal departure;
    /** With what it refuses protection domains. */
    volatile RuntimeException noDomain;
    /** Of which port it refuses parent domains, and with what. */
    volatile int noParent;
    private final AtomicInteger domains = new AtomicInteger();
    private final AtomicInteger parents = new AtomicInteger();

    /** Protection domains that are open. */
    int domains() {
        return domains.get();
    }

    /** Parent domains that are open. */
    int parents() {
        return parents.get();
    }

    static Refusal refusal() {
        return new Refusal(Errno.ENOMEM, "The device has no room for it.");
    }

    /** The device, or what was made of it. */
    private <T> T made(Class<T> type, AtomicInteger inside, Runnable closed) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "device of domains";
                    case "departure" -> departure;
                    case "attributes" -> LIMITS;
                    case "allocateDomain" -> domain();
                    case "createParentDomain" -> parent((int) arguments[0], inside);
                    case "close" -> {
                        if (inside.get() > 0) {
                            throw new Refusal(Errno.EBUSY, "It has " + inside + " parent domains.");
                        }
                        closed.run();
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }

    private ProtectionDomain domain() throws InterruptedException {
        asked.countDown();
        CountDownLatch until = answers;
        if (until != null) {
            until.await();
        }
        if (noDomain != null) {
            throw noDomain;
        }
        domains.incrementAndGet();
        return made(ProtectionDomain.class, new AtomicInteger(), domains::decrementAndGet);
    }

    private ParentDomain parent(int port, AtomicInteger inside) {
        if (port == noParent) {
            throw refusal();
        }
        parents.incrementAndGet();
        inside.incrementAndGet();
        return made(ParentDomain.class, new AtomicInteger(), () -> {
            parents.decrementAndGet();
            inside.decrementAndGet();
        });
    }
}
