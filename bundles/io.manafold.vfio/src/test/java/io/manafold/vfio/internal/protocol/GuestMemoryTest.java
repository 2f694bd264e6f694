package io.manafold.vfio.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class GuestMemoryTest {
    @Test
    void allExportsTogetherCannotEither() throws IOException {
        Mappings few = new Mappings(80, 0x3000);
        try (Memfd other = Memfd.create("other", 0x4000)) {
            GuestMemory one = new GuestMemory(new DmaTable(), few, 0x4000);
            GuestMemory two = new GuestMemory(new DmaTable(), few, 0x4000);
            one.map(0x10000, 0x2000, other.descriptor(), 0, true);
            assertThatThrownBy(() -> two.map(0x10000, 0x2000, other.descriptor(), 0, true))
                    .isInstanceOfSatisfying(Refusal.class,
                            refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENOSPC));
            one.unmapAll().join();
            two.map(0x10000, 0x3000, other.descriptor(), 0, true);
            two.unmapAll().join();
        }
    }
}
