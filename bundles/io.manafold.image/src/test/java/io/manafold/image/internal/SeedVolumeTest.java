package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SeedVolumeTest {
    private static String text(ByteBuffer bytes, int at, int length) {
        return StandardCharsets.US_ASCII.decode(bytes.slice(at, length)).toString();
    }

    /** Read as a kernel reads it: volume, root, and the files of its entries. */
    @Test
    void cloudInitFindsItsFiles() {
        ByteBuffer disk = ByteBuffer.wrap(SeedVolume.make()).order(ByteOrder.LITTLE_ENDIAN);
        int volume = 16 * 2048;
        assertThat(text(disk, volume + 1, 5)).isEqualTo("CD001");
        assertThat(text(disk, volume + 40, 32).strip()).isEqualTo("cidata");
        assertThat(disk.getInt(volume + 80) * 2048).isEqualTo(disk.capacity());
        assertThat(disk.getShort(volume + 128)).isEqualTo((short) 2048);
        int root = disk.getInt(volume + 156 + 2) * 2048;
        assertThat(disk.getInt(volume + 156 + 10)).isEqualTo(2048);
        assertThat(disk.getInt(disk.getInt(volume + 140) * 2048 + 2) * 2048).isEqualTo(root);
        assertThat(disk.get(17 * 2048)).isEqualTo((byte) 255);
        Map<String, String> files = new TreeMap<>();
        for (int at = root; disk.get(at) != 0; at += disk.get(at)) {
            int length = disk.get(at + 32);
            if ((disk.get(at + 25) & 2) == 0) {
                files.put(text(disk, at + 33, length), text(disk, disk.getInt(at + 2) * 2048, disk.getInt(at + 10)));
            }
        }
        assertThat(files).containsOnlyKeys("META-DATA.;1", "NETWORK-CONFIG.;1", "USER-DATA.;1");
        assertThat(files.get("META-DATA.;1")).startsWith("instance-id: ");
        assertThat(files.get("NETWORK-CONFIG.;1")).contains("dhcp4: true");
        assertThat(files.get("USER-DATA.;1")).startsWith("#cloud-config\n");
    }
}
