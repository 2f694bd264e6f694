package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Formats of disks, told by what stands in them. QEMU is told the format and guesses nothing, and what would make it
 * open another file is refused before.
 */
enum DiskFormat {
    RAW("raw"), QCOW2("qcow2"), VHD("vpc"), VHDX("vhdx"), VMDK("vmdk");

    private static final int HEAD = 128 << 10;
    private static final int SECTOR = 512;
    private static final int QCOW2_DATA_FILE = 1 << 2;
    private static final int VHD_TYPE = 60;
    private static final int VHD_DIFFERENCING = 4;
    private static final int MOST_DESCRIPTOR = 20 << 10;

    /** What QEMU calls it. */
    final String driver;

    DiskFormat(String driver) {
        this.driver = driver;
    }

    /**
     * The format of a disk, or nothing for what is none.
     *
     * @throws Refusal {@code EPERM} for a disk that stands on another file, or names one
     */
    static Optional<DiskFormat> of(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer head = at(channel, 0, HEAD);
            if (isArchive(head)) {
                return Optional.empty();
            }
            if (is(head, 0, "QFI\u00fb")) {
                qcow2(file, head);
                return Optional.of(QCOW2);
            }
            if (is(head, 0, "KDMV") || is(head, 0, "COWD") || is(head, 0, "# Disk DescriptorFile")) {
                vmdk(file, channel, head);
                return Optional.of(VMDK);
            }
            if (is(head, 0, "vhdxfile")) {
                return Optional.of(VHDX);
            }
            ByteBuffer foot = at(channel, Math.max(0, channel.size() - SECTOR), SECTOR);
            for (ByteBuffer part : new ByteBuffer[] {head, foot}) {
                if (is(part, 0, "conectix")) {
                    vhd(file, part);
                    return Optional.of(VHD);
                }
            }
            return isDisk(head) ? Optional.of(RAW) : Optional.empty();
        }
    }

    private static ByteBuffer at(FileChannel channel, long position, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int got = 0; bytes.hasRemaining() && got >= 0;) {
            got = channel.read(bytes, position + bytes.position());
        }
        return bytes.flip();
    }

    private static boolean is(ByteBuffer bytes, int at, String magic) {
        byte[] wanted = magic.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.limit() >= at + wanted.length && bytes.slice(at, wanted.length).equals(ByteBuffer.wrap(wanted));
    }

    private static boolean isArchive(ByteBuffer head) {
        byte[] block = new byte[Math.min(TarReader.BLOCK, head.limit())];
        head.get(0, block);
        return TarReader.is(block) || CpioReader.is(block) || Packed.is(block);
    }

    /** A partition table, a file system or a volume of LVM. */
    private static boolean isDisk(ByteBuffer head) {
        return is(head, 510, "\u0055\u00aa") || is(head, 512, "EFI PART") || is(head, 4096, "EFI PART")
                || is(head, 1080, "\u0053\u00ef") || is(head, 0, "XFSB") || is(head, 0x10040, "_BHRfS_M")
                || is(head, 512, "LABELONE");
    }

    private static void qcow2(Path file, ByteBuffer head) {
        int version = head.limit() < 104 ? 0 : head.getInt(4);
        if (version != 2 && version != 3) {
            throw new Refusal(Errno.EINVAL, "'" + file + "' begins as a disk of qcow2 does, with a version that is "
                    + "neither 2 nor 3; convert it with 'qemu-img convert -O qcow2'.");
        }
        if (head.getLong(8) != 0) {
            throw other(file, "has a backing file");
        }
        if (head.getInt(32) != 0) {
            throw new Refusal(Errno.EOPNOTSUPP, "'" + file + "' is encrypted; convert it with 'qemu-img convert' and "
                    + "its secret first.");
        }
        if (version == 3 && (head.getLong(72) & QCOW2_DATA_FILE) != 0) {
            throw other(file, "has its data in another file");
        }
    }

    private static void vhd(Path file, ByteBuffer footer) {
        if (footer.limit() < SECTOR || footer.getInt(VHD_TYPE) == VHD_DIFFERENCING) {
            throw other(file, "is a differencing disk, which has a parent");
        }
    }

    private static void vmdk(Path file, FileChannel channel, ByteBuffer head) throws IOException {
        // a header without a size is a place for a descriptor, and descriptors name files
        if (!is(head, 0, "KDMV") || head.limit() < SECTOR || head.getLong(12) == 0) {
            throw other(file, "is a descriptor, which names files of its extents");
        }
        long sector = Long.reverseBytes(head.getLong(28));
        if (sector > 0 && sector < channel.size() / SECTOR) {
            String descriptor = StandardCharsets.ISO_8859_1
                    .decode(at(channel, sector * SECTOR, MOST_DESCRIPTOR)).toString();
            if (descriptor.contains("parentFileNameHint")) {
                throw other(file, "has a parent");
            }
        }
    }

    private static Refusal other(Path file, String how) {
        return new Refusal(Errno.EPERM, "'" + file + "' " + how + ", and no image may name files of this machine; make "
                + "it one file with 'qemu-img convert -O qcow2' where it is from.");
    }
}
