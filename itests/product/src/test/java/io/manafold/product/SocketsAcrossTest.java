package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams over RDMA between two processes, one of which drives an adapter that the other lends, over a good link and
 * over one that loses packets.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SocketsAcrossTest {
    private static final Pattern NAME = Pattern.compile("\"name\": *\"(rdma-\\d+)\"");
    private static final String NOTHING = " cq 0 qp 0 cm_id 0 mr 0 ";
    private static final String LINK = "net";

    @TempDir
    Path folder;

    private LentAdapters platforms;

    private String listen(String name, String address) {
        String said = platforms.done(name, "sock listen " + address + " --do echo --transport rdma --json");
        Matcher matcher = NAME.matcher(said);
        assertThat(matcher.find()).as(said).isTrue();
        return matcher.group(1);
    }

    /** Sends to an echo and compares what came back. */
    private void exchange(String name, String to, int bytes) {
        String said = platforms.done(name, "sock connect " + to + " --transport rdma --bytes " + bytes + " --json");
        try (JsonReader reader = Json.createReader(new StringReader(said))) {
            JsonObject done = reader.readObject();
            assertThat(done.getJsonNumber("rx_bytes").longValue()).as(said).isEqualTo(bytes);
            assertThat(done.getString("rx_sha256")).as(said).isEqualTo(done.getString("tx_sha256"));
        }
    }

    private void nothingIsLeft(String name) {
        platforms.eventually(name, "rdma resource show mana_0", NOTHING);
        platforms.eventually(name, "sock list --json", "[]\n");
        assertThat(platforms.said(name, "sock regions --json")).isEqualTo("[]\n");
    }

    private long lost() {
        String said = platforms.done("a", "link show net --json");
        Matcher matcher = Pattern.compile("\"lost\": *(\\d+)").matcher(said);
        assertThat(matcher.find()).as(said).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void whatIsSentArrivesThoughPacketsAreLost() throws IOException {
        platforms = new LentAdapters(folder);
        try (Run lender = platforms.up("a"); Run borrower = platforms.up("b")) {
            platforms.eventually("a", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.3,");
            platforms.eventually("b", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.1,");
            String there = listen("a", "10.78.0.3:7400");
            String here = listen("b", "10.78.0.1:7401");
            exchange("b", "10.78.0.3:7400", 16 << 20);
            exchange("a", "10.78.0.1:7401", 16 << 20);
            assertThat(platforms.done("b", "sock ping 10.78.0.3:7400 --count 100 --transport rdma")).contains("p50_us");

            platforms.done("a", "link impair " + LINK + " --match any --drop --count 5");
            exchange("b", "10.78.0.3:7400", 1 << 20);
            platforms.done("a", "link impair " + LINK + " --clear; link impair " + LINK + " --loss 1% --seed 7");
            long before = lost();
            exchange("b", "10.78.0.3:7400", 4 << 20);
            exchange("a", "10.78.0.1:7401", 4 << 20);
            assertThat(lost() - before).as("packets that were lost").isGreaterThan(50);
            for (int i = 0; i < 6; i++) {
                // its end is near its beginning, and may come with what is lost
                exchange("b", "10.78.0.3:7400", 300_000);
            }
            platforms.done("a", "link impair " + LINK + " --clear");

            aPeerThatIsKilledTakesNothingAlong(borrower);
            // whether it waits or sends, the end that is left is told
            platforms.eventuallyNothing("a", "sock list | grep connected");
            platforms.done("a", "sock close " + there);
            nothingIsLeft("a");
            try (Run again = platforms.up("b")) {
                platforms.eventually("b", "ibv_devinfo -v -d mana_0", "PORT_ACTIVE", "::ffff:10.78.0.1,");
                assertThat(listen("b", "10.78.0.1:7401")).isEqualTo(here);
                exchange("a", "10.78.0.1:7401", 1 << 20);
                platforms.done("b", "sock close " + here);
                nothingIsLeft("b");
                nothingIsLeft("a");
                assertThat(again.process().isAlive()).isTrue();
            }
            assertThat(lender.process().isAlive()).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private void aPeerThatIsKilledTakesNothingAlong(Run borrower) throws InterruptedException {
        try (Run sending = platforms.attached("b", "sock connect 10.78.0.3:7400 --transport rdma --bytes 100g")) {
            platforms.eventually("a", "sock list", "connected");
            borrower.process().destroyForcibly().waitFor();
            assertThat(sending.process().waitFor(60, TimeUnit.SECONDS)).as("its command ends").isTrue();
        }
    }
}
