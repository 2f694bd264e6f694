package io.manafold.api.ethdev;

import org.osgi.annotation.versioning.ConsumerType;

/** Is told of what happens to ports. */
@ConsumerType
@FunctionalInterface
public interface EthDevListener {
    void happened(EthDevEvent event);
}
