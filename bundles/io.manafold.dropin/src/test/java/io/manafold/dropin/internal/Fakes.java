package io.manafold.dropin.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Parts of a framework of which a test needs a few methods; the others answer nothing. */
final class Fakes {
    private Fakes() {
    }

    /** @param calls what its methods do, but for those of all objects */
    static <T> T of(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(Fakes.class.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "toString" -> type.getSimpleName();
                    default -> calls.invoke(self, method, arguments);
                }));
    }
}
