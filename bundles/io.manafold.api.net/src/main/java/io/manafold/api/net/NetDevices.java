package io.manafold.api.net;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The network devices of a function, lent to the driver of one of its other parts. */
@ProviderType
public interface NetDevices {
    /** In the order of their ports, the first of which is 1; what the list holds changes when a device is renamed. */
    List<NetDevice> devices();
}
