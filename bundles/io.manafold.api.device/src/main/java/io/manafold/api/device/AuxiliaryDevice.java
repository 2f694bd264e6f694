package io.manafold.api.device;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A part of a function that its driver offers to other drivers, as {@code mana.eth} and {@code mana.rdma}. Registered
 * as a service by the parent's driver; the core unbinds it before it removes that driver.
 */
@ConsumerType
public non-sealed interface AuxiliaryDevice extends Device {
    /** What kind of part it is, the name that drivers match on: {@code mana.rdma}. */
    String name();

    /** Tells several parts of one name apart. */
    int number();

    /** The {@link Device#id id} of the device whose driver offers this one. */
    String parent();

    @Override
    default String id() {
        return name() + "." + number();
    }

    /**
     * Something the parent lends to the driver of this part.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if the parent lends no such thing, {@code ENODEV} once
     *         the parent's driver has been removed
     */
    <T> T lend(Class<T> type);
}
