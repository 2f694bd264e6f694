package io.manafold.ethernet.internal.function;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/** An auxiliary device: what is lent to its driver until it is withdrawn. */
final class Part implements AuxiliaryDevice {
    private final String name;
    private final int number;
    private final String parent;
    private final Map<Class<?>, Object> lent;
    private volatile boolean stale;

    Part(String name, int number, String parent, Map<Class<?>, Object> lent) {
        this.name = name;
        this.number = number;
        this.parent = parent;
        this.lent = Map.copyOf(lent);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public String parent() {
        return parent;
    }

    /** From here on nothing is lent. */
    void expire() {
        stale = true;
    }

    @Override
    public <T> T lend(Class<T> type) {
        if (stale) {
            throw new Refusal(Errno.ENODEV, id() + " is no more: " + parent
                    + " has left its driver or is being reset.");
        }
        Object thing = lent.get(type);
        if (thing != null) {
            return type.cast(thing);
        }
        for (Class<?> own : lent.keySet()) {
            if (own.getName().equals(type.getName())) {
                throw new Refusal(Errno.EOPNOTSUPP, id() + " lends a " + type.getSimpleName() + " of " + origin(own)
                        + ", and its driver asks for that of " + origin(type)
                        + "; have both import the package " + type.getPackageName() + " from one bundle.");
            }
        }
        throw new Refusal(Errno.EOPNOTSUPP, id() + " lends no " + type.getSimpleName() + ".");
    }

    private static String origin(Class<?> type) {
        Bundle bundle = FrameworkUtil.getBundle(type);
        return bundle == null ? "a class path" : bundle.getSymbolicName() + " " + bundle.getVersion();
    }
}
