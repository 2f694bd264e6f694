package io.manafold.netshaper.internal;

import io.manafold.api.shaper.ShaperEvent;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.family.Operation;
import io.manafold.netshaper.internal.serve.Caller;
import io.manafold.netshaper.internal.serve.Devices;
import io.manafold.netshaper.internal.serve.Operations;
import io.manafold.netshaper.internal.serve.Server;
import io.manafold.netshaper.internal.tree.ShapedDevice;
import io.manafold.netshaper.internal.wire.AttributeReader;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import io.manafold.testkit.MemorySettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A server with one device, number 2, and two without shapers, numbers 1 and 3. */
public final class Rig implements Devices {
    public static final Caller ADMIN = new Caller(0x77, true, true, true);

    public final MemorySettings settings = new MemorySettings();
    public final List<ShaperEvent> events = new ArrayList<>();
    public FakeOps ops;
    public ShapedDevice device;
    public final Operations operations = new Operations(this);
    public final Server server = new Server(operations);

    public Rig(int queues) {
        plug(new FakeOps("eth0", 2, queues));
    }

    /** Has another driver on the device. */
    public void plug(FakeOps other) {
        if (device != null) {
            device.leave();
        }
        ops = other;
        device = new ShapedDevice(ops, settings, Runnable::run, events::add);
        ops.watch(device);
        device.begin(List.of());
    }

    @Override
    public boolean has(int index) {
        return index >= 1 && index <= 3;
    }

    @Override
    public ShapedDevice shaped(int index) {
        return index == 2 ? device : null;
    }

    /** A request by names; {@code ifindex} is added. */
    public static byte[] request(String name, boolean dumps, Map<String, Object> attributes) {
        Operation operation = Family.NET_SHAPER.named(name);
        MessageWriter writer = new MessageWriter().begin(Server.FAMILY_ID,
                Netlink.REQUEST | (dumps ? Netlink.DUMP : Netlink.ACK), 0x21, 0).generic(operation.id(), 1);
        writer.attributes(operation.set(), Map.of("ifindex", 2));
        return writer.attributes(operation.set(), attributes).end().bytes();
    }

    public byte[] last(byte[] request) {
        return server.handle(request, ADMIN).getLast();
    }

    /** The error number that a request ends with, 0 if it was done. */
    public int error(String name, Map<String, Object> attributes) {
        return -Netlink.get32(last(request(name, false, attributes)), Netlink.HEADER);
    }

    /** The reply to a request that is to be carried out. */
    public Map<String, Object> done(String name, Map<String, Object> attributes) {
        List<byte[]> answers = server.handle(request(name, false, attributes), ADMIN);
        byte[] ack = answers.getLast();
        if (Netlink.get32(ack, Netlink.HEADER) != 0) {
            throw new AssertionError(name + " " + attributes + " was refused: " + text(ack));
        }
        return answers.size() == 1 ? Map.of()
                : AttributeReader.reply(answers.getFirst(), Family.NET_SHAPER.named(name).set()).map();
    }

    public List<Map<String, Object>> dump() {
        List<Map<String, Object>> replies = new ArrayList<>();
        for (byte[] datagram : server.handle(request("get", true, Map.of()), ADMIN)) {
            int at = 0;
            while (at < datagram.length) {
                int length = Netlink.get32(datagram, at);
                byte[] message = Arrays.copyOfRange(datagram, at, at + length);
                if (Netlink.get16(message, 4) == Server.FAMILY_ID) {
                    replies.add(AttributeReader.reply(message, Family.NET_SHAPER.set("shaper")).map());
                }
                at += length;
            }
        }
        return replies;
    }

    /** Scopes and ids of all shapers, as in {@code queue 1, node 0}. */
    public String tree() {
        return String.join(", ", device.records().all().stream().map(shaper -> shaper.handle()
                + (shaper.parent() == null || shaper.parent().id() == 0 && shaper.parent().scope().ordinal() == 1 ? ""
                        : " in " + shaper.parent())).toList());
    }

    /** What a refusal says in words; empty if nothing. */
    public static String text(byte[] answer) {
        return attributes(answer).stream().filter(part -> part.startsWith("1 ")).findFirst()
                .map(part -> new String(HexFormat.of().parseHex(part.substring(2)),
                        StandardCharsets.UTF_8).replace("\0", "")).orElse("");
    }

    /** What a refusal says beyond its number, each as type and bytes. */
    public static List<String> attributes(byte[] answer) {
        List<String> parts = new ArrayList<>();
        int flags = Netlink.get16(answer, 6);
        if ((flags & Netlink.WITH_ATTRIBUTES) == 0) {
            return parts;
        }
        int at = Netlink.GENERIC_HEADER + ((flags & Netlink.CAPPED) != 0 ? Netlink.HEADER
                : Netlink.aligned(Netlink.get32(answer, Netlink.GENERIC_HEADER)));
        while (at < answer.length) {
            int length = Netlink.get16(answer, at);
            parts.add((Netlink.get16(answer, at + 2) & Netlink.TYPE_MASK) + " "
                    + HexFormat.of().formatHex(answer, at + Netlink.ATTRIBUTE_HEADER, at + length));
            at += Netlink.aligned(length);
        }
        return parts;
    }

    public static Map<String, Object> handle(String scope) {
        return Map.of("scope", scope);
    }

    public static Map<String, Object> handle(String scope, long id) {
        return Map.of("scope", scope, "id", id);
    }

    /** A leaf of a group: queue, weight, 0 for none. */
    public static Map<String, Object> leaf(int queue, int weight) {
        return weight == 0 ? Map.of("handle", handle("queue", queue))
                : Map.of("handle", handle("queue", queue), "weight", weight);
    }
}
