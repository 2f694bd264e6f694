package io.manafold.netshaper.internal.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.Shapers;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import io.manafold.logging.LogRing;
import io.manafold.netshaper.internal.FakeOps;
import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.serve.Server;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import io.manafold.testkit.MemorySettings;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The family as it is spoken in words on the platform, over a socket, and to the kernel below. */
@Timeout(300)
class PlacesTest {
    private final MemorySettings settings = new MemorySettings();
    private PlatformShapers platform = new PlatformShapers(settings);
    private FakeOps ops = new FakeOps("mana0", 2, 4);

    @BeforeEach
    void plug() {
        platform.addDevice(ops.device());
        platform.addDevice(FakeOps.device("plain0", 3));
        platform.addOps(ops);
    }

    @AfterEach
    void end() {
        platform.end();
    }

    private static Map<String, Object> on(int index, Map<String, Object> handle) {
        return Map.of("ifindex", index, "handle", handle);
    }

    @Test
    void itIsSpokenInWords() {
        assertThat(platform.devices()).containsExactly("mana0", "plain0");
        assertThat(platform.index("mana0")).isEqualTo(2);
        assertThat(platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "netdev"), "bw-max",
                200_000_000L))).isEmpty();
        assertThat(platform.perform("get", on(2, Map.of("scope", "netdev")))).isEqualTo(Map.of("ifindex", 2L, "handle",
                Map.of("scope", "netdev"), "metric", "bps", "bw-max", 200_000_000L));
        assertThat(platform.dump("get", Map.of("ifindex", 2))).hasSize(1);
        assertThat(platform.perform("cap-get", Map.of("ifindex", 2, "scope", "queue"))).containsEntry("support-nesting",
                true);
        assertThat(platform.plan("delete", on(2, Map.of("scope", "netdev")))).containsExactly(
                new ShaperCall(ShaperCall.Kind.DELETE, Shaper.of(ShaperHandle.NETDEV), List.of()));
        assertThat(platform.status("mana0")).hasSize(1);
        assertThat(platform.status("plain0")).isEmpty();
    }

    @Test
    void refusalsNameWhatIsWrong() {
        assertThatThrownBy(() -> platform.perform("get", on(2, Map.of("scope", "queue", "id", 9))))
                .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageContaining("queue 9").hasMessageEndingWith("(at .handle).");
        assertThatThrownBy(() -> platform.perform("get", on(3, Map.of("scope", "netdev"))))
                .hasMessageContaining("knows no shapers").hasMessageEndingWith("(at .ifindex).");
        assertThatThrownBy(() -> platform.perform("get", on(2, Map.of("scope", "port")))).isInstanceOf(Refusal.class)
                .hasMessage("scope is one of unspec, netdev, queue, node, not 'port'.");
        assertThatThrownBy(() -> platform.perform("got", Map.of())).isInstanceOf(Refusal.class)
                .hasMessageContaining("cap-get");
        assertThatThrownBy(() -> platform.perform("set", Map.of("ifindex", 2))).isInstanceOf(Refusal.class)
                .hasMessageContaining("'handle' is missing");
    }

    @Test
    void changesAreTold() throws Exception {
        LinkedBlockingQueue<ShaperEvent> events = new LinkedBlockingQueue<>();
        try (AutoCloseable watch = platform.watch(events::add)) {
            platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 1), "weight", 3));
            platform.perform("delete", on(2, Map.of("scope", "queue", "id", 1)));
            ShaperEvent set = events.poll(30, TimeUnit.SECONDS);
            assertThat(set.now().weight()).isEqualTo(3);
            assertThat(set.device()).isEqualTo("mana0");
            assertThat(events.poll(30, TimeUnit.SECONDS).now()).isNull();
        }
    }

    @Test
    void whatIsSetIsKeptForTheNextDriver() throws Exception {
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 1), "bw-max", 5_000L));
        assertThat(settings.kept.get("shapers:7870:00:00.0/1")).containsEntry("queue.1", "netdev.0/bps/0/5000/0/0/0");
        platform.removeOps(ops);
        assertThatThrownBy(() -> platform.perform("get", on(2, Map.of("scope", "netdev"))))
                .hasMessageContaining("knows no shapers");
        FakeOps next = new FakeOps("mana0", 2, 4);
        platform.addOps(next);
        // an administrator who changes something waits until the driver was told what was
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 2), "weight", 1));
        assertThat(next.calls).containsExactly("set 2:1 max5000 parent 1:0", "set 2:2 w1 parent 1:0");
    }

    @Test
    void theSocketSpeaksAsAKernelDoes(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("netlink.sock");
        SocketServer server = new SocketServer(path, platform.server());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).isEqualTo("rw-------");
        try (UnixSocket client = UnixSocket.connect(path)) {
            client.receiveLimit(30_000);
            byte[] find = new MessageWriter().begin(Netlink.CONTROLLER, 5, 1, 0).generic(3, 1).text(2, "net-shaper")
                    .end().bytes();
            byte[] dump = Rig.request("get", true, Map.of());
            byte[] set = Rig.request("set", false, Map.of("handle", Rig.handle("queue", 2), "weight", 7));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : List.of(find, set, dump)) {
                all.writeBytes(Arrays.copyOf(part, Netlink.aligned(part.length)));
            }
            // in two pieces, cut in the middle of a message
            client.send(all.toByteArray(), 0, 50);
            client.send(all.toByteArray(), 50, all.size() - 50);
            List<byte[]> messages = read(client, 5);
            assertThat(messages.stream().map(message -> Netlink.get16(message, 4)).toList()).containsExactly(
                    Netlink.CONTROLLER, Netlink.ERROR, Netlink.ERROR, Server.FAMILY_ID, Netlink.DONE);
            assertThat(Netlink.get32(messages.get(3), 12)).isEqualTo((int) ProcessHandle.current().pid());
            client.send(new byte[16], 0, 16);
            assertThat(client.receive(new byte[16], 0, 16)).as("no message is that short").isNegative();
        } finally {
            server.end();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void anotherPlatformIsAPlace(@TempDir Path folder) {
        Path path = folder.resolve("netlink.sock");
        Shapers there = new SocketPlaces().at(path);
        assertThat(there.place()).isEqualTo(path.toString());
        assertThatThrownBy(() -> there.index("2")).isInstanceOf(Refusal.class).hasMessageContaining(path.toString());
        SocketServer server = new SocketServer(path, platform.server());
        try {
            assertThat(there.index("2")).isEqualTo(2);
            assertThat(there.devices()).isEmpty();
            assertThat(there.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 2), "weight",
                    7L))).isEmpty();
            assertThat(there.dump("get", Map.of("ifindex", 2))).hasSize(1);
            assertThatThrownBy(() -> there.perform("delete", on(9, Map.of("scope", "netdev"))))
                    .hasMessageEndingWith("(at .ifindex).");
            assertThatThrownBy(() -> there.index("mana0"))
                    .isInstanceOfSatisfying(Refusal.class, none -> assertThat(none.errno()).isEqualTo(Errno.ENODEV))
                    .hasMessageEndingWith("name it by its number.");
        } finally {
            server.end();
        }
    }

    @Test
    void whatIsLeftOfAnotherConversationIsPassedOver(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("late.sock");
        try (UnixListener listener = UnixListener.listen(path)) {
            Thread.ofPlatform().daemon().start(() -> {
                try (UnixSocket client = listener.accept()) {
                    byte[] request = new byte[256];
                    int length = client.receive(request, 0, request.length);
                    byte[] asked = Arrays.copyOf(request, length);
                    byte[] stale = answer(asked, Netlink.get32(asked, 8) - 1, 7);
                    byte[] ours = answer(asked, Netlink.get32(asked, 8), 3);
                    client.send(stale, 0, stale.length);
                    // in two pieces, cut in a header
                    client.send(ours, 0, 9);
                    client.send(ours, 9, ours.length - 9);
                    client.receive(request, 0, request.length);
                } catch (SystemCallException over) {
                    // the test says what came
                }
            });
            byte[] request = new MessageWriter().begin(40, 5, 1234, 0).generic(1, 1).end().bytes();
            assertThat(new SocketLine(path).exchange(request)).singleElement()
                    .satisfies(only -> assertThat(Netlink.get32(only, Netlink.HEADER)).isEqualTo(-3));
        }
    }

    private static byte[] answer(byte[] request, int sequence, int error) {
        return new MessageWriter().begin(Netlink.ERROR, Netlink.CAPPED, sequence, 0).number(-error)
                .raw(request, 0, Netlink.HEADER).end().bytes();
    }

    private static List<byte[]> read(UnixSocket client, int count) throws Exception {
        byte[] room = new byte[65_536];
        int filled = 0;
        while (LocalLine.messages(room, filled).size() < count) {
            int came = client.receive(room, filled, room.length - filled);
            assertThat(came).isPositive();
            filled += came;
        }
        return LocalLine.messages(room, filled);
    }

    @Test
    void aPathThatIsTooLongIsSaidInTheLog(@TempDir Path folder) {
        Path path = folder.resolve("x".repeat(120)).resolve("netlink.sock");
        new SocketServer(path, platform.server()).end();
        assertThat(path).doesNotExist();
    }

    @Test
    void theKernelAnswersOrHasNoFamily() {
        HostShapers host = new HostShapers();
        assertThat(host.devices()).contains("lo");
        assertThat(host.has("lo")).isTrue();
        assertThat(host.has("none0")).isFalse();
        assertThat(host.has("x".repeat(16))).isFalse();
        int index = host.index("lo");
        assertThatThrownBy(() -> host.perform("get", on(index, Map.of("scope", "netdev"))))
                .isInstanceOfSatisfying(Refusal.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageEndingWith(".");
    }

    @Test
    void whatAKernelSaysBecomesARefusal() {
        HostShapers host = new HostShapers(new LocalLine(platform.server()));
        assertThat(host.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "netdev"), "bw-max", 10L)))
                .isEmpty();
        assertThatThrownBy(() -> host.perform("delete", on(9, Map.of("scope", "netdev"))))
                .hasMessageEndingWith("(at .ifindex).");
        HostShapers terse = new HostShapers(request -> {
            byte[] answer = new MessageWriter().begin(Netlink.ERROR, Netlink.CAPPED, 1, 0).number(-2)
                    .raw(request, 0, Netlink.HEADER).end().bytes();
            return Netlink.get16(request, 4) == Netlink.CONTROLLER
                    ? List.of(new MessageWriter().begin(Netlink.CONTROLLER, 0, 1, 0).generic(1, 2).u16(1, 40).end()
                            .bytes()) : List.of(answer);
        });
        assertThatThrownBy(() -> terse.perform("delete", on(2, Map.of("scope", "netdev"))))
                .hasMessage("The host's kernel refuses 'delete': there is no such shaper, device or queue.");
    }

    @Test
    void aPlanHoldsUntilSomebodySetsSomethingElse() {
        ShaperPlan plan = new ShaperPlan(null, config("mana0", "queue", 1, 700), Map.of());
        platform.addPlan(plan);
        await("set 2:1 max700 parent 1:0");
        assertThat(settings.kept.values()).allSatisfy(kept -> assertThat(kept).isEmpty());
        platform.removePlan(plan);
        await("del 2:1");
        platform.addPlan(plan);
        await("set 2:1 max700 parent 1:0");
        platform.perform("delete", on(2, Map.of("scope", "queue", "id", 1)));
        assertThat(settings.kept.get("shapers:7870:00:00.0/1")).containsEntry("queue.1", "none");
    }

    @Test
    void aDeviceThatIsBusyWhenItComesIsLimitedWhenThatIsOver() throws Exception {
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 1), "bw-max", 300L));
        platform.removeOps(ops);
        ops = new FakeOps("mana0", 2, 4);
        ops.lock.lock();
        try {
            platform.addPlan(new ShaperPlan(null, config("mana0", "netdev", 0, 1000), Map.of()));
            platform.addOps(ops);
            // longer than a command waits, and once more
            TimeUnit.SECONDS.sleep(9);
        } finally {
            ops.lock.unlock();
        }
        awaitTree("[netdev, queue 1]");
        assertThat(ops.told()).containsExactly("set 2:1 max300 parent 1:0", "set 1:0 max1000 parent 0:0");
    }

    @Test
    void oneThatIsRefusedKeepsNoOtherThatWaitsAway() {
        for (int queue = 4; queue < 12; queue++) {
            platform.addPlan(new ShaperPlan(null, config("mana0", "queue", queue, 700), Map.of()));
        }
        platform.addPlan(new ShaperPlan(null, config("mana0", "netdev", 0, 1000), Map.of()));
        await("set 1:0 max1000 parent 0:0");
        ops.refuses = "set 2:4 ";
        ops.resize(12);
        awaitTree("[netdev, queue 5, queue 6, queue 7, queue 8, queue 9, queue 10, queue 11]");
        ops.refuses = null;
        ops.resize(12);
        awaitTree("[netdev, queue 4, queue 5, queue 6, queue 7, queue 8, queue 9, queue 10, queue 11]");
    }

    @Test
    void aPlannedTreeThatEndsWithItsNodeFirstIsNotKeptFlat() {
        ShaperPlan node = plan("node", 4, -1, 900);
        ShaperPlan queue = plan("queue", 1, 4, 300);
        List.of(node, queue).forEach(platform::addPlan);
        awaitTree("[queue 1 in node 4, node 4]");
        platform.removePlan(node);
        awaitTree("[queue 1]");
        // the device goes before the rest of its plans
        again(node, queue);
        awaitTree("[queue 1 in node 4, node 4]");
    }

    @Test
    void whatWasSetInsteadOfAPlanAndTakenAwayStaysAway() {
        ShaperPlan plan = new ShaperPlan(null, config("mana0", "netdev", 0, 1000), Map.of());
        platform.addPlan(plan);
        await("set 1:0 max1000 parent 0:0");
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "netdev"), "bw-max", 500L));
        again(plan);
        await("set 1:0 max500 parent 0:0");
        platform.perform("delete", on(2, Map.of("scope", "netdev")));
        again(plan);
        ShaperPlan last = new ShaperPlan(null, config("mana0", "queue", 1, 700), Map.of());
        platform.addPlan(last);
        await("set 2:1 max700 parent 1:0");
        assertThat(tree()).isEqualTo("[queue 1]");
    }

    @Test
    void whatIsTakenAwayBetweenItsReturnAndThatOfItsPlanStaysAway() throws Exception {
        ShaperPlan plan = plan("netdev", 0, -1, 1000);
        platform.addPlan(plan);
        await("set 1:0 max1000 parent 0:0");
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "netdev"), "bw-max", 500L));
        platform.end();
        platform = new PlatformShapers(settings);
        Thread deletion = Thread.ofPlatform().unstarted(() -> platform.perform("delete",
                on(2, Map.of("scope", "netdev"))));
        ops = new FakeOps("mana0", 2, 4) {
            @Override
            public void set(Shaper shaper) {
                if (shaper.bwMax() == 500) {
                    deletion.start();
                    // until it waits for its turn, which it has before whatever asks for the lock from now on
                    while (deletion.getState() != Thread.State.TIMED_WAITING && deletion.isAlive()) {
                        Thread.onSpinWait();
                    }
                }
                super.set(shaper);
            }
        };
        platform.addDevice(ops.device());
        platform.addPlan(plan);
        platform.addOps(ops);
        platform.addPlan(plan("queue", 1, -1, 700));
        await("set 2:1 max700 parent 1:0");
        deletion.join();
        assertThat(tree()).isEqualTo("[queue 1]");
        assertThat(settings.kept.get("shapers:7870:00:00.0/1")).containsEntry("netdev.0", "none");
    }

    @Test
    void whatIsTakenAwayBeforeItsPlanIsThereAgainStaysAwayUntilThatSaysSomethingElse() {
        ShaperPlan plan = plan("netdev", 0, -1, 1000);
        platform.addPlan(plan);
        await("set 1:0 max1000 parent 0:0");
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "netdev"), "bw-max", 500L));
        again();
        awaitTree("[netdev]");
        platform.perform("delete", on(2, Map.of("scope", "netdev")));
        platform.addPlan(plan);
        platform.addPlan(plan("queue", 1, -1, 700));
        await("set 2:1 max700 parent 1:0");
        assertThat(tree()).isEqualTo("[queue 1]");
        assertThat(settings.kept.get("shapers:7870:00:00.0/1")).containsEntry("netdev.0", "none");
        again();
        platform.addPlan(plan("netdev", 0, -1, 2000));
        await("set 1:0 max2000 parent 0:0");
    }

    /** It may be long ago, and nothing else shows why what the file says is not so. */
    @Test
    void aPlanThatComesBackToWhatWasTakenAwayIsToldOf() throws Exception {
        ShaperPlan plan = plan("queue", 3, -1, 1000);
        platform.addPlan(plan);
        awaitTree("[queue 3]");
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 3), "bw-max", 500L));
        platform.removePlan(plan);
        platform.addPlan(plan("queue", 1, -1, 700));
        awaitTree("[queue 1, queue 3]");
        platform.perform("delete", on(2, Map.of("scope", "queue", "id", 3)));
        LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (AutoCloseable follow = LogRing.shared().follow(line -> lines.add(line.text()))) {
            again(plan, plan("queue", 1, -1, 700));
            awaitTree("[queue 1]");
            assertThat(lines).filteredOn(line -> line.contains("taken away by hand")).singleElement().asString()
                    .startsWith("mana0: its lab's file has queue 3,").endsWith("or after 'settings forget mana0'");
        }
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 3), "bw-max", 1000L));
        again(plan);
        awaitTree("[queue 3]");
        assertThat(settings.kept).as("it is as the file says").doesNotContainKey("shapers:7870:00:00.0/1");
    }

    @Test
    void aPlannedNodeThatWasTakenAwayDoesNotComeBackWithWhatIsBelowIt() {
        ShaperPlan node = plan("node", 4, -1, 900);
        platform.addPlan(node);
        platform.addPlan(plan("queue", 1, 4, 300));
        awaitTree("[queue 1 in node 4, node 4]");
        platform.perform("delete", on(2, Map.of("scope", "node", "id", 4)));
        again(node);
        awaitTree("[queue 1]");
        platform.addPlan(plan("queue", 2, 4, 300));
        platform.addPlan(plan("queue", 3, -1, 300));
        awaitTree("[queue 1, queue 3]");
    }

    @Test
    void whatWasSetBeforeAPlanThatSaysTheSameOutlivesThat() {
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "queue", "id", 1), "bw-max", 300L));
        await("set 2:1 max300 parent 1:0");
        ShaperPlan plan = plan("queue", 1, -1, 300);
        platform.addPlan(plan);
        platform.addPlan(plan("queue", 2, -1, 300));
        awaitTree("[queue 1, queue 2]");
        again();
        awaitTree("[queue 1]");
        platform.addPlan(plan);
        platform.addPlan(plan("queue", 2, -1, 300));
        awaitTree("[queue 1, queue 2]");
        platform.removePlan(plan);
        platform.addPlan(plan("queue", 3, -1, 300));
        awaitTree("[queue 1, queue 2, queue 3]");
    }

    /** The platform ends and starts, and has a plan then as before. */
    private void again(ShaperPlan... plans) {
        platform.end();
        platform = new PlatformShapers(settings);
        ops = new FakeOps("mana0", 2, 4);
        platform.addDevice(ops.device());
        Arrays.stream(plans).forEach(platform::addPlan);
        platform.addOps(ops);
    }

    @Test
    void aPlanForAQueueThatIsNotThereWaitsForIt() {
        platform.addPlan(new ShaperPlan(null, config("mana0", "queue", 6, 700), Map.of()));
        platform.perform("set", Map.of("ifindex", 2, "handle", Map.of("scope", "netdev"), "bw-max", 9L));
        assertThat(platform.dump("get", Map.of("ifindex", 2))).hasSize(1);
        ops.resize(8);
        await("set 2:6 max700 parent 1:0");
        ops.resize(4);
        assertThat(platform.dump("get", Map.of("ifindex", 2))).hasSize(1);
    }

    @Test
    void aDriverThatIsSlowKeepsNoOtherDeviceWaiting() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        FakeOps slow = new FakeOps("slow0", 4, 4) {
            @Override
            public void set(Shaper shaper) {
                entered.countDown();
                try {
                    over.await(120, TimeUnit.SECONDS);
                } catch (InterruptedException hurried) {
                    Thread.currentThread().interrupt();
                }
                super.set(shaper);
            }
        };
        platform.addDevice(slow.device());
        platform.addOps(slow);
        try {
            platform.addPlan(new ShaperPlan(null, config("slow0", "netdev", 0, 500), Map.of()));
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
            platform.addPlan(new ShaperPlan(null, config("mana0", "queue", 1, 700), Map.of()));
            await("set 2:1 max700 parent 1:0");
            assertThat(slow.calls).isEmpty();
        } finally {
            over.countDown();
        }
    }

    private void await(String call) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!ops.calls.contains(call) && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(ops.told()).contains(call);
    }

    @Test
    void plannedNodesComeWithWhatIsBelowThemInAnyOrder() {
        ShaperPlan outer = plan("node", 4, -1, 900);
        ShaperPlan inner = plan("node", 2, 4, 0);
        ShaperPlan one = plan("queue", 1, 2, 300);
        ShaperPlan two = plan("queue", 2, 4, 0);
        for (List<ShaperPlan> order : List.of(List.of(outer, inner, one, two), List.of(two, one, inner, outer),
                List.of(one, outer, two, inner), List.of(inner, two, outer, one))) {
            order.forEach(platform::addPlan);
            awaitTree("[queue 1 in node 2, queue 2 in node 4, node 2 in node 4, node 4]");
            assertThat(platform.perform("get", on(2, Map.of("scope", "node", "id", 4)))).containsEntry("bw-max", 900L);
            assertThat(platform.perform("get", on(2, Map.of("scope", "queue", "id", 1)))).containsEntry("bw-max", 300L);
            assertThat(settings.kept.values()).as("a plan is not kept").allSatisfy(kept -> assertThat(kept).isEmpty());
            order.forEach(platform::removePlan);
            awaitTree("[]");
        }
    }

    @Test
    void aPlannedTreeIsThereForTheNextDriver() {
        List.of(plan("node", 0, -1, 900), plan("queue", 0, 0, 0), plan("queue", 6, 0, 0)).forEach(platform::addPlan);
        awaitTree("[queue 0 in node 0, node 0]");
        ops.resize(8);
        awaitTree("[queue 0 in node 0, queue 6 in node 0, node 0]");
        platform.removeOps(ops);
        ops = new FakeOps("mana0", 2, 4);
        platform.addOps(ops);
        awaitTree("[queue 0 in node 0, node 0]");
    }

    private static ShaperPlan plan(String scope, int id, int parent, long max) {
        return new ShaperPlan(null, config("mana0", scope, id, parent, max), Map.of());
    }

    private void awaitTree(String tree) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!tree().equals(tree) && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(tree()).isEqualTo(tree);
    }

    private String tree() {
        return platform.dump("get", Map.of("ifindex", 2)).stream().map(shaper -> word(shaper.get("handle"))
                + (shaper.get("parent") instanceof Map<?, ?> parent && parent.get("scope").equals("node") ? " in "
                        + word(parent) : "")).toList().toString();
    }

    private static String word(Object handle) {
        Map<?, ?> parts = (Map<?, ?>) handle;
        return parts.containsKey("id") ? parts.get("scope") + " " + parts.get("id") : parts.get("scope").toString();
    }

    private static ShaperPlan.Config config(String device, String scope, int id, long max) {
        return config(device, scope, id, -1, max);
    }

    private static ShaperPlan.Config config(String device, String scope, int id, int parent, long max) {
        return (ShaperPlan.Config) Proxy.newProxyInstance(ShaperPlan.class.getClassLoader(),
                new Class<?>[] {ShaperPlan.Config.class}, (_, method, _) -> switch (method.getName()) {
                    case "device" -> device;
                    case "scope" -> scope;
                    case "id" -> id;
                    case "bw$_$max" -> max;
                    case "parent" -> parent;
                    case "metric" -> "bps";
                    case "bw$_$min", "burst" -> 0L;
                    default -> 0;
                });
    }
}
