package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** File systems and disks, made of folders by Debian's tools: nothing is mounted, and nothing needs root. */
final class DiskFiles {
    private static final int SECTOR = 512;
    private static final int FIRST = 2048;

    private DiskFiles() {
    }

    static void run(String... command) throws IOException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** @param more options, as for a UUID */
    static Path ext4(Path file, Path from, String... more) throws IOException {
        List<String> words = Stream.of(Stream.of("/usr/sbin/mke2fs", "-q", "-t", "ext4", "-d", from.toString()),
                Stream.of(more), Stream.of(file.toString(), "64M")).flatMap(one -> one).toList();
        run(words.toArray(String[]::new));
        return file;
    }

    static Path btrfs(Path file, Path from) throws IOException {
        try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
            disk.setLength(128 << 20);
        }
        run("/usr/sbin/mkfs.btrfs", "-q", "--rootdir", from.toString(), file.toString());
        return file;
    }

    /** Of the files whose names have no blanks: the list that it is made from has them between its words. */
    static Path xfs(Path file, Path from) throws IOException {
        StringBuilder list = new StringBuilder("none\n0 0\nd--755 0 0\n");
        list(from, list);
        Path prototype = Files.writeString(file.resolveSibling(file.getFileName() + ".list"), list + "$\n");
        run("/usr/sbin/mkfs.xfs", "-q", "-d", "file,size=300m,name=" + file, "-p", prototype.toString());
        return file;
    }

    private static void list(Path folder, StringBuilder list) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().filter(one -> !one.toString().contains(" ")).toList()) {
                list.append(file.getFileName());
                if (Files.isSymbolicLink(file)) {
                    list.append(" l--777 0 0 ").append(Files.readSymbolicLink(file)).append('\n');
                } else if (Files.isDirectory(file)) {
                    list.append(" d--755 0 0\n");
                    list(file, list);
                    list.append("$\n");
                } else {
                    list.append(" ---644 0 0 ").append(file).append('\n');
                }
            }
        }
    }

    /** Writes a GPT with these file systems one after the other. */
    static Path partitioned(Path file, Path... parts) throws IOException {
        ByteBuffer entries = ByteBuffer.allocate(32 * SECTOR).order(ByteOrder.LITTLE_ENDIAN);
        long at = FIRST;
        try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
            for (int i = 0; i < parts.length; i++) {
                try (FileChannel part = FileChannel.open(parts[i], StandardOpenOption.READ)) {
                    long sectors = part.size() / SECTOR;
                    part.transferTo(0, part.size(), disk.getChannel().position(at * SECTOR));
                    entries.position(i * 128).putLong(0x477284830fc63dafL).putLong(0xe47d47d8693d798eL)
                            .putLong(i + 1).putLong(1).putLong(at).putLong(at + sectors - 1);
                    at += sectors;
                }
            }
            long last = at + FIRST - 1;
            disk.setLength((last + 1) * SECTOR);
            CRC32 sum = new CRC32();
            sum.update(entries.array());
            ByteBuffer header = ByteBuffer.allocate(SECTOR).order(ByteOrder.LITTLE_ENDIAN);
            header.put("EFI PART".getBytes(StandardCharsets.US_ASCII)).putInt(0x10000).putInt(92).putInt(0).putInt(0)
                    .putLong(1).putLong(last).putLong(34).putLong(last - 33).putLong(7).putLong(7).putLong(2)
                    .putInt(128).putInt(128).putInt((int) sum.getValue());
            CRC32 whole = new CRC32();
            whole.update(header.array(), 0, 92);
            header.putInt(16, (int) whole.getValue());
            ByteBuffer protective = ByteBuffer.allocate(SECTOR).order(ByteOrder.LITTLE_ENDIAN);
            protective.putInt(446, 0x00020000).putInt(450, 0xffffffee).putInt(454, 1)
                    .putInt(458, (int) last).putShort(510, (short) 0xaa55);
            disk.seek(0);
            disk.write(protective.array());
            disk.write(header.array());
            disk.write(entries.array());
        }
        return file;
    }
}
