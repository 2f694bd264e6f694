package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Programs that others have written for any driver of DPDK, which forward between the two ports of a machine. */
final class PolledExamples {
    private static final int SENT = 64;
    /** One core, since the driver takes as many queues to send as to receive; l3fwd has tables. */
    private static final String ENVIRONMENT = " -l 0 --no-huge -m 320 --iova-mode va -a $(function) ";

    private final Platform platform;
    private final Adapters adapters;
    private final Guest guest;
    /** Words of our testpmd. */
    private final String ours;
    private final List<String> macs;

    PolledExamples(Platform platform, Adapters adapters, Guest guest, String ours, List<String> macs) {
        this.platform = platform;
        this.adapters = adapters;
        this.guest = guest;
        this.ours = ours;
        this.macs = macs;
    }

    /** What comes at either port goes out at the other one, as it came but for addresses of Ethernet. */
    void l2fwd() {
        begin("l2fwd", "-- -p 3 -q 2 -T 0", "L2FWD: entering main loop");
        for (int port = 0; port < 2; port++) {
            Frames frames = passed("l2fwd-" + port, port, 1 - port, "198.18.0.2");
            assertThat(frames.fields(out(1 - port), "ip.ttl", "udp.srcport", "ip.checksum", "udp.payload"))
                    .isEqualTo(frames.fields(in(port), "ip.ttl", "udp.srcport", "ip.checksum", "udp.payload"));
        }
        end("l2fwd");
    }

    /** What is for the network of a port goes out there, one hop older. */
    void l3fwd() {
        begin("l3fwd", "-- -p 3 --config=\"(0,0,0),(1,0,0)\" --parse-ptype", "L3FWD: entering main loop");
        for (int port = 0; port < 2; port++) {
            Frames frames = passed("l3fwd-" + port, port, 1 - port, "198.18." + (1 - port) + ".2");
            assertThat(frames.fields(out(1 - port), "udp.srcport", "udp.payload"))
                    .isEqualTo(frames.fields(in(port), "udp.srcport", "udp.payload"));
            assertThat(frames.fields(out(1 - port), "ip.ttl", "ip.checksum.status", "ip.dst"))
                    .containsOnly("63\t1\t198.18." + (1 - port) + ".2");
        }
        assertThat(guest.run("cat /tmp/l3fwd.log").output()).contains("Port 0: softly parse packet type info");
        end("l3fwd");
    }

    /** It begins nothing without promiscuous mode, which its driver has not. */
    void skeleton() {
        Answer answer = guest.run("/kit/skeleton" + ENVIRONMENT + "</dev/null 2>&1", Polling.LONG);
        assertThat(answer.status()).as(answer.output()).isEqualTo(1);
        assertThat(answer.output()).contains("Cannot init port 0");
    }

    private static String out(int port) {
        // the examples make the receiver's address of the port's number
        return "udp.port == 9 && eth.dst == 02:00:00:00:00:0" + port;
    }

    private String in(int port) {
        return "udp.port == 9 && eth.dst == " + macs.get(port);
    }

    private void begin(String name, String words, String begun) {
        guest.run("(LD_PRELOAD=/kit/line-buffered.so /kit/" + name + ENVIRONMENT + words + " </dev/null >/tmp/" + name
                + ".log 2>&1 &); until_true 600 grep -q '" + begun + "' /tmp/" + name + ".log || { cat /tmp/" + name
                + ".log; false; }", Polling.LONG).done();
    }

    private void end(String name) {
        guest.run("kill -INT $(pidof " + name + ") && until_true 300 ended " + name + " && grep -q '^Bye' /tmp/" + name
                + ".log || { cat /tmp/" + name + ".log; false; }", Polling.LONG).done();
    }

    private Frames passed(String name, int port, int other, String address) {
        String file = platform.file(name + ".pcapng").toString();
        platform.run("capture start net " + file).done();
        long before = sent(other);
        platform.run(ours + " --txpkts=80 --txonly-multi-flow --tx-ip=198.18.0.1," + address + " --eth-peer=0,"
                + macs.get(port) + " --forward-mode=rxonly -i --cmdline-file=" + words()).done();
        long giveUp = System.nanoTime() + Polling.LONG.toNanos();
        while (sent(other) < before + SENT) {
            assertThat(System.nanoTime()).as("%s forwards", name).isLessThan(giveUp);
            LockSupport.parkNanos(200_000_000);
        }
        platform.run("capture stop net " + file).done();
        Frames frames = new Frames(platform.file(name + ".pcapng"));
        assertThat(frames.fields(out(other), "eth.src", "frame.len")).hasSize(SENT)
                .containsOnly(macs.get(other) + "\t80");
        assertThat(frames.count("udp.port == 9")).isEqualTo(2 * SENT);
        return frames;
    }

    private String words() {
        try {
            return Files.writeString(platform.file("send"), "start tx_first " + SENT / 32 + "\nstop\n").toString();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private long sent(int port) {
        return adapters.counters("one", port + 1).get("tx_packets");
    }
}
