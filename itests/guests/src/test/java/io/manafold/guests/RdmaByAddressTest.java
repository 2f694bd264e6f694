package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lab {@code qemu-rdma}: our RDMA driver at 10.77.0.1, and two machines that connect with it by address: mana_ib at
 * 10.77.0.2, and another stack, Soft-RoCE over the Ethernet of an adapter, at 10.77.0.3. Their programs are unmodified.
 */
@Tag("guest")
class RdmaByAddressTest {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String TIMES = " -S 3000 -V -C " + Kit.times(10, 1000);

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest one;
    private static Guest soft;

    /** The machine at the other end. */
    private enum Machine {
        MANA("10.77.0.2", "fd77::2"),
        SOFT_ROCE("10.77.0.3", "fd77::3");

        private final String[] addresses;

        Machine(String... addresses) {
            this.addresses = addresses;
        }

        Guest guest() {
            return this == MANA ? one : soft;
        }
    }

    @BeforeAll
    static void boot() {
        platform = Platform.in(folder, "qemu-rdma");
        adapters = new Adapters(platform);
        List<Guest> both = Guest.boot(Guest.named("address-one").on(platform.exported("a")).limit(Kit.times(900, 7200)),
                Guest.named("address-soft").on(platform.exported("b")).withSoftRoce().limit(Kit.times(900, 7200)));
        one = both.getFirst();
        soft = both.getLast();
        one.run("begin; modprobe mana && " + at(2) + " && modprobe -a mana_ib rdma_ucm && until_true 300 rdma_is_up")
                .done();
        soft.run("begin; modprobe mana && " + at(3) + " && soft_roce eth0").done();
        for (Guest guest : new Guest[] {one, soft}) {
            guest.run("until_true 100 ping -c 1 -W 1 10.77.0.1 && until_true 100 ping -c 1 -W 1 fd77::1").done();
        }
    }

    /** As the lab says it. */
    private static String at(int number) {
        return "until_true 300 there eth0 && ip addr add 10.77.0." + number + "/24 dev eth0 && ip -6 addr add fd77::"
                + number + "/64 dev eth0 nodad && ip link set eth0 up";
    }

