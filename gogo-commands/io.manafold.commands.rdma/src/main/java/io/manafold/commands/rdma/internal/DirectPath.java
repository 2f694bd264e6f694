package io.manafold.commands.rdma.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;

/**
 * The way between two devices of this platform, each of which is asked for its address. No connection manager is
 * needed.
 *
 * @param mtu bytes of payload of a packet
 * @param reads under way at most, either way
 */
record DirectPath(RdmaDevice left, int leftPort, RdmaDevice right, int rightPort, int mtu, int gid, int reads) {
    /**
     * @param mtu as it was asked for, 0 for what the ports allow
     * @param gid as it was asked for, −1 for one that fits
     */
    static DirectPath between(RdmaDevice left, int leftPort, RdmaDevice right, int rightPort, int mtu, int gid) {
        for (RdmaDevice device : List.of(left, right)) {
            if (device.attributes().part() != Devices.WITH_CONNECTIONS) {
                throw new Refusal(Errno.EOPNOTSUPP, device.name() + " is for raw packets and has no reliable "
                        + "connections; 'ibv_devices' shows others.");
            }
        }
        int most = Math.min(left.port(leftPort).activeMtu(), right.port(rightPort).activeMtu());
        if (mtu > most) {
            throw new Refusal(Errno.EINVAL, "The ports allow packets of " + most + " bytes of payload, not " + mtu
                    + "; raise the MTU of their network devices ('ip link set mtu'), or lower -m.");
        }
        int reads = Math.min(Math.min(left.attributes().maxOutboundReads(), right.attributes().maxInboundReads()),
                Math.min(right.attributes().maxOutboundReads(), left.attributes().maxInboundReads()));
        for (RdmaDevice device : List.of(left, right)) {
            int port = device == left ? leftPort : rightPort;
            if (!device.port(port).isActive()) {
                throw new Refusal(Errno.ENETDOWN, "Port " + port + " of " + device.name()
                        + " is down; 'ip link set dev " + device.port(port).device()
                        + " up' may help, 'link list' shows what it is plugged into.");
            }
        }
        DirectPath path = new DirectPath(left, leftPort, right, rightPort, mtu == 0 ? most : mtu,
                gid < 0 ? fitting(left.gids(leftPort), right.gids(rightPort)) : gid, reads);
        path.gid(left);
        path.gid(right);
        return path;
    }

    /** The first address of IPv4, if both have one at the same place, else the first. */
    private static int fitting(List<Gid> left, List<Gid> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            if (isIpv4(left.get(i)) && isIpv4(right.get(i))) {
                return i;
            }
        }
        return 0;
    }

    private static boolean isIpv4(Gid gid) {
        return gid.high() == 0 && gid.low() >>> 32 == 0xffff;
    }

    /** The address that one of its devices uses. */
    Gid gid(RdmaDevice device) {
        List<Gid> gids = device.gids(device == left ? leftPort : rightPort);
        if (gid >= gids.size() || Words.isNone(gids.get(gid))) {
            throw new Refusal(Errno.EINVAL, device.name() + " has no address " + gid
                    + "; 'ibv_devinfo -v' shows those that it has.");
        }
        return gids.get(gid);
    }

    /** Brings all queue pairs of its two ends to where they send and receive, with receives posted. */
    void connect(End one, End other, MeasurePlan plan) {
        prepare(one, other, plan);
        for (int i = 0; i < one.pairs(); i++) {
            connect(one, other, i);
            connect(other, one, i);
        }
    }

    /** Brings all queue pairs to where they have receives. */
    void prepare(End one, End other, MeasurePlan plan) {
        for (End end : List.of(one, other)) {
            for (int i = 0; i < end.pairs(); i++) {
                end.pair(i).modify(QueuePairAttributes.init(End.RIGHTS).port(end.port()));
            }
            Stream.prepare(end, plan);
        }
    }

    private void connect(End own, End peer, int index) {
        Path path = Path.to(gid, gid(peer.device())).at(mac(peer.device(), peer.port()));
        QueuePair pair = own.pair(index);
        pair.modify(QueuePairAttributes.readyToReceive(path, peer.pair(index).number(), peer.psn(index), mtu)
                .inboundReads(reads));
        pair.modify(QueuePairAttributes.readyToSend(own.psn(index)).outboundReads(reads));
    }

    private static MacAddress mac(RdmaDevice device, int port) {
        return device.gids(port).stream().filter(Gid::isFromMac).findFirst().map(Gid::mac).orElse(null);
    }
}
