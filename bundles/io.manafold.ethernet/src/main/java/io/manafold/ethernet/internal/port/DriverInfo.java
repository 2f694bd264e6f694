package io.manafold.ethernet.internal.port;

import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/** What the driver says of itself. */
public final class DriverInfo {
    public static final String NAME = "ethernet";

    private DriverInfo() {
    }

    /** The version of this driver's bundle; empty without a framework. */
    public static String version() {
        Bundle bundle = FrameworkUtil.getBundle(DriverInfo.class);
        return bundle == null ? "" : bundle.getVersion().toString();
    }
}
