package io.manafold.ethernet.internal.port;

import io.manafold.api.net.ReceiveHook;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The owner of a receive hook: the bundle that its class is from. Without a framework a hook has none. */
final class HookOwner {
    private static final Logger LOG = LoggerFactory.getLogger(HookOwner.class);
    /** What follows in the name of a class that the virtual machine has made of a lambda. */
    private static final String MADE = "$$Lambda";

    private HookOwner() {
    }

    static boolean is(Bundle bundle, ReceiveHook hook) {
        return hook != null && bundle.equals(FrameworkUtil.getBundle(hook.getClass()));
    }

    /** @throws Refusal {@code EBUSY} if the hook in place is of another bundle than the next */
    static void checkFree(String device, ReceiveHook present, ReceiveHook next) {
        Bundle owner = present == null || next == null ? null : FrameworkUtil.getBundle(present.getClass());
        if (owner != null && isAtWork(owner) && !is(owner, next)) {
            Refusal refused = new Refusal(Errno.EBUSY, device + " has a receive hook already, of " + name(present)
                    + ", and a device has one: stop that bundle, or take its file out of the drivers folder.");
            // a bundle asks while it starts: not every framework shows an administrator why a component of it did not
            LOG.warn("The receive hook of {} is refused: {}", name(next), refused.getMessage());
            throw refused;
        }
    }

    private static boolean isAtWork(Bundle bundle) {
        return (bundle.getState() & (Bundle.STARTING | Bundle.ACTIVE | Bundle.STOPPING)) != 0;
    }

    /** The symbolic name and the version of the bundle, empty if there is none. */
    static String name(ReceiveHook hook) {
        Bundle bundle = hook == null ? null : FrameworkUtil.getBundle(hook.getClass());
        return bundle == null ? "" : bundle.getSymbolicName() + " " + bundle.getVersion();
    }

    /** The class that the hook is written in, empty if there is no hook. */
    static String type(ReceiveHook hook) {
        if (hook == null) {
            return "";
        }
        String type = hook.getClass().getName();
        int made = type.indexOf(MADE);
        return made < 0 ? type : type.substring(0, made);
    }
}
