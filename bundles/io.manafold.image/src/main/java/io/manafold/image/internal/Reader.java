package io.manafold.image.internal;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.EvidenceReader;
import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Component;

/** Tells folders, archives, container images and disks apart and reads them. */
@Component
public final class Reader implements EvidenceReader {
    /** One after the other in a file of initial files. */
    private static final int MOST_ARCHIVES = 4;
    /** Zeros between two of them. */
    private static final int MOST_ZEROS = 1 << 20;

    @Override
    public Evidence read(Path path) throws InterruptedException {
        return read(path, HelperMachine.PREPARED, _ -> { });
    }

    @Override
    public Evidence read(Path path, HelperMachine machine, Consumer<String> progress) throws InterruptedException {
        String target = String.valueOf(path.getFileName() == null ? path : path.getFileName());
        if (Files.isDirectory(path)) {
            return new TreeEvidence(target, folder(path));
        }
        if (!Files.exists(path)) {
            throw new Refusal(Errno.ENOENT, "There is no file or folder '" + path + "'.");
        }
        if (!Files.isRegularFile(path)) {
            throw new Refusal(Errno.EINVAL, "'" + path + "' is neither a folder nor a file.");
        }
        try (InputStream in = Files.newInputStream(path)) {
            Optional<DiskFormat> disk = DiskFormat.of(path);
            if (disk.isPresent()) {
                return new TreeEvidence(target, new DiskReader(machine, progress).read(path, disk.get()));
            }
            Deadline deadline = new Deadline();
            RawTree tree = archive(deadline.over(in), deadline, PathFilter.ROOT);
            return new TreeEvidence(target, ImageLayers.are(tree) ? layers(path, tree, deadline) : tree);
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw cannot(path, e);
        }
    }

    private static Refusal cannot(Path path, IOException why) {
        return new Refusal(Errno.EINVAL, "'" + path + "' cannot be read: " + why.getMessage() + ".", why);
    }

    private static RawTree folder(Path path) throws InterruptedException {
        FolderTree folder = new FolderTree(path);
        if (!ImageLayers.are(folder)) {
            return folder;
        }
        try {
            return LayeredImage.ofFolder(ImageLayers.of(folder), folder, new Deadline());
        } catch (InterruptedIOException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw cannot(path, e);
        }
    }

    /** Goes through the archive once more: what its layers are stands in it in no order. */
    private static RawTree layers(Path path, RawTree files, Deadline deadline) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return layers(deadline.over(in), files, deadline);
        }
    }

    static RawTree layers(InputStream again, RawTree files, Deadline deadline) throws IOException {
        InputStream plain = Packed.open(again, Limits.XZ_MEMORY);
        return LayeredImage.ofArchive(ImageLayers.of(files), plain, deadline);
    }

    static RawTree archive(InputStream packed, Deadline deadline, PathFilter wanted) throws IOException {
        return archive(packed, deadline, wanted, NameBudget.ofArchive());
    }

    /** @param budget of what the archive stands in, too */
    static RawTree archive(InputStream packed, Deadline deadline, PathFilter wanted, NameBudget budget)
            throws IOException {
        MemoryTree tree = new MemoryTree(budget);
        BufferedInputStream raw = new BufferedInputStream(packed, 1 << 16);
        int xzMemory = wanted == PathFilter.ROOT ? Limits.XZ_MEMORY : Limits.XZ_MEMORY_INSIDE;
        BufferedInputStream plain = new BufferedInputStream(Packed.open(raw, xzMemory), 1 << 16);
        plain.mark(TarReader.BLOCK);
        byte[] block = plain.readNBytes(TarReader.BLOCK);
        plain.reset();
        if (CpioReader.is(block)) {
            initialFiles(plain, tree, deadline, wanted);
            return tree;
        }
        BoundedInput in = new BoundedInput(plain, deadline);
        if (!TarReader.is(block) && !isEmpty(block)) {
            throw new IOException("it is neither a tar archive nor an initial file system (newc), packed with "
                    + "gz, xz or zstd or not, nor a disk");
        }
        in.skip(TarReader.BLOCK);
        new TarReader(in, new Entries(tree, in, wanted)).read(block);
        return tree;
    }

    private static boolean isEmpty(byte[] block) {
        return block.length == TarReader.BLOCK && Arrays.equals(block, new byte[TarReader.BLOCK]);
    }

    /** One archive after the other: microcode comes first and plain, the rest after it and packed. */
    private static void initialFiles(BufferedInputStream from, MemoryTree tree, Deadline deadline, PathFilter wanted)
            throws IOException {
        BufferedInputStream next = from;
        for (int archives = 0; next != null && archives < MOST_ARCHIVES; archives++) {
            BoundedInput in = new BoundedInput(next, deadline);
            new CpioReader(in, new Entries(tree, in, wanted)).read();
            next = following(next);
        }
    }

    /** What comes after zeros, or {@code null} if it is no other archive. */
    private static BufferedInputStream following(BufferedInputStream in) throws IOException {
        int next = 0;
        for (int zeros = 0; next == 0 && zeros < MOST_ZEROS; zeros++) {
            in.mark(1);
            next = in.read();
        }
        if (next <= 0) {
            return null;
        }
        in.reset();
        BufferedInputStream plain = new BufferedInputStream(Packed.open(in, Limits.XZ_MEMORY_INSIDE), 1 << 16);
        plain.mark(CpioReader.HEADER);
        byte[] header = plain.readNBytes(CpioReader.HEADER);
        plain.reset();
        return CpioReader.is(header) ? plain : null;
    }
}
