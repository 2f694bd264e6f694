package io.manafold.api.inet;

import io.manafold.api.fabric.CaptureStatus;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Captures at network devices, as the driver sees packets; a service. A capture goes on when the device's driver is
 * replaced. Any thread may call.
 */
@ProviderType
public interface DeviceCaptures {
    /** Writes every packet that a device receives or sends to a new pcapng file, until {@link #stop}. */
    default CaptureStatus start(String device, Path file, int snap) {
        return start(device, file, snap, Long.MAX_VALUE);
    }

    /**
     * Writes every packet that a device receives or sends to a new pcapng file, until there are as many as asked for or
     * {@link #stop}.
     *
     * @param file must not be there yet
     * @param snap how many bytes of a packet are kept at most
     * @param count after how many packets it ends by itself
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV}, {@code EEXIST}, {@code EACCES}, {@code ENOENT} …
     */
    CaptureStatus start(String device, Path file, int snap, long count);

    /**
     * Begins to take packets that a device receives or sends, to look at them at once.
     *
     * @param snap how many bytes of a packet are kept at most
     * @param copy where the packets that are taken are written to as pcapng as well; {@code null} for nowhere
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV}, {@code EBUSY} …
     */
    PacketListing list(String device, int snap, OutputStream copy);

    /** Ends a capture; its file is complete on return. */
    CaptureStatus stop(String device, Path file);

    /** Captures that no administrator has ended; their {@link CaptureStatus#link} is the device. */
    List<CaptureStatus> captures();
}
