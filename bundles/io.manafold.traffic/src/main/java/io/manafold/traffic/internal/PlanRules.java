package io.manafold.traffic.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficPlan;

/** What can be asked for. */
final class PlanRules {
    private static final int MOST_FLOWS = 1024;
    private static final int MOST_VLAN = 4094;
    private static final int MOST_PORT = 65_535;
    private static final int ETHERNET_HEADER = 14;

    private PlanRules() {
    }

    /** @throws Refusal with the rule that forbids it */
    static void check(TrafficPlan plan, NetDevice from) {
        if (plan.from().equals(plan.to())) {
            throw invalid("Traffic goes from one device to another, not from " + plan.from() + " to itself.");
        }
        if (plan.flows() < 1 || plan.flows() > MOST_FLOWS) {
            throw invalid(plan.flows() + " flows are not possible: choose 1 to " + MOST_FLOWS + ".");
        }
        if (plan.rate() < 0 || plan.rate() > 1_000_000_000 || plan.count() < 0) {
            throw invalid("Rate and count of packets must not be below 0, the rate at most 1000000000; 0 is for no"
                    + " limit.");
        }
        form(plan.form());
        int most = from.mtu() + ETHERNET_HEADER;
        int least = plan.form().least();
        if (plan.size() < least || plan.size() > most) {
            throw invalid("Frames of " + plan.size() + " bytes cannot be sent on " + plan.from() + ": choose " + least
                    + " to " + most + ", or change the MTU.");
        }
        if (plan.form().large() > 0) {
            large(plan, from);
        }
    }

    private static void form(TrafficForm form) {
        if (!form.isIp() && (form.ipv6() || form.wrongChecksum())) {
            throw invalid("Packets without IP have no addresses of IPv6 and no checksum: choose UDP or TCP.");
        }
        if (form.vlan() < 0 || form.vlan() > MOST_VLAN) {
            throw invalid(form.vlan() + " is no VLAN: choose 1 to " + MOST_VLAN + ".");
        }
        if (form.port() < 1 || form.port() > MOST_PORT) {
            throw invalid(form.port() + " is no port: choose 1 to " + MOST_PORT + ".");
        }
        if (!form.isIp() && form.port() != TrafficForm.DISCARD) {
            throw invalid("Packets without IP are for no port: choose UDP or TCP.");
        }
        if (form.large() != 0 && form.transport() != TrafficForm.Transport.TCP) {
            throw invalid("Only TCP is cut into segments by a device.");
        }
        if (form.large() != 0 && form.wrongChecksum()) {
            throw invalid("The checksums of segments are filled in by the device, which makes no wrong ones.");
        }
    }

    private static void large(TrafficPlan plan, NetDevice from) {
        TrafficForm form = plan.form();
        int segment = plan.size() - form.headers();
        if (form.large() <= segment || form.large() > TrafficForm.MOST_LARGE) {
            throw invalid("A send of " + form.large() + " bytes is not cut into frames of " + plan.size()
                    + " bytes, which have " + segment + " of it each: choose " + (segment + TrafficForm.NUMBERS)
                    + " to " + TrafficForm.MOST_LARGE + ".");
        }
        int last = (form.large() - 1) % segment + 1;
        if (last < TrafficForm.NUMBERS) {
            throw invalid("The last segment of " + form.large() + " bytes would have " + last + ", and a number needs "
                    + TrafficForm.NUMBERS + ": choose " + (form.large() - last) + " bytes.");
        }
        String feature = form.ipv6() ? "tx-tcp6-segmentation" : "tx-tcp-segmentation";
        if (!TestHeaders.isOn(from, feature)) {
            throw new Refusal(Errno.EOPNOTSUPP, plan.from() + " cuts nothing into segments, since its " + feature
                    + " is off: 'ethtool -K " + plan.from() + " tso on' switches it on.");
        }
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Errno.EINVAL, sentence);
    }
}
