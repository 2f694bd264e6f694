package io.manafold.inet.internal;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.net.PacketBuffer;
import io.manafold.hostile.Parts;
import io.manafold.hostile.Taker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Frames that a host receives, each behind a byte that says whether its device vouches for the checksums. */
public final class Frames implements Taker {
    private static final int LONGEST = 1518;

    @Override
    public void take(byte[] input) {
        Pair pair = new Pair();
        DatagramPort echo = pair.hostA.bind(IpAddress.ANY4, 7, datagram -> {
            byte[] data = new byte[datagram.length()];
            datagram.get(0, data, 0, data.length);
            datagram.port().send(data, 0, data.length, datagram.from(), 7);
        });
        for (byte[] part : Parts.of(input)) {
            if (part.length > 0) {
                byte[] frame = Arrays.copyOfRange(part, 1, Math.min(part.length, 1 + LONGEST));
                pair.a.deliver(frame, frame.length, (part[0] & 1) == 0 ? 0
                        : PacketBuffer.IP_CHECKSUM_GOOD | PacketBuffer.TRANSPORT_CHECKSUM_GOOD);
                pair.now += 50_000_000;
                pair.settleSome(2);
            }
        }
        pair.settleSome(20);
        echo.close();
        pair.hostA.detach(pair.a);
        pair.hostB.detach(pair.b);
        pair.settleSome(20);
        if (pair.a.outstanding() != 0 || pair.b.outstanding() != 0) {
            throw new AssertionError(pair.a.outstanding() + " and " + pair.b.outstanding() + " buffers are not home");
        }
    }

    @Override
    public List<byte[]> seeds() throws Exception {
        Pair pair = new Pair();
        pair.b.seen = new ArrayList<>();
        pair.finish(pair.hostB.ping(PingPlan.to(Pair.A4, 1)));
        pair.finish(pair.hostB.ping(PingPlan.to(Pair.A6, 1)));
        pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)));
        for (IpAddress to : List.of(Pair.A4, Pair.A6)) {
            DatagramPort port = pair.hostB.bind(to.isIpv4() ? IpAddress.ANY4 : IpAddress.ANY6, 0, _ -> { });
            port.send(new byte[30], 0, 30, to, 7);
            port.send(new byte[30], 0, 30, to, 9);
            pair.settle();
            port.close();
        }
        List<byte[]> seeds = new ArrayList<>();
        List<byte[]> all = new ArrayList<>();
        for (byte[] frame : pair.b.seen) {
            byte[] part = new byte[1 + frame.length];
            part[0] = 1;
            System.arraycopy(frame, 0, part, 1, frame.length);
            all.add(part);
            seeds.add(Parts.joined(List.of(part)));
        }
        seeds.add(Parts.joined(all));
        return seeds;
    }
}
