package io.manafold.netshaper.internal.place;

import io.manafold.linux.InterfaceControl;
import io.manafold.linux.SystemCallException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;

/** The interfaces of the kernel that this program runs on. */
final class HostNames implements Names {
    @Override
    public List<String> all() {
        try {
            return NetworkInterface.networkInterfaces().map(NetworkInterface::getName).sorted().toList();
        } catch (SocketException unknown) {
            return List.of();
        }
    }

    @Override
    public OptionalInt number(String name) {
        if (name.isEmpty() || name.getBytes(StandardCharsets.UTF_8).length > InterfaceControl.LONGEST_NAME) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(InterfaceControl.index(name));
        } catch (SystemCallException unknown) {
            return OptionalInt.empty();
        }
    }
}
