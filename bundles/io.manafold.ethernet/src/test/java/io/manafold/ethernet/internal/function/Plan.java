package io.manafold.ethernet.internal.function;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import java.util.Optional;

/** What a lab's file says of a port. */
record Plan(PciAddress address, int port, String name, Optional<Integer> mtu, boolean up) implements DevicePlan {
}
