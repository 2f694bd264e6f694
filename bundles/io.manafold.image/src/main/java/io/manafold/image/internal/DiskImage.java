package io.manafold.image.internal;

import io.manafold.api.doctor.BootableImage;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A disk that was read, with the files that it boots with in a folder of their own. */
final class DiskImage implements BootableImage {
    private final Path disk;
    private final DiskFormat format;
    private final Path qemu;
    private final Path folder;
    private final Supplier<BootNetwork> networks;
    private final Semaphore turn;
    private final Evidence evidence;
    private final BootFiles files;

    /** @param turn what it holds, to be released when it is closed */
    DiskImage(Path disk, HelperMachine machine, Consumer<String> progress, Supplier<BootNetwork> networks,
            Semaphore turn) throws InterruptedException {
        this.disk = disk;
        this.networks = networks;
        this.turn = turn;
        Path made = null;
        try {
            format = format(disk);
            qemu = HelperParts.of(machine).qemu();
            BootMachine.check(qemu);
            made = Files.createTempDirectory("manafold-boot-files");
            folder = made;
            BootFiles[] taken = new BootFiles[1];
            RawTree tree = new DiskReader(machine, progress).read(disk, format, (found, in, out, deadline) -> {
                taken[0] = new BootFiles(new TreeEvidence(name(), found), folder);
                taken[0].take(in, out, deadline);
            });
            evidence = new TreeEvidence(name(), tree);
            files = taken[0];
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            QemuProcess.remove(made);
            throw new InterruptedException();
        } catch (IOException e) {
            QemuProcess.remove(made);
            throw new Refusal(Errno.EINVAL, "'" + disk + "' cannot be read: " + e.getMessage() + ".", e);
        } catch (RuntimeException e) {
            QemuProcess.remove(made);
            throw e;
        }
    }

    private String name() {
        return String.valueOf(disk.getFileName());
    }

    private static DiskFormat format(Path disk) throws IOException {
        if (!Files.isRegularFile(disk)) {
            throw new Refusal(Files.exists(disk) ? Errno.EINVAL : Errno.ENOENT, Files.exists(disk) ? "'" + disk
                    + "' is not a disk, and what is booted is one (raw, qcow2, vhd, vhdx, vmdk); without --boot its "
                    + "files are judged alone." : "There is no file '" + disk + "'.");
        }
        return DiskFormat.of(disk).orElseThrow(() -> new Refusal(Errno.EINVAL, "'" + disk
                + "' is not a disk, and what is booted is one (raw, qcow2, vhd, vhdx, vmdk); without --boot its files "
                + "are judged alone."));
    }

    @Override
    public Evidence evidence() {
        return evidence;
    }

    @Override
    public Sighting boot(Duration limit, Consumer<String> progress) throws InterruptedException {
        try (BootNetwork network = networks.get()) {
            network.open();
            try (BootMachine machine = new BootMachine(network.export())) {
                progress.accept("a machine boots Linux " + files.release() + " of the disk");
                BootWatch watch = new BootWatch(network, machine, limit, progress);
                machine.start(qemu, disk, format, files);
                return watch.watch();
            }
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "'" + disk + "' cannot be booted: " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void close() {
        QemuProcess.remove(folder);
        turn.release();
    }
}
