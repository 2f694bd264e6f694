package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import java.util.OptionalLong;

/** What a port has of its network device, which is down meanwhile: link, MTU, and what the function has counted. */
final class NetDeviceState {
    static final LinkState DOWN = new LinkState(false, 0);
    private static final long MEGABIT = 1_000_000;

    private final Directory directory;
    private final PortFacts facts;
    private final PortSentences say;
    private long missed;
    /** Empty as long as the device has not told it. */
    private OptionalLong missedThere;

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
     * The function is asked. 0 for one that counts them for several ports together alone.
     */
    synchronized long missed() {
        OptionalLong now = missedThere(device());
        if (now.isPresent()) {
            long before = missedThere.orElse(now.getAsLong());
            missed += now.getAsLong() < before ? now.getAsLong() : now.getAsLong() - before;
            missedThere = now;
        }
        return missed;
    }

    private static OptionalLong missedThere(NetDevice above) {
        Long told = above == null ? null : above.totals().get("rx_missed");
        return told == null ? OptionalLong.empty() : OptionalLong.of(told);
    }
}
