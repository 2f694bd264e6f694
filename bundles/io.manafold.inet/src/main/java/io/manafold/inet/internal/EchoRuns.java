package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.stream.Stream;

/** The rows of echoes of one host that are under way. */
final class EchoRuns {
    private static final int MOST = 64;

    private volatile EchoRun[] runs = {};
    private int identifiers = 1 + (int) (System.nanoTime() & 0x7fff);

    EchoRun[] all() {
        return runs;
    }

    /** Begins one through a device that is there; its agent has to be woken to send. */
    EchoRun begin(PingPlan plan, NetDevice device, Addressing own) {
        if (!device.isUp()) {
            throw new Refusal(Errno.ENETDOWN, "There is no echo through " + device.name()
                    + " while it is down; 'ip link set " + device.name() + " up' sets it up.");
        }
        IpAddress target = plan.target();
        IpAddress source = SourceChoice.source(device.name(), own, target, plan.source());
        int headers = (target.isIpv4() ? Output.IPV4 : Output.IPV6) + Icmp.HEADER;
        int mtu = device.mtu();
        if (plan.size() < 0 || plan.size() + headers > mtu) {
            throw new Refusal(Errno.EMSGSIZE, "An echo through " + device.name() + " carries 0 to " + (mtu - headers)
                    + " bytes, as its MTU is " + mtu + ", not " + plan.size() + "; packets are not cut in pieces.");
        }
        return add(plan, source, device.name());
    }

    private synchronized EchoRun add(PingPlan plan, IpAddress source, String device) {
        if (runs.length >= MOST) {
            throw new Refusal(Errno.ENOBUFS, device + " has " + MOST
                    + " rows of echoes under way already; end one of them.");
        }
        identifiers = identifiers % 0xffff + 1;
        EchoRun[] made = new EchoRun[1];
        made[0] = new EchoRun(plan, source, identifiers, () -> forget(made[0]));
        EchoRun[] more = Arrays.copyOf(runs, runs.length + 1);
        more[runs.length] = made[0];
        runs = more;
        return made[0];
    }

    /** @throws Refusal {@code EINVAL} for what makes no sense on any device */
    static void check(PingPlan plan) {
        if (plan.ttl() < 1 || plan.ttl() > 255 || plan.count() < 0 || plan.intervalNanos() < 1_000_000
                || plan.timeoutNanos() < 0) {
            throw new Refusal(Errno.EINVAL, "An echo has a time to live of 1 to 255, a count of 0 or more, and an"
                    + " interval of 1 ms or more.");
        }
    }

    private synchronized void forget(EchoRun run) {
        runs = Stream.of(runs).filter(other -> other != run).toArray(EchoRun[]::new);
    }
}
