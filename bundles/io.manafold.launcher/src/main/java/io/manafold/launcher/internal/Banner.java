package io.manafold.launcher.internal;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverCore;
import io.manafold.api.lab.LabStatus;
import io.manafold.api.lab.Labs;
import io.manafold.api.net.NetDevice;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.api.vfio.Exports;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Two lines above the first question of each prompt: what is up, and which words lead on. */
final class Banner {
    private static final int MOST_NAMED = 4;

    private Banner() {
    }

    static List<String> of(BundleContext context) {
        return List.of(up(context), "Words to begin with: help, devices, events. Tab completes, Ctrl-D ends.");
    }

    private static String up(BundleContext context) {
        List<String> parts = new ArrayList<>();
        for (Labs labs : services(context, Labs.class)) {
            labs.list().stream().filter(LabStatus::up).forEach(lab -> parts.add("lab " + lab.name()));
        }
        for (DriverCore core : services(context, DriverCore.class)) {
            parts.add(devices(core));
        }
        List<String> names = services(context, NetDevice.class).stream().map(NetDevice::name)
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder())).toList();
        if (!names.isEmpty()) {
            parts.add("network devices " + some(names));
        }
        List<String> sockets = new ArrayList<>();
        for (Exports exports : services(context, Exports.class)) {
            exports.list().stream().filter(ExportStatus::listening)
                    .forEach(one -> sockets.add(one.socket().toString()));
        }
        if (!sockets.isEmpty()) {
            parts.add("guests connect at " + some(sockets));
        }
        return parts.isEmpty() ? "The platform is up." : "Up: " + String.join("; ", parts) + ".";
    }

    private static String devices(DriverCore core) {
        Map<DeviceState, Integer> states = new TreeMap<>();
        core.devices().forEach(device -> states.merge(device.state(), 1, Integer::sum));
        int all = states.values().stream().mapToInt(Integer::intValue).sum();
        int bound = states.getOrDefault(DeviceState.BOUND, 0);
        return all == 0 ? "no devices" : all == bound ? all + (all == 1 ? " device with its driver"
                : " devices with their drivers")
                : all + " devices, " + (all - bound) + " without a driver";
    }

    private static String some(List<String> names) {
        int most = Math.min(names.size(), MOST_NAMED);
        String named = String.join(", ", names.subList(0, most));
        return names.size() == most ? named : named + " and " + (names.size() - most) + " more";
    }

    private static <S> List<S> services(BundleContext context, Class<S> type) {
        try {
            List<S> services = new ArrayList<>();
            for (ServiceReference<S> reference : context.getServiceReferences(type, null)) {
                S service = context.getService(reference);
                if (service != null) {
                    services.add(service);
                }
            }
            return services;
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
