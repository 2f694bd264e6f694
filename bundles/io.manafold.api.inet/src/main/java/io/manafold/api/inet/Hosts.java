package io.manafold.api.inet;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The hosts above the platform's network devices, each a host of its own; a service. Any thread may call. */
@ProviderType
public interface Hosts {
    /** All of them, those included whose device is away, by name. */
    List<Host> list();

    /** The host above the device of that name, there or away. */
    Optional<Host> find(String device);
}
