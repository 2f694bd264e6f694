package io.manafold.api.inet;

import io.manafold.api.fabric.CaptureStatus;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Captures at network devices, as the driver sees packets; a service. A capture goes on when the device's driver is
 * replaced. Any thread may call.
 */
@ProviderType
public interface DeviceCaptures {
    /**
     * Writes every packet that a device receives or sends to a new pcapng file.
     *
     * @param file must not be there yet
     * @param snap how many bytes of a packet are kept at most
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV}, {@code EEXIST}, {@code EACCES}, {@code ENOENT} …
     */
    CaptureStatus start(String device, Path file, int snap);

    /** Ends a capture; its file is complete on return. */
    CaptureStatus stop(String device, Path file);

    /** Captures under way; their {@link CaptureStatus#link} is the device. */
    List<CaptureStatus> captures();
}
