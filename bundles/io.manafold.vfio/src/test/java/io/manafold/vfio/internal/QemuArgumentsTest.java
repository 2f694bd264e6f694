package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class QemuArgumentsTest {
    @Test
    void wordsReadyToPaste() {
        assertThat(QemuArguments.of("one", Path.of("/data/a \"b\"/one.sock"), 512)).containsExactly(
                "-machine", "q35,memory-backend=mem", "-m", "512M",
                "-object", "memory-backend-memfd,id=mem,size=512M,share=on",
                "-device", "pcie-root-port,id=port-one,chassis=1,slot=0",
                "-device", "{\"driver\":\"vfio-user-pci\",\"id\":\"mana-one\",\"bus\":\"port-one\",\"socket\":"
                        + "{\"type\":\"unix\",\"path\":\"/data/a \\\"b\\\"/one.sock\"}}");
    }
}
