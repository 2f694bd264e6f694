package io.manafold.vfio.internal;

import jakarta.json.spi.JsonProvider;
import java.nio.file.Path;
import java.util.List;

/** The words that give a virtual machine of QEMU a lent function, and memory that the function can reach. */
final class QemuArguments {
    private static final String MEMORY = "512M";

    private QemuArguments() {
    }

    static List<String> of(String export, Path socket) {
        JsonProvider json = JsonProvider.provider();
        String device = json.createObjectBuilder()
                .add("driver", "vfio-user-pci")
                .add("id", "mana-" + export)
                .add("bus", "port-" + export)
                .add("socket", json.createObjectBuilder().add("type", "unix").add("path", socket.toString()))
                .build().toString();
        return List.of(
                "-machine", "q35,memory-backend=mem",
                "-m", MEMORY,
                "-object", "memory-backend-memfd,id=mem,size=" + MEMORY + ",share=on",
                "-device", "pcie-root-port,id=port-" + export + ",chassis=1,slot=0",
                "-device", device);
    }
}
