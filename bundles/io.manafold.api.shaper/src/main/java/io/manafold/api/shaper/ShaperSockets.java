package io.manafold.api.shaper;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Opens places that are neither this platform nor its host: servers that answer netlink over a Unix socket. */
@ProviderType
public interface ShaperSockets {
    /**
     * The place behind a socket: a kernel in a virtual machine, or another platform. It is not asked before it has to
     * answer. A device that has no name there is meant by its number.
     */
    Shapers at(Path socket);
}
