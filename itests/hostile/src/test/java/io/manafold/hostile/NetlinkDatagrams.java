package io.manafold.hostile;

import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.List;
import java.util.Map;

/** Datagrams of a client on the socket of the shapers, one after the other. */
final class NetlinkDatagrams implements Taker {
    @Override
    public void take(byte[] input) {
        Rig rig = new Rig(4);
        for (byte[] datagram : Parts.of(input)) {
            for (byte[] answer : rig.server.handle(datagram, Rig.ADMIN)) {
                int length = Netlink.get32(answer, 0);
                if (length < Netlink.HEADER || length > answer.length) {
                    throw new AssertionError("an answer of " + answer.length + " bytes says " + length);
                }
                rig.ops.calls.clear();
            }
        }
    }

    @Override
    public List<byte[]> seeds() {
        List<Map<String, Object>> leaves = List.of(Rig.leaf(0, 1), Rig.leaf(1, 3));
        byte[] limit = Rig.request("set", false, Map.of("handle", Rig.handle("netdev"), "bw-max", 500_000_000L));
        byte[] group = Rig.request("group", false, Map.of("handle", Rig.handle("node"), "leaves", leaves,
                "bw-max", 1000L));
        byte[] deeper = Rig.request("group", false, Map.of("handle", Rig.handle("node"), "leaves",
                List.of(Rig.leaf(2, 0)), "parent", Rig.handle("node", 0)));
        byte[] queue = Rig.request("set", false, Map.of("handle", Rig.handle("queue", 3), "bw-max", 7L));
        byte[] all = Rig.request("get", true, Map.of());
        byte[] one = Rig.request("get", false, Map.of("handle", Rig.handle("netdev")));
        byte[] gone = Rig.request("delete", false, Map.of("handle", Rig.handle("node", 0)));
        byte[] can = Rig.request("cap-get", false, Map.of("scope", "queue"));
        return List.of(Parts.joined(List.of(limit, one, all)), Parts.joined(List.of(group, deeper, all, gone, all)),
                Parts.joined(List.of(queue, can, Rig.request("cap-get", true, Map.of()))));
    }
}
