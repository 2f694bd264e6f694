package io.manafold.bus.internal;

import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.DriverChoice;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;

/** A driver service as the core knows it. Confined to the loop. */
final class DriverNode {
    final ServiceReference<Driver> reference;
    final long serviceId;
    final int ranking;
    final String bundle;
    final Version version;

    /** Devices it is bound to or being called for. */
    final Set<DeviceNode> devices = new LinkedHashSet<>();
    /** Threads that wait for it to have left all devices. */
    final List<Runnable> departure = new ArrayList<>();

    Driver driver;
    String name;
    List<DeviceMatch> table = List.of();
    boolean introducing = true;
    boolean leaving;

    DriverNode(ServiceReference<Driver> reference) {
        this.reference = reference;
        this.serviceId = (Long) reference.getProperty(Constants.SERVICE_ID);
        this.ranking = reference.getProperty(Constants.SERVICE_RANKING) instanceof Integer rank ? rank : 0;
        Bundle home = reference.getBundle();
        this.bundle = home == null ? "?" : home.getSymbolicName();
        this.version = home == null ? Version.emptyVersion : home.getVersion();
    }

    /** Whether it has introduced itself and may be asked. */
    boolean usable() {
        return name != null && !leaving;
    }

    boolean claims(DeviceNode device) {
        return claim(device) >= 0;
    }

    /** How narrowly the id table names the device; negative if it does not. */
    int claim(DeviceNode device) {
        int narrowest = -1;
        for (DeviceMatch match : table) {
            if (match.matches(device.described)) {
                narrowest = Math.max(narrowest, match.specificity());
            }
        }
        return narrowest;
    }

    boolean is(DriverChoice choice) {
        return choice.name().equals(name) && (choice.version() == null || isOfVersion(choice.version()));
    }

    /** A version without a qualifier names all builds of it, since each build of a snapshot has a qualifier. */
    private boolean isOfVersion(String chosen) {
        try {
            Version wanted = Version.parseVersion(chosen);
            return wanted.equals(version) || wanted.getQualifier().isEmpty()
                    && wanted.equals(new Version(version.getMajor(), version.getMinor(), version.getMicro()));
        } catch (IllegalArgumentException noVersion) {
            return false;
        }
    }

    DriverChoice label() {
        return new DriverChoice(name, version.toString());
    }
}
