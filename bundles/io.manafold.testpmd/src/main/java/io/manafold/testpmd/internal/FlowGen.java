package io.manafold.testpmd.internal;

import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/** Sends packets of many flows, each to an address of its own, and drops what comes. */
final class FlowGen extends ForwardStream {
    private static final int SUM = MadeFrames.NETWORK + 10;
    private static final int DESTINATION = MadeFrames.NETWORK + 16;

    private final MadeFrames frames;
    private final int[] made;
    private final int flows;
    private final int clones;
    private int flow;
    private int clone;

    FlowGen(Route route) {
        super(route);
        if (route.settings().packetSize > route.pool().room()) {
            throw Words.wrong("flowgen makes packets of one segment, and " + route.settings().packetSize
                    + " bytes are more than the " + route.pool().room()
                    + " that one has; 'set txpkts 64' makes shorter ones.");
        }
        frames = new MadeFrames(route, route.settings().packetSize);
        made = new int[burst];
        flows = route.settings().flows;
        clones = route.settings().clones;
    }

    @Override
    public int turn() {
        int came = receive();
        if (came > 0) {
            leaveOut();
            PacketPool.release(packets, 0, came);
        }
        if (!pool.take(made, 0, burst)) {
            reclaim();
            return came;
        }
        for (int i = 0; i < burst; i++) {
            address(frames.write(made[i]));
        }
        send(made, 0, burst);
        return came + burst;
    }

    private void address(long at) {
        int before = RawMemory.getBig32(at + DESTINATION);
        int now = before + flow;
        RawMemory.putBig32(at + DESTINATION, now);
        // the header's sum by what has changed, so that its other words need not be read
        long sum = (~RawMemory.getBig16(at + SUM) & 0xffff) + (~before >>> 16) + (~before & 0xffff) + (now >>> 16)
                + (now & 0xffff);
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        RawMemory.putBig16(at + SUM, (int) ~sum & 0xffff);
        if (++clone > clones) {
            clone = 0;
            flow = flow + 1 == flows ? 0 : flow + 1;
        }
    }
}
