package io.manafold.guests;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A physical volume of LVM with the volumes of one group on it. LVM's own tools make them on devices alone, which need
 * root; what they write is a label, a header and a text.
 */
final class VolumeGroup {
    private static final int SECTOR = 512;
    private static final int EXTENT = 4 << 20;
    private static final int FIRST = 1 << 20;
    private static final int AREA = 4096;
    private static final String ID = "000000-0000-0000-0000-0000-0000-00000";

    private VolumeGroup() {
    }

    /** @param volumes what is on each, by its name */
    static Path make(Path file, String group, Map<String, Path> volumes) throws IOException {
        StringBuilder text = new StringBuilder();
        int extents = 0;
        try (FileChannel disk = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (Map.Entry<String, Path> volume : volumes.entrySet()) {
                try (FileChannel content = FileChannel.open(volume.getValue(), StandardOpenOption.READ)) {
                    int count = Math.ceilDiv((int) content.size(), EXTENT);
                    disk.position(FIRST + (long) extents * EXTENT);
                    content.transferTo(0, content.size(), disk);
                    text.append(("%s {\nid = \"%s\"\nstatus = [\"READ\", \"WRITE\", \"VISIBLE\"]\nflags = []\n"
                            + "segment_count = 1\nsegment1 {\nstart_extent = 0\nextent_count = %d\n"
                            + "type = \"striped\"\nstripe_count = 1\nstripes = [\n\"pv0\", %d\n]\n}\n}\n")
                            .formatted(volume.getKey(), ID + text.length() % 10, count, extents));
                    extents += count;
                }
            }
            long size = FIRST + (long) extents * EXTENT;
            disk.write(ByteBuffer.allocate(1), size - 1);
            disk.write(label(size), SECTOR);
            area(disk, group + " {\nid = \"" + ID + "g\"\nseqno = 1\nformat = \"lvm2\"\n"
                    + "status = [\"RESIZEABLE\", \"READ\", \"WRITE\"]\n"
                    + "flags = []\nextent_size = " + EXTENT / SECTOR + "\nmax_lv = 0\n"
                    + "max_pv = 0\nmetadata_copies = 0\nphysical_volumes {\npv0 {\nid = \"" + ID + "p\"\n"
                    + "device = \"/dev/sda\"\nstatus = [\"ALLOCATABLE\"]\nflags = []\ndev_size = " + size / SECTOR
                    + "\npe_start = " + FIRST / SECTOR + "\npe_count = " + extents + "\n}\n}\nlogical_volumes {\n"
                    + text + "}\n}\ncontents = \"Text Format Volume Group\"\nversion = 1\ndescription = \"\"\n"
                    + "creation_host = \"test\"\ncreation_time = 1\n\0");
        }
        return file;
    }

    /** The second sector: that this is a volume, whose it is, and where things lie. */
    private static ByteBuffer label(long size) {
        ByteBuffer label = ByteBuffer.allocate(SECTOR).order(ByteOrder.LITTLE_ENDIAN);
        label.put(bytes("LABELONE")).putLong(1).putInt(0).putInt(32).put(bytes("LVM2 001"))
                .put(bytes((ID + "p").replace("-", ""))).putLong(size).putLong(FIRST).putLong(0).putLong(0).putLong(0)
                .putLong(AREA).putLong(FIRST - AREA).putLong(0).putLong(0);
        return label.putInt(16, sum(label.array(), 20, SECTOR)).clear();
    }

    private static void area(FileChannel disk, String text) throws IOException {
        byte[] bytes = bytes(text);
        ByteBuffer header = ByteBuffer.allocate(SECTOR).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0).put(bytes(" LVM2 x[5A%r0N*>")).putInt(1).putLong(AREA).putLong(FIRST - AREA)
                .putLong(SECTOR).putLong(bytes.length).putInt(sum(bytes, 0, bytes.length)).putInt(0);
        header.putInt(0, sum(header.array(), 4, SECTOR));
        disk.write(header.clear(), AREA);
        disk.write(ByteBuffer.wrap(bytes), AREA + SECTOR);
    }

    /** LVM's sums are those of everyone, begun with a value of its own and not inverted. */
    private static int sum(byte[] bytes, int from, int to) {
        int sum = 0xf597a6cf;
        for (int i = from; i < to; i++) {
            sum ^= bytes[i] & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                sum = (sum >>> 1) ^ ((sum & 1) == 0 ? 0 : 0xedb88320);
            }
        }
        return sum;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
