package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has gone through a port since forwarding began, 0 where others have reset what it counts since.
 *
 * @param notTaken packets that it did not take, as lanes have counted them
 */
record ForwardTotals(EthDev port, long received, long missed, long sent, long notTaken, long sendErrors,
        long receiveErrors, long noBuffers, long badIp, long badTransport) {
    /** Of all ports that take part. */
    static List<ForwardTotals> of(Forwarding forwarding) {
        List<ForwardStream> lanes = forwarding.lanes();
        List<ForwardTotals> all = new ArrayList<>();
        forwarding.before().forEach((port, before) -> all.add(of(port, before,
                lanes.stream().filter(lane -> lane.route.from() == port).toList(),
                lanes.stream().filter(lane -> lane.route.to() == port).toList())));
        return all;
    }

    private static ForwardTotals of(EthDev port, EthDevStatistics before, List<ForwardStream> from,
            List<ForwardStream> to) {
        EthDevStatistics since = since(port, before, from, to);
        return new ForwardTotals(port, Math.max(0, since.received()), Math.max(0, since.missed()),
                Math.max(0, since.sent()), to.stream().mapToLong(ForwardStream::dropped).sum(),
                Math.max(0, since.sendErrors()), Math.max(0, since.receiveErrors()), Math.max(0, since.noBuffers()),
                from.stream().mapToLong(ForwardStream::badIp).sum(),
                from.stream().mapToLong(ForwardStream::badTransport).sum());
    }

    private static EthDevStatistics since(EthDev port, EthDevStatistics before, List<ForwardStream> from,
            List<ForwardStream> to) {
        try {
            return port.statistics().since(before);
        } catch (Refusal gone) {
            // as one of a primary that has closed it; lanes know what they have moved
            return new EthDevStatistics(from.stream().mapToLong(ForwardStream::received).sum(), 0,
                    to.stream().mapToLong(ForwardStream::sent).sum(), 0, 0, 0, 0, 0);
        }
    }

    /** Of a time and the one after it, by the names of ports: one that has come back may have another number. */
    static List<ForwardTotals> sum(List<ForwardTotals> before, List<ForwardTotals> then) {
        Map<String, ForwardTotals> all = new LinkedHashMap<>();
        before.forEach(one -> all.put(one.port.name(), one));
        then.forEach(one -> all.merge(one.port.name(), one, ForwardTotals::plus));
        return List.copyOf(all.values());
    }

    private ForwardTotals plus(ForwardTotals then) {
        return new ForwardTotals(then.port, received + then.received, missed + then.missed, sent + then.sent,
                notTaken + then.notTaken, sendErrors + then.sendErrors, receiveErrors + then.receiveErrors,
                noBuffers + then.noBuffers, badIp + then.badIp, badTransport + then.badTransport);
    }

    /** What the port has taken and could not send is lost as well. */
    long dropped() {
        return notTaken + sendErrors;
    }

    /** The same port, through which nothing has gone. */
    ForwardTotals cleared() {
        return new ForwardTotals(port, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** The port counts anew, and lanes do not. */
    ForwardTotals countedAnew() {
        return new ForwardTotals(port, 0, 0, 0, notTaken, 0, 0, 0, badIp, badTransport);
    }

    /** By the labels that the text has. */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("port", port.number());
        // a port that has come may have the number of one that has gone
        shown.put("name", port.name());
        shown.put("rx-packets", received);
        shown.put("rx-dropped", missed);
        shown.put("rx-total", received + missed);
        shown.put("tx-packets", sent);
        shown.put("tx-dropped", dropped());
        shown.put("tx-total", sent + dropped());
        return shown;
    }
}
