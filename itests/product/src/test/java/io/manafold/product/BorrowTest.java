package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One platform lends its adapters, others drive them: processes of their own, one contract between them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BorrowTest {
    private static final Duration PATIENCE = LentAdapters.PATIENCE;

    @TempDir
    Path folder;

    private LentAdapters platforms;

    @BeforeEach
    void write() throws IOException {
        platforms = new LentAdapters(folder);
    }

    private Run up(String name) {
        return platforms.up(name);
    }

    private String said(String name, String line) {
        return platforms.said(name, line);
    }

    private void eventually(String name, String line, String... words) {
        platforms.eventually(name, line, words);
    }

    private void eventuallyNothing(String name, String line) {
        platforms.eventuallyNothing(name, line);
    }

    private Run attached(String name, String line) {
        return platforms.attached(name, line);
    }

    private String attachedDone(String name, String line) {
        return platforms.done(name, line);
    }

    @Test
    void whatOneLendsTheOtherDrives() throws IOException, InterruptedException {
        try (Run lender = up("a"); Run borrower = up("b")) {
            eventually("b", "lspci -n", "7871:00:00.0 0200: 1414:00ba");
            eventually("b", "devices --json", "7871:00:00.0", "\"ethernet\"");
            eventually("a", "vfio list", "one    lent       7870:00:00.0", "yes");
            eventually("b", "vfio list", "far   borrowed   7871:00:00.0", "yes");
            eventually("b", "ip link", "mana0", "mana1");
            eventually("a", "adapter show one", "open");
            assertThat(said("b", "ping -c 3 -I mana0 10.78.0.2")).contains(" 0% packet loss");
            assertThat(said("b", "pktgen start mana0 --to mana1 --rate 5kpps --count 5000 --verify --wait"))
                    .containsPattern("received +5000").containsPattern("corrupted +0");
            rdmaGoesAcross();
            twoBorrowersHaveRdmaWithEachOther();

            attachedDone("b", "vfio return far");
            assertThat(said("b", "vfio list --json")).isEqualTo("[]\n");
            eventuallyNothing("b", "lspci -n");
            eventually("a", "vfio list", "one    lent       7870:00:00.0", "no");

            assertThat(said("b", "vfio borrow " + folder.resolve("one.sock"))).isEqualTo("one is at 7871:00:00.0\n");
            eventually("b", "ip link", "mana0", "mana1");

            lender.close();
            // that the connection is gone is told first; the function goes right after it
            eventually("b", "vfio list --json", "\"connected\": false", "\"direction\": \"borrowed\"");
            eventuallyNothing("b", "lspci -n");
            try (Run again = up("a")) {
                eventually("b", "vfio list", "one   borrowed   7871:00:00.0", "yes");
                eventually("b", "ip link", "mana0", "mana1");
                assertThat(again.process().isAlive()).isTrue();
                aBorrowerThatIsKilledTakesNothingAlong(borrower);
            }
        }
    }

    // ---- RDMA: one end with the lender, behind its other adapter, the other end with the borrower

    private void rdmaGoesAcross() throws IOException {
        eventually("b", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.1,");
        eventually("a", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.3,");
        for (String line : List.of("ib_write_bw -q 2 -n 100", "ib_send_lat -n 20")) {
            try (Run serving = attached("a", line.split(" ")[0])) {
                serving.awaitOut("* Waiting for client to connect... *");
                assertThat(attachedDone("b", line + " -d mana_0 10.78.0.3")).contains(" rdma_cm QPs\t : ON\n");
                serving.ended(PATIENCE).done();
            }
        }
        try (Run serving = attached("a", "ibv_rc_pingpong -c")) {
            eventually("a", "rdma resource show cm_id", "LISTEN", ":18515");
            assertThat(attachedDone("b", "ibv_rc_pingpong -c -n 50 -s 100000 10.78.0.3")).contains("10000000 bytes in ",
                    "GID ::ffff:10.78.0.1\n", "GID ::ffff:10.78.0.3\n", "50 iters in ");
            assertThat(serving.ended(PATIENCE).done().out()).contains("10000000 bytes in ", "50 iters in ");
        }
        for (String serves : List.of("a", "b")) {
            try (Run serving = attached(serves, "rping -s -v -S 30000 -p 7300")) {
                eventually(serves, "rdma resource show cm_id", "LISTEN", ":7300");
                String address = serves.equals("a") ? "10.78.0.3" : "10.78.0.1";
                String said = attachedDone(serves.equals("a") ? "b" : "a", "rping -c -v -V -C 3 -S 30000 -p 7300 -a "
                        + address);
                assertThat(serving.ended(PATIENCE).done().out())
                        .isEqualTo(said.replace("ping data", "server ping data"));
                assertThat(said).contains("rdma-ping-2: CDEF");
            }
        }
        allOperationsGoAcross("a", "10.78.0.3", "b");
        for (String name : List.of("a", "b")) {
            eventually(name, "rdma resource show mana_0", "pd 0 cq 0 qp 0 cm_id 0 mr 0 ");
        }
    }

    /** A bundle here and a bundle there do all that verbs can; what they must not is refused, and no memory changes. */
    private void allOperationsGoAcross(String serving, String address, String asking) throws IOException {
        BorrowedVerbs verbs = new BorrowedVerbs(folder, serving, address, asking);
        verbs.serve();
        eventually(serving, "rdma resource show cm_id", "LISTEN", ":7301");
        verbs.ask();
        assertThat(written(verbs.told(asking), asking)).isEqualTo(BorrowedVerbs.ASKED);
        assertThat(written(verbs.told(serving), serving)).isEqualTo(BorrowedVerbs.SERVED);
        verbs.takeBack();
    }

    /** Neither end is with the lender, which only has the switch between them. */
    private void twoBorrowersHaveRdmaWithEachOther() throws IOException {
        try (Run third = up("c")) {
            eventually("c", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.4,");
            eventually("a", "vfio list", "three  lent       7870:00:02.0", "yes");
            allOperationsGoAcross("c", "10.78.0.4", "b");
            for (String name : List.of("b", "c")) {
                eventually(name, "rdma resource show mana_0", "pd 0 cq 0 qp 0 cm_id 0 mr 0 ");
            }
            assertThat(third.process().isAlive()).isTrue();
        }
        eventually("a", "adapter show three --json", "\"object_bytes\": 0,", "\"mapped_bytes\": 0,");
    }

    /** What a bundle has written, whole from the start. */
    private String written(Path path, String platform) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.isReadable(path)) {
            assertThat(System.nanoTime()).as(said(platform, "events")).isLessThan(deadline);
            LockSupport.parkNanos(100_000_000);
        }
        return Files.readString(path);
    }

    private void aBorrowerThatIsKilledTakesNothingAlong(Run borrower) throws InterruptedException {
        eventually("b", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.1,");
        eventually("a", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.3,");
        try (Run serving = attached("a", "ib_write_bw"); Run pinged = attached("a", "rping -s -v -p 7302");
                Run lost = attached("b", "rping -s -p 7303")) {
            serving.awaitOut("* Waiting for client to connect... *");
            eventually("a", "rdma resource show cm_id", "LISTEN", ":7302");
            eventually("b", "rdma resource show cm_id", "LISTEN", ":7303");
            try (Run asking = attached("b", "ib_write_bw -d mana_0 -D 600 10.78.0.3");
                    Run pinging = attached("b", "rping -c -p 7302 -a 10.78.0.3");
                    Run left = attached("a", "rping -c -v -p 7303 -a 10.78.0.1")) {
                asking.awaitErr("2 of 600 s");
                pinged.awaitOut("server ping data: ");
                left.awaitOut("ping data: ");
                borrower.process().destroyForcibly().waitFor();
                // this end had only been written to, and finds out by itself
                serving.ended(PATIENCE).refused(1, "(EIO)");
                // to this one it is a disconnect, as if the other end had said so
                pinged.ended(PATIENCE).done();
                // and to one that waits for its text to be read, the end
                left.ended(PATIENCE).refused(1, "(EIO)");
            }
        }
        eventually("a", "vfio list", "one    lent       7870:00:00.0", "no");
        eventually("a", "rdma resource show mana_0", "pd 0 cq 0 qp 0 cm_id 0 mr 0 ");
        eventually("a", "adapter show one --json", "\"object_bytes\": 0,", "\"mapped_bytes\": 0,",
                "\"queue_pairs\": [\n        ]");
        assertThat(said("a", "ib_write_bw -d mana_0 --to mana_0 -n 100")).contains(" 65536      100 ");
    }
}
