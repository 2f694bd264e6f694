package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.pmd.internal.words.SyntheticArgument;

/** What a port over a pair is: as much of everything as both of its ways have. */
record PairedFacts(SyntheticDevice device, SyntheticArgument argument) {
    static final String DRIVER = "net_netvsc";
    private static final int MOST_QUEUES = 64;
    private static final int MOST_DESCRIPTORS = 4096;
    private static final int MOST_PIECES = 30;
    private static final int LEAST_MTU = 68;
    private static final int MOST_MTU = 9000;
    /** Of packets that come by the virtual function; those of the synthetic device bring none. */
    private static final long RECEIVE_OFFLOADS = Offload.RECEIVE_RSS_HASH;

    /** @param function limits of the virtual function, or {@code null} while there is none */
    EthDevInfo info(EthDevInfo function) {
        EthDevInfo own = new EthDevInfo(DRIVER, device.instance(), 1, argument.arguments(), "", device.mac(),
                device.name(), MOST_QUEUES, PortPlan.LEAST_DESCRIPTORS, MOST_DESCRIPTORS, PortPlan.ALIGNMENT,
                PortPlan.LEAST_ROOM, LEAST_MTU, MOST_MTU, MOST_PIECES, PortPlan.KEY_BYTES, PortPlan.TABLE,
                RECEIVE_OFFLOADS, Offload.SEND_SEGMENTS, RssHash.ALL);
        return function == null ? own : new EthDevInfo(DRIVER, own.address(), own.port(), own.arguments(), "",
                own.mac(), own.device(), Math.min(own.maxQueues(), function.maxQueues()),
                Math.max(own.minDescriptors(), function.minDescriptors()),
                Math.min(own.maxDescriptors(), function.maxDescriptors()), own.descriptorAlignment(),
                Math.max(own.minRoom(), function.minRoom()), Math.max(own.minMtu(), function.minMtu()),
                Math.min(own.maxMtu(), function.maxMtu()), Math.min(own.maxPieces(), function.maxPieces()),
                own.keyBytes(), own.redirectionSize(), own.receiveOffloads() & function.receiveOffloads(),
                own.sendOffloads() & function.sendOffloads(), own.hashFields() & function.hashFields());
    }
}
