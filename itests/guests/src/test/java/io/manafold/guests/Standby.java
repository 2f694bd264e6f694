package io.manafold.guests;

import java.nio.file.Path;

/**
 * A device of virtio that stands by for a function: both have one address, and the emulator holds the function back
 * until the machine's driver has said that it knows of standing by.
 *
 * @param socket where the function is lent
 * @param mac of both
 * @param tap what the device of virtio is plugged into
 */
record Standby(Path socket, String mac, String tap) {
    private static final String SLOT = "primary-slot";
    /** What is plugged in after the machine has begun finds room only where some was left for it. */
    private static final String ROOM = ",mem-reserve=8M";
    private static final String PRIMARY = "primary";

    /** More words for the emulator's command line, none of which has a blank in it. */
    String words() {
        return " -netdev tap,id=synthetic,ifname=" + tap + ",script=no,downscript=no"
                + " -device virtio-net-pci,netdev=synthetic,id=standby,failover=on,romfile=,mac=" + mac
                + " -device pcie-root-port,id=" + SLOT + ",chassis=90,slot=90" + ROOM
                + " -device " + function();
    }

    private String function() {
        return ("{'driver':'vfio-user-pci','id':'" + PRIMARY + "','socket':{'type':'unix','path':'" + socket
                + "'},'bus':'" + SLOT + "','failover_pair_id':'standby'}").replace('\'', '"');
    }
}
