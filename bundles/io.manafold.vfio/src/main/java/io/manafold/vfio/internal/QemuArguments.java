package io.manafold.vfio.internal;

import jakarta.json.spi.JsonProvider;
import java.nio.file.Path;
import java.util.List;

/** The words that give a virtual machine of QEMU a lent function, and memory that the function can reach. */
final class QemuArguments {
    static final int MEBIBYTES = 512;

    private QemuArguments() {
    }

    static List<String> of(String export, Path socket, int mebibytes) {
        String memory = mebibytes + "M";
        JsonProvider json = JsonProvider.provider();
        String device = json.createObjectBuilder()
                .add("driver", "vfio-user-pci")
                .add("id", "mana-" + export)
                .add("bus", "port-" + export)
                .add("socket", json.createObjectBuilder().add("type", "unix").add("path", socket.toString()))
                .build().toString();
        return List.of(
                "-machine", "q35,memory-backend=mem",
                "-m", memory,
                "-object", "memory-backend-memfd,id=mem,size=" + memory + ",share=on",
                "-device", "pcie-root-port,id=port-" + export + ",chassis=1,slot=0",
                "-device", device);
    }
}
