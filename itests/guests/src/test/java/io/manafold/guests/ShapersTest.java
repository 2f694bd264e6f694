package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Limits on what devices send, as a kernel in a machine speaks of them: on our adapter with Linux's driver, and on a
 * device of a module of ours that takes every limit, so that the kernel's own rules are seen alone. A relay in the
 * machine carries the messages out. The kernel is held against recordings, which our server is held against without a
 * machine; with {@code -Dshapers.record=true} their answers are written anew instead, so who wants to ask something
 * else adds a title and a line of what is asked.
 */
@Tag("guest")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShapersTest {
    private static final String LAB = """
            adapters:
              - {name: one, queues: 4}
              - {name: two, queues: 2, shapers: parity}
            exports:
              - {adapter: one, socket: "%s/one.sock"}
            devices:
              - {name: mana0, on: two/1}
            """;
    private static final boolean RECORD = Boolean.getBoolean("shapers.record");
    /** The platform has no loopback device, and every driver on it knows shapers. */
    private static final Set<String> ONLY_THERE = Set.of("get of a device that knows no shapers",
            "set of a device that knows no shapers", "dump of a device that knows no shapers",
            "capabilities of a device that knows no shapers");
    private static final int QUEUES = 500;
    private static final int ACKNOWLEDGED = 5;

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        guest = Guest.named("shapers").on(platform.socket("one")).cpus(2).relay().with(Kit.module("shaped")).boot();
        guest.run("begin; modprobe mana && until_true 100 there eth0 && ip link set eth0 up").done();
    }

    @AfterAll
    static void end() {
        if (guest != null) {
            guest.close();
        }
        if (platform != null) {
            platform.close();
        }
    }

    private static int number(String device) {
        return Integer.parseInt(guest.run("cat /sys/class/net/" + device + "/ifindex").done().output().trim());
    }

    private static Answer at(String words) {
        return platform.run("netshaper " + words.replaceFirst(" ", " --at " + guest.netlink() + " "));
    }

    private static void holdAgainst(String name, String device) {
        Recording recording = Recording.of(name);
        List<List<String>> answers = new ArrayList<>();
        try (RawNetlink line = new RawNetlink(guest.netlink(), number(device))) {
            for (Recording.Step step : recording.steps()) {
                if (!step.event().isEmpty()) {
                    happen(step.event(), device);
                }
                answers.add(step.event().isEmpty() ? line.ask(step.request()) : List.of());
                if (!RECORD) {
                    assertThat(answers.getLast()).as("%s: %s", name, step.title()).isEqualTo(step.answers());
                }
            }
        }
        if (RECORD) {
            recording.write(answers);
        }
        assertThat(recording.steps()).hasSizeGreaterThan(100);
    }

    private static void happen(String event, String device) {
        String[] words = event.split(" ", 2);
        switch (words[0]) {
            case "queues" -> guest.run("ethtool -L " + device + " combined " + words[1]).done();
            case "user" -> guest.relayAs(words[1]);
            default -> throw new IllegalArgumentException(event);
        }
    }

    @Test
    @Order(1)
    void linuxsDriverOnOurAdapterAnswersAsRecorded() {
        holdAgainst("mana.txt", "eth0");
        assertThat(adapters.port("one", 1).getJsonNumber("clamp").longValue()).isZero();
        assertThat(adapters.show("one").getJsonObject("usage").getInt("rejections", 0)).isZero();
    }

    @Test
    @Order(2)
    void ourDriverAnswersTheSameWhereTheAdapterHasNoTrees() {
        int number = platform.run("ip link show mana0 --json").done().json().asJsonArray().getJsonObject(0)
                .getInt("ifindex");
        try (RawNetlink line = new RawNetlink(platform.file("data").resolve("netlink.sock"), number)) {
            // up to where another user asks: a client that reaches our socket may do everything
            for (Recording.Step step : Recording.of("mana.txt").steps().stream().takeWhile(one -> one.event().isEmpty())
                    .toList()) {
                if (!ONLY_THERE.contains(step.title())) {
                    assertThat(withoutWords(line.ask(step.request()))).as(step.title())
                            .isEqualTo(withoutWords(step.answers()));
                }
            }
        }
    }

    /** Without the empty texts, and the mark that there are any: our server always has one. */
    private static List<String> withoutWords(List<String> answers) {
        return answers.stream().map(answer -> answer.substring(8).replace(" 0500010000000000", "")
                .replaceFirst("^02000003(\\S* fe|\\S* [^0])", "02000001$1")).toList();
    }

    @Test
    @Order(3)
    void ourToolSpeaksWithTheGuestsKernel() {
        at("set dev eth0 handle scope netdev bw-max 300mbit").done();
        assertThat(adapters.port("one", 1).getJsonNumber("clamp").longValue()).isEqualTo(300_000_000L);
        String shown = at("show dev eth0 handle scope netdev").done().output();
        assertThat(shown).isEqualTo("dev: eth0 scope netdev bw-max 300Mbit \n");
        assertThat(guest.run("netshaper show dev eth0 handle scope netdev").done().output()).isEqualTo(shown);
        guest.run("netshaper set dev eth0 handle scope netdev bw-max 400mbit").done();
        JsonArray all = at("dump eth0 --json").done().json().asJsonArray();
        assertThat(all).singleElement()
                .satisfies(one -> assertThat(one.asJsonObject().getJsonNumber("bw-max").longValue())
                        .isEqualTo(400_000_000L));
        assertThat(at("caps eth0").done().output()).contains("netdev", "metric-bps bw-max").doesNotContain("nesting");
        at("set dev eth0 handle scope netdev bw-max 150mbit").refused("multiples of 100Mbps");
        at("set dev eth0 handle scope netdev weight 3").refused("(at .weight).");
        at("set dev eth7 handle scope netdev bw-max 100mbit").refused("no interface 'eth7'", "eth0", "lo");
        at("delete dev eth0 handle scope netdev").done();
        assertThat(adapters.port("one", 1).getJsonNumber("clamp").longValue()).isZero();
        at("show dev eth0 handle scope netdev").refused("there is no such shaper");
    }

    @Test
    @Order(4)
    void theGuestsToolIsRefusedWhatLinuxsDriverCannot() {
        guest.run("netshaper group dev eth0 handle scope node bw-max 1gbit leaves scope queue id 0 scope queue id 1")
                .refused("not supported");
        guest.run("netshaper set dev eth0 handle scope netdev bw-min 100mbit").refused("not supported");
        guest.run("netshaper delete dev eth0 handle scope netdev").refused("No such file");
        guest.run("netshaper show dev lo handle scope netdev").refused("not supported");
        // the kernel tells its log as well what was wrong with a message
        assertThat(guest.complaints()).filteredOn(line -> !line.contains("netlink-relay'")).isEmpty();
    }

    @Test
    @Order(5)
    void theKernelItselfAnswersAsRecorded() {
        guest.run("insmod /kit/shaped.ko && until_true 50 there shaped0").done();
        holdAgainst("any.txt", "shaped0");
    }

    @Test
    @Order(6)
    void aTreeOfOursOnTheGuestsKernel() {
        at("group dev shaped0 handle scope node bw-max 5gbit leaves scope queue id 0 weight 3 scope queue id 1 "
                + "weight 2").done();
        assertThat(guest.run("netshaper show dev shaped0 handle scope queue id 0").done().output())
                .isEqualTo("dev: shaped0 scope queue id 0 parent scope node id 0 weight 3 \n");
        assertThat(at("show dev shaped0 handle scope node id 0").done().output())
                .isEqualTo(guest.run("netshaper show dev shaped0 handle scope node id 0").done().output());
        at("group dev shaped0 handle scope node parent scope node id 4 leaves scope queue id 0").refused("3:4");
        at("delete dev shaped0 handle scope node id 0").done();
        assertThat(at("dump shaped0 --json").done().json().asJsonArray()).hasSize(2);
    }

    /** What a kernel dumps goes on in another datagram after 32 KiB at the latest. */
    @Test
    @Order(7)
    void aDumpOfManyIsWhole() {
        guest.run("ethtool -L shaped0 combined " + QUEUES).done();
        int device = number("shaped0");
        try (RawNetlink line = new RawNetlink(guest.netlink(), device)) {
            for (int queue = 0; queue < QUEUES; queue++) {
                assertThat(line.exchange(set(line.family(), device, queue))).hasSize(1);
            }
        }
        JsonArray all = at("dump shaped0 --json").done().json().asJsonArray();
        assertThat(all).hasSize(QUEUES);
        for (int queue = 0; queue < QUEUES; queue++) {
            JsonObject shaper = all.getJsonObject(queue);
            assertThat(shaper.getJsonObject("handle").getInt("id")).isEqualTo(queue);
            assertThat(shaper.getJsonNumber("bw-max").longValue()).isEqualTo(10_000_000_000L + queue);
        }
    }

    /** A limit of a queue in every attribute there is. */
    private static byte[] set(int family, int device, int queue) {
        ByteBuffer message = ByteBuffer.allocate(108).order(ByteOrder.nativeOrder());
        message.putInt(108).putShort((short) family).putShort((short) ACKNOWLEDGED).putInt(1 + queue).putInt(0)
                .putInt(0x0102);
        message.putInt(0x00080008).putInt(device);
        message.putInt(0x80010014).putInt(0x00010008).putInt(2).putInt(0x00020008).putInt(queue);
        message.putInt(0x00020008).putInt(0);
        message.putInt(0x0003000c).putLong(5_000_000_000L).putInt(0x0004000c).putLong(10_000_000_000L + queue);
        message.putInt(0x0005000c).putLong(6_000_000_000L);
        message.putInt(0x00060008).putInt(2).putInt(0x00070008).putInt(1 + queue);
        return message.array();
    }
}
