package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Devices that tests look into, or that do what tests say. */
final class Devices {
    /** What a call does instead, or with what the real one answers. */
    interface Turn {
        Object call(String method, Object[] arguments, Real real) throws Throwable;
    }

    /** The call as it would be. */
    interface Real {
        Object call() throws Throwable;
    }

    private Devices() {
    }

    static <T> T over(Class<T> type, T real, Turn turn) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> type.getSimpleName();
                    default -> turn.call(method.getName(), arguments, () -> {
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
                }));
    }

    /** A device of which there is nothing but a domain that registers memory in this way. */
    static RdmaDevice registering(String name, Runnable registered) {
        ProtectionDomain domain = over(ProtectionDomain.class, null, (method, _, _) -> {
            if (method.equals("register")) {
                registered.run();
                return over(MemoryRegion.class, null, (_, _, _) -> null);
            }
            return null;
        });
        return over(RdmaDevice.class, null, (method, _, _) -> switch (method) {
            case "name" -> name;
            case "allocateDomain" -> domain;
            default -> throw new AssertionError(method);
        });
    }

    /** A device that answers to memory with an error. */
    static RdmaDevice refusing(String name) {
        return registering(name, () -> {
            throw new Refusal(Errno.EIO, name + " makes no region.");
        });
    }
}
