package io.manafold.api.doctor;

import java.time.Duration;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** A disk that was read and can be booted; closing it leaves nothing behind. One thread calls. */
@ProviderType
public interface BootableImage extends AutoCloseable {
    Evidence evidence();

    /**
     * Boots it and watches the adapter; nothing of the disk is written. The machine has ended when this returns, or
     * throws because the thread was interrupted.
     *
     * @param limit how long all may take
     * @param progress is told what goes on; its words may be a stranger's
     */
    Sighting boot(Duration limit, Consumer<String> progress) throws InterruptedException;

    @Override
    void close();
}
