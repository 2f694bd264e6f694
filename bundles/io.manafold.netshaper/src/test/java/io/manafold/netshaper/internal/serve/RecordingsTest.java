package io.manafold.netshaper.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.netshaper.internal.FakeOps;
import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a kernel of Linux 7.2 was asked, asked of our server: the same bytes come back. Sentences are left out, which we
 * always have and a kernel sometimes, and with them the flag that says there is one; that is the one difference on
 * purpose in what is asked here, and docs/shapers.md has those beyond it. The recordings are made by
 * {@code ShapersTest} of the guest tests, which also says how to make them anew.
 */
@Timeout(300)
class RecordingsTest {
    private static final int PORT = 12;
    private static final long STEP = 100_000_000;

    /** As Linux's driver of this device: one limit for the whole device, in steps of 100 Mbit/s. */
    private static final class ManaOps extends FakeOps {
        ManaOps() {
            super("eth0", 2, 2);
            groups = false;
            for (ShaperScope scope : ShaperScope.values()) {
                capabilities.put(scope, EnumSet.of(ShaperCapability.BW_MAX, ShaperCapability.METRIC_BPS));
            }
        }

        @Override
        public void set(Shaper shaper) {
            if (shaper.handle().scope() != ShaperScope.NETDEV || shaper.bwMax() == 0 || shaper.bwMax() % STEP != 0) {
                throw new Refusal(Errno.EINVAL, "not that.");
            }
            super.set(shaper);
        }
    }

    @Test
    void onADeviceThatTakesEverything() {
        Rig rig = new Rig(8);
        for (ShaperScope scope : ShaperScope.values()) {
            rig.ops.capabilities.put(scope, EnumSet.allOf(ShaperCapability.class));
        }
        replay(rig, "any.txt");
    }

    @Test
    void onLinuxsOwnDriver() {
        Rig rig = new Rig(2);
        rig.plug(new ManaOps());
        replay(rig, "mana.txt");
    }

    private static void replay(Rig rig, String name) {
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        Caller caller = Rig.ADMIN;
        for (Recording.Step step : Recording.of(name).steps()) {
            if (step.event().isEmpty()) {
                asked++;
                List<String> kernels = step.answers().stream().map(RecordingsTest::withoutText).toList();
                List<byte[]> answers = messages(rig.server.handle(step.request(), caller));
                List<String> ours = answers.stream().map(RecordingsTest::withoutText).toList();
                if (!kernels.equals(ours)) {
                    wrong.add(step.title() + "\n  asked  " + HexFormat.of().formatHex(step.request()) + "\n  kernel "
                            + String.join("\n         ", kernels) + "\n  ours   " + String.join("\n         ", ours)
                            + "\n         " + Rig.text(answers.getLast()));
                }
                if (caller.extended()) {
                    answers.stream().filter(RecordingsTest::refuses).forEach(answer -> assertThat(Rig.text(answer))
                            .as("a sentence for '%s'", step.title()).endsWith("."));
                }
            } else if (step.event().startsWith("user ")) {
                caller = caller(step.event());
            } else {
                rig.ops.resize(Integer.parseInt(step.event().replace("queues ", "")));
            }
        }
        assertThat(wrong).as("of %s exchanges of %s are different", asked, name).isEmpty();
        assertThat(asked).as("exchanges of %s", name).isGreaterThan(100);
    }

    /** @param event as in {@code user 0 plain}: one with all rights, and a socket without options */
    private static Caller caller(String event) {
        List<String> words = List.of(event.split(" "));
        boolean options = !words.contains("plain");
        return new Caller(PORT, words.get(1).equals("0"), options, options);
    }

    private static List<byte[]> messages(List<byte[]> datagrams) {
        List<byte[]> messages = new ArrayList<>();
        for (byte[] datagram : datagrams) {
            for (int at = 0; at < datagram.length;) {
                int length = Netlink.get32(datagram, at);
                messages.add(Arrays.copyOfRange(datagram, at, at + length));
                at += Netlink.aligned(length);
            }
        }
        return messages;
    }

    private static boolean refuses(byte[] message) {
        return Netlink.get16(message, 4) == Netlink.ERROR && Netlink.get32(message, Netlink.HEADER) != 0;
    }

    /** Its bytes without who asked and without a sentence: a kernel does not always have one, and we do. */
    private static String withoutText(byte[] message) {
        byte[] rest = message.clone();
        Netlink.put32(rest, PORT, 0);
        if (!refuses(rest) || (Netlink.get16(rest, 6) & Netlink.CAPPED) == 0) {
            return HexFormat.of().formatHex(rest);
        }
        int flags = Netlink.get16(rest, 6) & ~Netlink.WITH_ATTRIBUTES;
        List<String> attributes = Rig.attributes(message).stream().filter(part -> !part.startsWith("1 ")).toList();
        Netlink.put16(rest, 6, flags | (attributes.isEmpty() ? 0 : Netlink.WITH_ATTRIBUTES));
        return HexFormat.of().formatHex(rest, 4, Netlink.GENERIC_HEADER + Netlink.HEADER) + " " + attributes;
    }
}
