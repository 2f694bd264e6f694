package io.manafold.testkit;


/** Is given received packets by the thread that polls. */
@FunctionalInterface
public interface PacketHandler {
    /**
     * A packet.
     *
     * @param pointer where it is until this returns
     * @param flags of {@link io.manafold.gdma.ReceiveCompletion}
     */
    void packet(long pointer, int length, int flags, int hash);
}
