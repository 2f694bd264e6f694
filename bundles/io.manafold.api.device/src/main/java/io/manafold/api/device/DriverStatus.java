package io.manafold.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** A driver that was there at the moment of asking, and what it drove. */
@ProviderType
public interface DriverStatus {
    String name();

    String version();

    /** The symbolic name of the bundle it comes from. */
    String bundle();

    List<DeviceMatch> idTable();

    /** Ids of the devices it is bound to. */
    List<String> devices();
}
