package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Our RDMA driver at 10.1.0.3 and two machines that connect with it by address: mana_ib at 10.1.0.1, and another stack, Soft-RoCE
 * over the Ethernet of an adapter, at 10.1.0.2. Their programs are unmodified.
 */
@Tag("guest")
class RdmaByAddressTest {
    private static final String LAB = """
            adapters:
              - {name: one, queues: 2, macs: ["00:0d:3a:00:00:0a"]}
              - {name: soft, queues: 2, macs: ["00:0d:3a:00:00:0b"]}
              - {name: ours, queues: 2, macs: ["00:0d:3a:00:00:0c"]}
            links:
              - {name: net, ports: [one/1, soft/1, ours/1]}
            exports:
              - {adapter: one, socket: %s/one.sock}
              - {adapter: soft, socket: %s/soft.sock}
            devices:
              - {name: mana0, on: ours/1, addresses: [10.1.0.3/24, "fd01::3/64"]}
            """;
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
        MANA("10.1.0.1", "fd01::1"),
        SOFT_ROCE("10.1.0.2", "fd01::2");

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
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        one = Guest.named("address-one").on(platform.socket("one")).limit(Kit.times(900, 7200)).boot();
        soft = Guest.named("address-soft").on(platform.socket("soft")).withSoftRoce().limit(Kit.times(900, 7200)).boot();
        one.run("begin; rdma_at 1").done();
        soft.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 2 && soft_roce eth0").done();
        for (Guest guest : new Guest[] {one, soft}) {
            guest.run("until_true 100 ping -c 1 -W 1 10.1.0.3 && until_true 100 ping -c 1 -W 1 fd01::3").done();
        }
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
        for (String adapter : new String[] {"one", "soft", "ours"}) {
            adapters.refusedNothing(adapter);
        }
        assertThat(platform.complained()).isEmpty();
        assertThat(adapters.usage("ours")).as("what connections had is gone with them").containsEntry("queue_pairs", 1L);
        assertThat(adapters.rdma("ours")).containsEntry("rdma_bad_icrc", 0L).containsEntry("rdma_malformed", 0L);
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
        for (String address : new String[] {"10.1.0.3", "fd01::3"}) {
            CompletableFuture<Answer> served = CompletableFuture.supplyAsync(() -> platform.run("rping -s -a " + address + TIMES));
            // a request that comes too early is rejected
            machine.guest().run("until_true 30 timeout 60 rping -c -a " + address + TIMES, LONG).done();
            served.join().done();
        }
    }

    @Test
    void whereNoProgramListensARequestIsRejected() {
        for (Guest guest : new Guest[] {one, soft}) {
            Answer answer = guest.run("timeout 60 rping -c -a 10.1.0.3 -p 4000 -C 1");
            assertThat(answer.status()).isNotZero();
            assertThat(answer.output()).as("the reason: no such service").contains("REJECTED, error 8");
        }
        Answer ours = platform.run("rping -c -a 10.1.0.1 -p 4000 -C 1");
        assertThat(ours.status()).isNotZero();
        assertThat(ours.output()).contains("ECONNREFUSED");
    }
}
