package io.manafold.ethernet.internal.queue;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The flags of {@code ethtool --show-priv-flags}. */
public final class PrivateFlags {
    /** A page for each packet, whatever the policy says. */
    public static final String FULL_PAGE = "full-page-rx";

    private static final List<String> ALL = List.of(FULL_PAGE, PortConfig.POLL);

    private PrivateFlags() {
    }

    public static Map<String, Boolean> of(PortConfig config) {
        Map<String, Boolean> flags = new LinkedHashMap<>();
        ALL.forEach(name -> flags.put(name, config.flags().contains(name)));
        return flags;
    }

    public static PortConfig change(String device, PortConfig old, String name, boolean on) {
        if (!ALL.contains(name)) {
            throw new Refusal(Errno.EINVAL, device + " has no private flag '" + name + "'. It has "
                    + String.join(" and ", ALL) + ".");
        }
        return old.withFlag(name, on);
    }
}