    @AfterAll
    static void end() {
        for (Guest guest : new Guest[] {one, soft}) {
            if (guest != null) {
                guest.close();
            }
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        for (Guest guest : new Guest[] {one, soft}) {
            assertThat(guest.complaints()).as("complaints of a guest's kernel").isEmpty();
        }
        for (String adapter : new String[] {"one", "a", "b"}) {
            adapters.refusedNothing(adapter);
        }
        assertThat(platform.complained()).isEmpty();
        assertThat(adapters.usage("one")).as("what connections had is gone with them").containsEntry("queue_pairs", 1L);
        assertThat(adapters.rdma("one")).containsEntry("rdma_bad_icrc", 0L).containsEntry("rdma_malformed", 0L);
    }

    /** On a thread of its own, however many there are. */
    private static CompletableFuture<Answer> meanwhile(String command) {
        return CompletableFuture.supplyAsync(() -> platform.run(command),
                task -> Thread.ofPlatform().daemon().start(task));
    }

    @ParameterizedTest
    @EnumSource
    void weAsk(Machine machine) {
        for (String address : machine.addresses) {
            machine.guest().run("serve rping -s -a " + address + TIMES, LONG).done();
            platform.run("rping -c -a " + address + TIMES).done();
            machine.guest().run("served", LONG).done();
        }
    }

    @ParameterizedTest
    @EnumSource
    void weServe(Machine machine) {
        for (String address : new String[] {"10.77.0.1", "fd77::1"}) {
            CompletableFuture<Answer> served = meanwhile("rping -s -a " + address + TIMES);
            // a request that comes too early is rejected
            machine.guest().run("until_true 30 timeout 60 rping -c -a " + address + TIMES, LONG).done();
            served.join().done();
        }
    }

    /** Devices and ports. */
    @Test
    void theSameWordsGiveTheSameLabels() {
        List<String> words = List.of("rdma dev show mana_0", "rdma -d dev show mana_0", "rdma -j dev show mana_0",
                "rdma -j -d dev show mana_0", "rdma dev show manae_0", "rdma -j dev show manae_0",
                "rdma link show mana_0/1", "rdma -d link show mana_0/1", "rdma -j link show mana_0/1",
                "rdma link show manae_0/1", "rdma -j link show manae_0/1", "rdma resource show mana_0",
                "rdma -j resource show mana_0", "rdma statistic show link mana_0/1",
                "rdma -j statistic show link mana_0/1", "ibv_devinfo -d mana_0", "ibv_devinfo -v -d mana_0",
                "ibv_devinfo -v -d manae_0", "ibv_devinfo -l", "ibv_devices");
        String line = String.join("; echo next; ", words);
        List<String> theirs = Labels.parts(one.run(line).done().output(), "next");
        List<String> ours = Labels.parts(platform.run(line).done().output(), "next");
        assertThat(ours).hasSameSizeAs(theirs).hasSameSizeAs(words);
        for (int i = 0; i < words.size(); i++) {
            var labels = assertThat(Labels.of(ours.get(i))).as("%s, which says here:%n%s%nand there:%n%s", words.get(i),
                    ours.get(i), theirs.get(i)).isNotEmpty();
            if (words.get(i).equals("ibv_devinfo -l") || words.get(i).equals("ibv_devices")) {
                // a kernel lists devices as they have come, ours are in the order of their names
                labels.containsExactlyInAnyOrderElementsOf(Labels.of(theirs.get(i)));
            } else {
                labels.isEqualTo(Labels.of(theirs.get(i)));
            }
        }
    }

    /** What programs have made: of queue pairs mana_ib says nothing, Soft-RoCE does. */
    @ParameterizedTest
    @EnumSource
    void whatIsMadeHasTheSameLabels(Machine machine) {
        // here the bundle has it, as there a kernel's module would; keys to memory are not shown
        Set<String> without = Set.of("pid", "pid NUMBER", "ctxn", "ctxn NUMBER", "lkey", "lkey STRING", "rkey",
                "rkey STRING", "local_dma_lkey", "local_dma_lkey STRING");
        List<String> kinds = machine == Machine.MANA ? List.of("cm_id", "cq", "mr", "pd")
                : List.of("qp", "cm_id", "cq", "mr", "pd");
        String line = kinds.stream().map(kind -> "rdma resource show " + kind + "; echo next; rdma -j resource show "
                + kind).collect(Collectors.joining("; echo next; "));
        machine.guest().run("serve rping -s").done();
        var asking = meanwhile("rping -c -a " + machine.addresses[0]);
        var serving = meanwhile("rping -s -p 7300");
        platform.untilSays("rdma resource show cm_id", "LISTEN", "lqpn", "CONNECT");
        machine.guest().run("until_true 300 eval 'rdma resource show cm_id | grep -q lqpn.*CONNECT'").done();
        List<String> theirs = Labels.parts(machine.guest().run(line).done().output(), "next");
        List<String> ours = Labels.parts(platform.run(line).done().output(), "next");
        machine.guest().run("kill $(pidof rping) && until_true 300 ended rping; until_true 30 timeout 60 rping -c -a "
                + "10.77.0.1 -p 7300 -C 1", LONG).done();
        serving.join().done();
        asking.join().refused("(EIO)");
        for (int i = 0; i < kinds.size(); i++) {
            String there = "comm rping";
            assertThat(Labels.shapes(ours.get(2 * i), "comm [io.manafold.commands.rdma]", without)).as(ours.get(2 * i))
                    .isNotEmpty().isEqualTo(Labels.shapes(theirs.get(2 * i), there, without));
            assertThat(Labels.shapes(ours.get(2 * i + 1), one -> true, without)).as(ours.get(2 * i + 1)).isNotEmpty()
                    .isEqualTo(Labels.shapes(theirs.get(2 * i + 1), one -> one.getString("comm").equals("rping"),
                            without));
        }
    }

    /** Header and table of perftest at the end that asks, and what it says to programs. */
    @Test
    void whatIsMeasuredIsToldAlike() {
        List<String> words = List.of("ib_send_bw -R -b -q 2 -n 20", "ib_write_bw -x 1 -l 5 -n 20 --report_gbits",
                "ib_read_bw -x 1 -n 20", "ib_send_lat -R -D 1", "ib_write_lat -x 1 -n 20", "ib_read_lat -R -n 20");
        String line = words.stream().map(one -> one + " -d mana_0 --to mana_0")
                .map(one -> one + "; echo next; " + one + " --json").collect(Collectors.joining("; echo next; "));
        List<String> ours = Labels.parts(platform.run(line).done().output(), "next");
        for (int i = 0; i < words.size(); i++) {
            String both = words.get(i) + " -d mana_0 -F";
            var theirs = new Peers(one, one).both(both, both + " --out_json --out_json_file=/tmp/asked.json 10.77.0.2");
            assertThat(Labels.ofTable(ours.get(2 * i))).as(ours.get(2 * i))
                    .isEqualTo(Labels.ofTable(theirs.asked().output()));
            assertThat(Labels.of(ours.get(2 * i + 1))).as(ours.get(2 * i + 1))
                    .isEqualTo(Labels.of(one.run("cat /tmp/asked.json").done().output()));
        }
    }

    /** The same at the end that serves. */
    @ParameterizedTest
    @ValueSource(strings = {"ib_send_bw -b -q 2 -n 20", "ib_read_lat -n 20", "ib_write_lat -n 20"})
    void whoServesTellsItAlike(String words) {
        var serving = meanwhile(words.split(" ")[0]);
        platform.untilSays("rdma resource show cm_id", "LISTEN");
        platform.run(words + " -d mana_0 10.77.0.1").done();
        String both = words + " -R -d mana_0 -F";
        var theirs = new Peers(one, one).both(both, both + " 10.77.0.2");
        String ours = serving.join().done().output();
        String waits = "* Waiting for client to connect... *\n";
        assertThat(ours).contains(waits);
        assertThat(theirs.served().output()).contains(waits);
        assertThat(Labels.ofTable(ours)).as(ours).isEqualTo(Labels.ofTable(theirs.served().output()));
    }

    @Test
    void whatComesBackIsPrintedAlike() {
        one.run("serve rping -s -v -C 3").done();
        String ours = platform.run("rping -c -v -C 3 -a 10.77.0.2; ibv_rc_pingpong -d mana_0 --to mana_0 -n 20").done()
                .output();
        List<String> theirs = pings(one.run("served", LONG).done().output());
        assertThat(theirs).hasSize(3);
        assertThat(pings(ours).stream().map(line -> "server " + line)).isEqualTo(theirs);
        var serving = meanwhile("rping -s -v");
        one.run("until_true 30 timeout 60 rping -c -v -C 3 -a 10.77.0.1", LONG).done();
        assertThat(pings(serving.join().done().output())).isEqualTo(theirs);
        String both = "ibv_rc_pingpong -d mana_0 -g 1 -n 20";
        assertThat(Labels.of(ours.lines().filter(line -> !line.contains("ping data"))
                .collect(Collectors.joining("\n"))))
                .isEqualTo(Labels.of(new Peers(one, one).run(both, both + " 10.77.0.2").output()));
    }

    /** Lines of rping, without what the real one says of events. */
    private static List<String> pings(String said) {
        return said.lines().filter(line -> line.contains("ping data")).toList();
    }

    /** The kernel of the machine has counted what our driver has. */
    @Test
    void bothEndsHaveCountedTheSame() {
        Counted before = Counted.settled(one, platform);
        one.run("serve rping -s -a 10.77.0.2" + TIMES).done();
        platform.run("rping -c -a 10.77.0.2" + TIMES).done();
        one.run("served", LONG).done();
        Counted after = Counted.settled(one, platform);
        assertThat(after.ours().keySet()).isEqualTo(after.theirs().keySet());
        for (String[] pair : new String[][] {{"tx_packets", "rx_packets"}, {"tx_bytes", "rx_bytes"}}) {
            assertThat(after.moreHere(before, pair[0])).as(pair[0]).isPositive()
                    .isEqualTo(after.moreThere(before, pair[1]));
            assertThat(after.moreHere(before, pair[1])).as(pair[1]).isPositive()
                    .isEqualTo(after.moreThere(before, pair[0]));
        }
        // each time one text is read and one is written back, by the machine
        assertThat(after.moreHere(before, "rx_read_requests")).isPositive()
                .isEqualTo(after.moreHere(before, "rx_write_requests"));
        assertThat(adapters.rdma("one")).containsAllEntriesOf(after.ours());
        assertThat(adapters.rdma("a")).containsAllEntriesOf(after.theirs());
    }

    @Test
    void whereNoProgramListensARequestIsRejected() {
        for (Guest guest : new Guest[] {one, soft}) {
            Answer answer = guest.run("timeout 60 rping -c -a 10.77.0.1 -p 4000 -C 1");
            assertThat(answer.status()).isNotZero();
            assertThat(answer.output()).as("the reason: no such service").contains("REJECTED, error 8");
        }
        Answer ours = platform.run("rping -c -a 10.77.0.2 -p 4000 -C 1");
        assertThat(ours.status()).isNotZero();
        assertThat(ours.output()).contains("ECONNREFUSED");
    }
}
