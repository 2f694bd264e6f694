package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;

/** The same words for a machine's testpmd and for ours, whose answers are held against each other label by label. */
final class PolledWords {
    private static final String KEY =
            "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa";
    /**
     * Lines that both programs answer with the same labels. Types of packets are not among them, which our device does
     * not tell, and not 'port detach', by which DPDK 25.11 crashes with this driver.
     */
    private static final String WORDS = """
            show port summary all
            show port info 0
            show port stats 0
            show port xstats 0
            show port 0 rss-hash
            show rxq info 0 0
            show txq info 0 0
            show config rxtx
            show config cores
            show config fwd
            show config txpkts
            show config rxpkts
            show fwd stats all
            show port 0 rx_offload capabilities
            show port 0 tx_offload capabilities
            show port 0 rx_offload configuration
            show port 0 tx_offload configuration
            show port 0 macs
            show device info all
            dump devargs
            dump lcores
            set default
            set burst 64
            set burst 32
            set burst tx delay 1 retry 64
            set verbose 1
            set verbose 0
            set nbcore 1
            set nbport 1
            set corelist 1
            set txpkts 64,128
            set txsplit rand
            show config txpkts
            set txsplit off
            set rxpkts 64,128
            show config rxpkts
            set txpkts 64
            set promisc all off
            set allmulti all off
            set fwd macswap retry
            start
            show fwd stats all
            stop
            set fwd csum
            start
            show port stats all
            stop
            set fwd txonly
            show config rxtx
            clear port stats all
            clear port xstats all
            clear fwd stats all
            port start 0
            port stop all
            port stop 0
            csum show 0
            csum set ip hw 0
            port start all
            port stop 0
            port config all rxq 2
            port config all txq 2
            port start 0
            port stop 0
            port config 0 rss-hash-key ipv4-udp %s
            port start 0
            show port 0 rss-hash
            show port 0 rss-hash key
            show port info 0
            show port stats 0
            show port xstats 0
            show rxq info 0 1
            set fwd io
            start
            show fwd stats all
            stop
            port stop 0
            port close 0
            show port summary all
            """.formatted(KEY);
    /** Lines that both refuse: ours begin as theirs do, and say more. */
    private static final String REFUSED = """
            nonsense
            set nonsense
            set fwd nonsense
            show port
            show port info 7
            show port stats 7
            start
            start
            port stop 0
            port close 0
            port reset 0
            csum set ip hw 0
            port config all rxq 2
            stop
            stop
            set link-up port 0
            set link-down port 0
            port stop 0
            start
            """;

    private final Platform platform;
    private final Guest guest;

    PolledWords(Platform platform, Guest guest) {
        this.platform = platform;
        this.guest = guest;
    }

    private PollLabels theirs(String program, List<String> lines) {
        guest.run("rm -f /tmp/words; for w in " + lines.stream().map(line -> "\"" + line + "\"")
                .collect(Collectors.joining(" ")) + "; do echo \"$w\" >>/tmp/words; done").done();
        return new PollLabels(guest.run("LD_PRELOAD=/kit/line-buffered.so " + program
                + " --cmdline-file=/tmp/words </dev/null 2>&1", Polling.LONG).done().output());
    }

    private PollLabels ours(String program, List<String> lines) throws IOException {
        Path words = Files.write(platform.file("words"), lines);
        return new PollLabels(platform.run(program + " --cmdline-file=" + words).done().output());
    }

    void sameLabels(String theirProgram, String ourProgram) throws IOException {
        PollLabels there = theirs(theirProgram, WORDS.lines().toList());
        PollLabels here = ours(ourProgram, WORDS.lines().toList());
        assertThat(PollLabels.from(here.opening(), "testpmd: ")).as("start").contains("Configuring Port N (socket N)",
                "Checking link statuses...", "Done").isEqualTo(PollLabels.from(there.opening(), "testpmd: "));
        assertThat(here.lines()).extracting(PollLabels.Said::line).hasSize((int) WORDS.lines().count())
                .isEqualTo(there.lines().stream().map(PollLabels.Said::line).toList());
        SoftAssertions all = new SoftAssertions();
        for (int i = 0; i < here.lines().size(); i++) {
            List<String> said = here.lines().get(i).labels();
            List<String> theirs = there.lines().get(i).labels();
            boolean more = here.lines().get(i).line().startsWith("show port xstats");
            // ours counts by queue, too
            all.assertThat(more ? said.stream().limit(theirs.size()).toList() : said).as("line %d, %s", i + 1,
                    here.lines().get(i).line()).isEqualTo(theirs);
        }
        all.assertAll();
        assertThat(here.lines().get(1).labels()).as("of a port").hasSizeGreaterThan(30);
    }

    void sameRefusals(String theirProgram, String ourProgram) throws IOException {
        PollLabels there = theirs(theirProgram, REFUSED.lines().toList());
        PollLabels here = ours(ourProgram, REFUSED.lines().toList());
        SoftAssertions all = new SoftAssertions();
        for (int i = 0; i < here.lines().size(); i++) {
            List<String> said = here.lines().get(i).labels();
            for (String label : there.lines().get(i).labels()) {
                // which ports there are is told by another line here
                if (!label.startsWith("The valid ports")) {
                    all.assertThat(said).as("line %d, %s", i + 1, here.lines().get(i).line())
                            .anyMatch(one -> one.startsWith(label.replaceFirst("[.]$", "")));
                }
            }
        }
        all.assertAll();
    }

    private static List<String> period(String said) {
        return PollLabels.from(new PollLabels(said).opening(), "Port statistics").stream().limit(9).toList();
    }

    void samePeriods(String theirProgram, String ourProgram) {
        String theirs = guest.run("LD_PRELOAD=/kit/line-buffered.so timeout -s INT 30 " + theirProgram
                + " --forward-mode=rxonly --stats-period 1 </dev/null >/tmp/periods.log 2>&1 & until_true 300 grep -q "
                + "'Tx-pps' /tmp/periods.log; kill -INT $(pidof dpdk-testpmd); until_true 300 ended dpdk-testpmd; cat "
                + "/tmp/periods.log", Polling.LONG).done().output();
        try (Window ours = platform.begin(ourProgram + " --forward-mode=rxonly --stats-period 1")) {
            ours.await("Tx-pps");
            ours.await("####\n");
            assertThat(period(ours.said())).as("from time to time").hasSize(9).isEqualTo(period(theirs));
        }
    }

    void sameEnd(String theirProgram, String ourProgram) {
        String theirs = guest.run("LD_PRELOAD=/kit/line-buffered.so " + theirProgram
                + " --forward-mode=rxonly </dev/null 2>&1", Polling.LONG)
                .done().output();
        String ours = platform.run(ourProgram + " --forward-mode=rxonly").done().output();
        List<String> end = PollLabels.from(new PollLabels(ours).opening(), "Telling cores to stop");
        assertThat(end).as("at the end").hasSizeGreaterThan(12)
                .isEqualTo(PollLabels.from(new PollLabels(theirs).opening(), "Telling cores to stop"));
    }
}
