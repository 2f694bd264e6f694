package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;

/** What a port has of its network device, which is down meanwhile: link, MTU, and what the function has counted. */
final class NetDeviceState {
    static final LinkState DOWN = new LinkState(false, 0);
    private static final long MEGABIT = 1_000_000;

    private final Directory directory;
    private final PortFacts facts;
    private final PortSentences say;
    private long missed;
    private long missedThere;

    NetDeviceState(Directory directory, PortFacts facts, PortSentences say) {
        this.directory = directory;
        this.facts = facts;
        this.say = say;
        missedThere = missedThere(device());
    }

    /** {@code null} if there is none. */
    NetDevice device() {
        return directory.network(facts.address(), facts.port());
    }

    /** Without a network device the link is taken for up, and its speed is unknown. */
    LinkState link() {
        NetDevice above = device();
        if (above == null) {
            return new LinkState(true, 0);
        }
        return above.hasLink() ? new LinkState(true, (int) Math.min(Integer.MAX_VALUE, above.speed() / MEGABIT)) : DOWN;
    }

    int mtu() {
        NetDevice above = device();
        return above == null ? PortFacts.DEFAULT_MTU : above.mtu();
    }

    void mtu(int bytes) {
        EthDevInfo info = facts.info();
        if (bytes < info.minMtu() || bytes > info.maxMtu()) {
            throw say.refusal(Errno.EINVAL, "has an MTU from " + info.minMtu() + " to " + info.maxMtu() + ", not "
                    + bytes + ".");
        }
        NetDevice above = device();
        if (above == null) {
            throw say.refusal(Errno.ENODEV, "has no network device, which its MTU is of.");
        }
        above.setMtu(bytes);
    }

    /**
     * Packets for which no buffer was posted, since the port was probed; a function that was reset counts from 0 again.
     */
    synchronized long missed() {
        NetDevice above = device();
        if (above != null) {
            long now = missedThere(above);
            missed += now < missedThere ? now : now - missedThere;
            missedThere = now;
        }
        return missed;
    }

    private static long missedThere(NetDevice above) {
        return above == null ? 0 : above.totals().getOrDefault("rx_missed", 0L);
    }
}
