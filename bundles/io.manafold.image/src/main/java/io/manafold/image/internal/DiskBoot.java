package io.manafold.image.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.doctor.BootableImage;
import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.doctor.ImageBoot;
import io.manafold.api.inet.Hosts;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.Exports;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.FieldOption;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Boots one disk at a time. */
@Component
public final class DiskBoot implements ImageBoot {
    private final ConfigurationAdmin admin;
    private final Exports exports;
    private final Hosts hosts;
    private final Semaphore turn = new Semaphore(1);

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE,
            fieldOption = FieldOption.REPLACE)
    private volatile List<Adapter> adapters = List.of();

    @Activate
    public DiskBoot(@Reference ConfigurationAdmin admin, @Reference Exports exports, @Reference Hosts hosts) {
        this.admin = admin;
        this.exports = exports;
        this.hosts = hosts;
        // a platform that was ended in the middle of a boot has left them
        BootNetwork.clear(admin);
    }

    @Override
    public BootableImage open(Path disk, HelperMachine machine, Consumer<String> progress)
            throws InterruptedException {
        if (!turn.tryAcquire()) {
            throw new Refusal(Errno.EBUSY, "Another image boots on this platform; try again when it has ended.");
        }
        boolean opened = false;
        try {
            BootableImage image = new DiskImage(disk, machine, progress,
                    () -> new BootNetwork(admin, () -> adapters, exports, hosts), turn);
            opened = true;
            return image;
        } finally {
            if (!opened) {
                turn.release();
            }
        }
    }
}
