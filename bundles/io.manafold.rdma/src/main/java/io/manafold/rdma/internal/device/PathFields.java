package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.Path;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.SetQpState;
import java.util.List;

/** Paths of verbs as the device is told of them. */
final class PathFields {
    private static final int ROCE_PORT = 4791;
    private static final int MOST_FLOW = 0xf_ffff;

    private PathFields() {
    }

    /** What packets carry from a queue pair of a port to a peer. */
    static SetQpState.Path of(VerbsDevice device, Path path, int port, int from, int peer) {
        List<Gid> own = device.gids(port);
        if (path.gidIndex() < 0 || path.gidIndex() >= own.size() || own.get(path.gidIndex()).equals(Gid.NONE)) {
            throw new Refusal(Errno.EINVAL, device.name() + " has the addresses 0 to " + (own.size() - 1) + " at port "
                    + port + ", not " + path.gidIndex() + ".");
        }
        if (path.trafficClass() >>> 8 != 0 || path.flowLabel() < 0 || path.flowLabel() > MOST_FLOW
                || path.hopLimit() < 1 || path.hopLimit() > 255) {
            throw new Refusal(Errno.EINVAL, "A path has a traffic class from 0 to 255, a flow label from 0 to "
                    + MOST_FLOW + " and a hop limit from 1 to 255.");
        }
        io.manafold.gdma.Gid source = gid(own.get(path.gidIndex()));
        io.manafold.gdma.Gid destination = gid(path.destination());
        if (source.family() != destination.family()) {
            throw new Refusal(Errno.EINVAL, "A path does not lead from " + source + " to " + destination
                    + ": both are addresses of IPv4 or both of IPv6.");
        }
        if (path.mac() == null && !path.destination().isFromMac()) {
            throw new Refusal(Errno.EHOSTUNREACH, "It is not known where " + path.destination()
                    + " is on the link of " + device.at(port).name() + "; say it with Path.at.");
        }
        return new SetQpState.Path(source, destination, device.at(port).mac(), path.mac() == null ? path.destination()
                .mac() : path.mac(), source.family(), destination.family(), path.hopLimit(), path.trafficClass() >>> 2,
                udpPort(path.flowLabel(), from, peer), ROCE_PORT, path.flowLabel());
    }

    /** So that packets of one connection take one way, and those of several take several. */
    private static int udpPort(int flowLabel, long from, long peer) {
        long flow = flowLabel;
        if (flow == 0) {
            long product = from * peer;
            product ^= product >>> 20;
            product ^= product >>> 40;
            flow = product & MOST_FLOW;
        }
        return (int) (flow & 0x3fff ^ flow >>> 14) | 0xc000;
    }

    private static io.manafold.gdma.Gid gid(Gid gid) {
        return new io.manafold.gdma.Gid(gid.high(), gid.low());
    }
}
