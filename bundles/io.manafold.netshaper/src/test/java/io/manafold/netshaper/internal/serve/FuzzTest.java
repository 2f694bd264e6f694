package io.manafold.netshaper.internal.serve;

import static io.manafold.netshaper.internal.Rig.handle;
import static io.manafold.netshaper.internal.Rig.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.tree.Records;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of chance: each is answered, none that is refused changes anything, and the tree stays one. */
@Timeout(120)
class FuzzTest {
    private static final int ROUNDS = Integer.getInteger("manafold.shapers.messages", 20_000);

    private final Rig rig = new Rig(4);
    private final Random random = new Random(20_26);

    private byte[] one() {
        Map<String, Object> handle = switch (random.nextInt(4)) {
            case 0 -> handle("netdev");
            case 1 -> handle("queue", random.nextInt(6));
            case 2 -> handle("node", random.nextInt(4));
            default -> handle("node");
        };
        List<Map<String, Object>> leaves = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            leaves.add(leaf(random.nextInt(5), random.nextInt(3)));
        }
        return switch (random.nextInt(7)) {
            case 0 -> Rig.request("get", false, Map.of("handle", handle));
            case 1 -> Rig.request("get", true, Map.of());
            case 2 -> Rig.request("set", false, Map.of("handle", handle, "bw-max", random.nextLong(1L << 40)));
            case 3 -> Rig.request("delete", false, Map.of("handle", handle));
            case 4 -> Rig.request("group", false, Map.of("handle", handle, "leaves", leaves));
            case 5 -> Rig.request("group", false,
                    Map.of("handle", handle, "leaves", leaves, "parent", handle("netdev")));
            default -> Rig.request("cap-get", random.nextBoolean(), Map.of());
        };
    }

    private byte[] spoiled(byte[] message) {
        byte[] spoiled = random.nextInt(8) == 0 ? Arrays.copyOf(message, random.nextInt(message.length + 16))
                : message.clone();
        for (int i = random.nextInt(4); i > 0 && spoiled.length > 0; i--) {
            spoiled[random.nextInt(spoiled.length)] = (byte) (random.nextBoolean() ? random.nextInt()
                    : 1 << random.nextInt(8));
        }
        if (spoiled.length >= Netlink.HEADER && random.nextInt(4) != 0) {
            Netlink.put32(spoiled, 0, spoiled.length);
        }
        return spoiled;
    }

    @Test
    void whatIsRefusedChangesNothing() {
        int done = 0;
        for (int i = 0; i < ROUNDS; i++) {
            rig.ops.refuses = random.nextInt(5) == 0 ? List.of("set", "del", "g 3", "g 1").get(random.nextInt(4))
                    : null;
            if (random.nextInt(50) == 0) {
                rig.ops.refuses = null;
                rig.ops.resize(1 + random.nextInt(4));
            }
            byte[] message = random.nextInt(3) == 0 ? one() : spoiled(one());
            Records before = rig.device.records();
            int calls = rig.ops.calls.size();
            List<byte[]> answers = rig.server.handle(message, Rig.ADMIN);
            boolean refused = answers.stream().anyMatch(answer -> Netlink.get16(answer, 4) == Netlink.ERROR
                    && Netlink.get32(answer, Netlink.HEADER) != 0);
            boolean swept = rig.ops.calls.subList(calls, rig.ops.calls.size()).stream().filter(call ->
                    call.startsWith("del ")).count() > 1;
            if (refused && !swept) {
                assertThat(rig.device.records()).isSameAs(before);
            }
            for (byte[] answer : answers) {
                assertThat(Netlink.get32(answer, 0)).isBetween(Netlink.HEADER, answer.length);
                assertThat(Rig.attributes(answer)).noneMatch(text -> text.contains("6d697374616b65206f662074686520"));
            }
            done += refused ? 0 : 1;
            rig.device.records().all().forEach(shaper -> assertThat(shaper.parent() == null
                    || shaper.parent().scope().ordinal() == 1 || rig.device.records().get(shaper.parent()) != null)
                    .as("%s has its parent", shaper).isTrue());
            rig.ops.calls.clear();
        }
        assertThat(done).isGreaterThan(ROUNDS / 20);
    }
}
