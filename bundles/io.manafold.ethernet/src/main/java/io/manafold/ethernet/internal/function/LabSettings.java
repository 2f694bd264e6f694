package io.manafold.ethernet.internal.function;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import io.manafold.ethernet.internal.port.KeptConfig;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a lab's file says of a port at the moment, by the words under which an administrator's setting is kept.
 *
 * @param port from 1
 */
record LabSettings(ServiceGateway services, PciAddress address, int port) implements Supplier<Map<String, String>> {
    @Override
    public Map<String, String> get() {
        return of(services.plan(address, port));
    }

    static Map<String, String> of(Optional<DevicePlan> plan) {
        Map<String, String> stated = new TreeMap<>();
        if (plan.isPresent()) {
            stated.put(KeptConfig.UP, Boolean.toString(plan.get().up()));
            if (plan.get().mtu().isPresent()) {
                stated.put(KeptConfig.MTU, Integer.toString(plan.get().mtu().get()));
            }
        }
        return stated;
    }
}
