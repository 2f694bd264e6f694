package io.manafold.api.fabric;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The link's side of a companion: a second plug at a port's place, as the synthetic device of a virtual machine is
 * beside its virtual function. Both send from there; the link does not pass frames from one to the other.
 */
@ProviderType
public interface CompanionWire extends Wire {
    /**
     * Says which of the two gets what is sent to one station from here on; at first it is the companion. The other
     * frames, to groups and to all, are the companion's in either case, and so is everything while no port is plugged
     * in. Any thread; it holds for frames that enter the link after this returns.
     */
    void steerToPort(boolean toPort);
}
