package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has gone through a port since forwarding began.
 *
 * @param since what it has counted since then, which is less than nothing where others reset it, too
 */
record ForwardTotals(EthDev port, EthDevStatistics since, long received, long missed, long sent, long dropped) {
    /** Of all ports that take part. */
    static List<ForwardTotals> of(Forwarding forwarding) {
        List<ForwardStream> lanes = forwarding.lanes();
        List<ForwardTotals> all = new ArrayList<>();
        forwarding.before().forEach((port, before) -> {
            EthDevStatistics since = port.statistics().since(before);
            // what the port has taken and could not send is lost as well
            long dropped = lanes.stream().filter(lane -> lane.route.to() == port).mapToLong(ForwardStream::dropped)
                    .sum() + Math.max(0, since.sendErrors());
            all.add(new ForwardTotals(port, since, Math.max(0, since.received()), Math.max(0, since.missed()),
                    Math.max(0, since.sent()), dropped));
        });
        return all;
    }

    /** By the labels that the text has. */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("port", port.number());
        shown.put("rx-packets", received);
        shown.put("rx-dropped", missed);
        shown.put("rx-total", received + missed);
        shown.put("tx-packets", sent);
        shown.put("tx-dropped", dropped);
        shown.put("tx-total", sent + dropped);
        return shown;
    }
}
