package io.manafold.product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Two bundles, one for each of two platforms, that do with each other all that verbs can, and what they must not. Each
 * writes to a file what has become of it.
 */
final class BorrowedVerbs {
    /** What became of each request of the bundle that asks, in its order. */
    static final String ASKED = """
            send: success
            send with immediate: success
            write: success
            write with immediate: success
            read: success
            send with invalidate: EINVAL
            the last send: success
            a key that is none: remote access error
            a key of another domain: remote access error
            a key without the right: remote access error
            a key of a closed region: remote access error
            beyond the region: remote access error
            own memory of another domain: local protection error
            memory is right
            """;
    /** What came to the bundle that serves. */
    static final String SERVED = """
            RECV of 1000, 0
            RECV of 1001, 287454020
            RECV_RDMA_WITH_IMM of 500, 1432778632
            RECV of 0, 0
            memory is right
            """;

    private static final String PREAMBLE = """
            class Verbs {
                static final int BYTES = 1 << 16;
                static final java.time.Duration LIMIT = java.time.Duration.ofSeconds(60);
                /** What is sent and written to the end that serves, and read from it. */
                static final int[][] PLACES = {{0, 1000}, {2048, 1001}, {8192, 3000}, {16384, 500}, {32768, 4000}};
                final StringBuilder said = new StringBuilder();
                final java.util.ArrayDeque<AutoCloseable> made = new java.util.ArrayDeque<>();
                final io.manafold.api.rdma.RdmaConnections connections = context.getService(context.getServiceReference(
                        io.manafold.api.rdma.RdmaConnections.class));
                final io.manafold.api.rdma.RdmaDevice device = context.getService(context.getServiceReferences(
                        io.manafold.api.rdma.RdmaDevice.class, "(name=mana_0)").iterator().next());
                final io.manafold.api.memory.MemorySource memory = context.getService(context.getServiceReference(
                        io.manafold.api.memory.MemorySource.class));
                final io.manafold.api.memory.MemoryBlock block = keep(memory.make("verbs", BYTES));
                final io.manafold.api.rdma.ProtectionDomain domain = keep(device.allocateDomain());
                final io.manafold.api.rdma.ProtectionDomain foreign = keep(device.allocateDomain());
                final io.manafold.api.rdma.Completions completions = new io.manafold.api.rdma.Completions(1);
                io.manafold.api.rdma.CompletionQueue queue;
                Verbs() throws Exception { }
                <T extends AutoCloseable> T keep(T thing) {
                    made.push(thing);
                    return thing;
                }
                io.manafold.api.rdma.MemoryRegion region(io.manafold.api.rdma.ProtectionDomain in, int access) {
                    return keep(in.register(block, access));
                }
                io.manafold.api.rdma.QueuePair pair() {
                    queue = keep(device.createCompletionQueue(16));
                    return keep(domain.createQueuePair(io.manafold.api.rdma.QueuePairPlan.reliable(queue, 8, 8)));
                }
                void fill(int place) {
                    for (int k = PLACES[place][0]; k < PLACES[place][0] + PLACES[place][1]; k++) {
                        block.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, k, (byte) (k * 31 + (k >> 8)));
                    }
                }
                void judge() {
                    byte[] right = new byte[BYTES];
                    for (int[] place : PLACES) {
                        for (int k = place[0]; k < place[0] + place[1]; k++) {
                            right[k] = (byte) (k * 31 + (k >> 8));
                        }
                    }
                    int wrong = java.util.Arrays.mismatch(right, block.segment().toArray(
                            java.lang.foreign.ValueLayout.JAVA_BYTE));
                    said.append(wrong < 0 ? "memory is right" : "memory is wrong at " + wrong).append('\\n');
                }
                void poll() throws Exception {
                    for (long until = System.nanoTime() + LIMIT.toNanos(); queue.poll(completions) == 0;) {
                        if (System.nanoTime() > until) {
                            throw new IllegalStateException("no completion");
                        }
                        Thread.sleep(1);
                    }
                }
                void tell() throws Exception {
                    for (var thing : made) {
                        thing.close();
                    }
                    java.nio.file.Path part = java.nio.file.Path.of("FILE.part");
                    java.nio.file.Files.writeString(part, said);
                    java.nio.file.Files.move(part, java.nio.file.Path.of("FILE"));
                }
            }
            """;

    /** What a bundle does may take longer than its start. */
    private static final String BEGINS = """
            Thread.ofPlatform().start(() -> {
                try {
                    CODE
                } catch (Exception untold) {
                    throw new IllegalStateException(untold);
                }
            });
            """;

    private static final String SERVES = """
            Verbs verbs = new Verbs();
            try {
                int all = io.manafold.api.rdma.Access.LOCAL_WRITE | io.manafold.api.rdma.Access.REMOTE_WRITE
                        | io.manafold.api.rdma.Access.REMOTE_READ;
                var region = verbs.region(verbs.domain, all);
                var foreign = verbs.region(verbs.foreign, all);
                var readOnly = verbs.region(verbs.domain, io.manafold.api.rdma.Access.REMOTE_READ);
                var closed = verbs.domain.register(verbs.block, all);
                var keys = java.nio.ByteBuffer.allocate(60).putLong(region.address()).putInt(region.remoteKey())
                        .putLong(region.address()).putInt(region.remoteKey() ^ 0x5500)
                        .putLong(foreign.address()).putInt(foreign.remoteKey())
                        .putLong(readOnly.address()).putInt(readOnly.remoteKey())
                        .putLong(closed.address()).putInt(closed.remoteKey());
                closed.close();
                verbs.fill(4);
                var listener = verbs.keep(verbs.connections.listen(7301));
                for (int turn = 0; turn < 7; turn++) {
                    var request = listener.next(Verbs.LIMIT).orElseThrow();
                    var pair = verbs.pair();
                    var connection = verbs.keep(request.accept(pair,
                            io.manafold.api.rdma.ConnectionPlan.USUAL.withPrivateData(keys.array())));
                    if (turn == 0) {
                        var receives = new io.manafold.api.rdma.ReceiveList(4);
                        int[][] places = {{0, 1000}, {2048, 1024}, {20480, 16}, {20480, 16}};
                        for (int[] place : places) {
                            receives.receive(receives.count()).piece(region.address() + place[0],
                                    region.localKey(), place[1]);
                        }
                        pair.post(receives);
                        for (int i = 0; i < 4; i++) {
                            verbs.poll();
                            var done = verbs.completions;
                            verbs.said.append(done.opcode(0)).append(" of ").append(done.length(0)).append(", ")
                                    .append(done.immediate(0)).append('\\n');
                        }
                    }
                    var event = connection.next(Verbs.LIMIT).orElseThrow();
                    if (event.type() == io.manafold.api.rdma.ConnectionEvent.Type.ESTABLISHED) {
                        connection.next(Verbs.LIMIT).orElseThrow();
                    }
                }
                verbs.judge();
            } catch (Throwable wrong) {
                verbs.said.append(wrong);
            }
            verbs.tell();
            """;

    private static final String ASKS = """
            Verbs verbs = new Verbs();
            try {
                var own = verbs.region(verbs.domain, io.manafold.api.rdma.Access.LOCAL_WRITE);
                var foreign = verbs.region(verbs.foreign, io.manafold.api.rdma.Access.LOCAL_WRITE);
                int signaled = io.manafold.api.rdma.SendList.SIGNALED;
                for (int place = 0; place < 4; place++) {
                    verbs.fill(place);
                }
                String[] turns = {"", "a key that is none", "a key of another domain", "a key without the right",
                    "a key of a closed region", "beyond the region", "own memory of another domain"};
                for (int turn = 0; turn < turns.length; turn++) {
                    var pair = verbs.pair();
                    try (var connection = verbs.connections.connect(pair, new java.net.InetSocketAddress("ADDRESS", 7301),
                            io.manafold.api.rdma.ConnectionPlan.USUAL)) {
                        var keys = java.nio.ByteBuffer.wrap(connection.established(Verbs.LIMIT).privateData());
                        long address = keys.getLong(0);
                        int key = keys.getInt(8);
                        var list = new io.manafold.api.rdma.SendList(1);
                        String[] names = {"send", "send with immediate", "write", "write with immediate", "read",
                            "send with invalidate", "the last send"};
                        for (int i = 0; i < (turn == 0 ? names.length : 1); i++) {
                            list.clear();
                            int place = Math.min(i, 4);
                            long at = address + Verbs.PLACES[place][0];
                            if (turn > 0) {
                                boolean last = turn == turns.length - 1;
                                boolean beyond = turn == turns.length - 2;
                                int which = last || beyond ? 0 : 12 * turn;
                                list.write(1, signaled, keys.getLong(which) + (beyond ? Verbs.BYTES - 32 : 40_000),
                                        keys.getInt(which + 8)).piece(last ? foreign.address() : own.address(),
                                        last ? foreign.localKey() : own.localKey(), 64);
                            } else {
                                switch (i) {
                                    case 0 -> list.send(i, signaled);
                                    case 1 -> list.sendWithImmediate(i, signaled, 0x11223344);
                                    case 2 -> list.write(i, signaled, at, key);
                                    case 3 -> list.writeWithImmediate(i, signaled, at, key, 0x55667788);
                                    case 4 -> list.read(i, signaled, at, key);
                                    case 5 -> list.add(io.manafold.api.rdma.SendOpcode.SEND_WITH_INV, i, signaled, 0, 0, key);
                                    default -> list.send(i, signaled);
                                }
                                if (i < 5) {
                                    list.piece(own.address() + Verbs.PLACES[place][0], own.localKey(),
                                            Verbs.PLACES[place][1]);
                                }
                            }
                            verbs.said.append(turn == 0 ? names[i] : turns[turn]).append(": ");
                            try {
                                pair.post(list);
                                verbs.poll();
                                verbs.said.append(verbs.completions.status(0).label());
                            } catch (io.manafold.api.refusal.Refusal refused) {
                                verbs.said.append(refused.errno());
                            }
                            verbs.said.append('\\n');
                        }
                    }
                }
                verbs.judge();
            } catch (Throwable wrong) {
                verbs.said.append(wrong);
            }
            verbs.tell();
            """;

    private final Path folder;
    private final String serving;
    private final String address;
    private final String asking;

    /**
     * @param folder where they write, and where they are made
     * @param serving the platform of the one, which is at this address
     * @param asking the platform of the other
     */
    BorrowedVerbs(Path folder, String serving, String address, String asking) {
        this.folder = folder;
        this.serving = serving;
        this.address = address;
        this.asking = asking;
    }

    void serve() throws IOException {
        drop(SERVES, serving);
    }

    void ask() throws IOException {
        drop(ASKS, asking);
    }

    /** Where the bundle of a platform writes. */
    Path told(String platform) {
        return folder.resolve(serving + "-" + asking + "-told-in-" + platform);
    }

    private Path jar(String platform) {
        return folder.resolve(platform + "/drivers/verbs-" + serving + "-" + asking + ".jar");
    }

    private void drop(String code, String platform) throws IOException {
        String name = jar(platform).getFileName().toString();
        Path jar = Files.createDirectories(folder.resolve("work/jars-" + platform)).resolve(name);
        String start = (PREAMBLE + BEGINS.replace("CODE", code)).replace("FILE", told(platform).toString())
                .replace("ADDRESS", address);
        ActivatorJar.make(jar, name.replace(".jar", ""), start, "", List.of("io.manafold.api.rdma",
                "io.manafold.api.memory", "io.manafold.api.refusal"));
        Files.copy(jar, jar(platform));
    }

    void takeBack() throws IOException {
        Files.delete(jar(serving));
        Files.delete(jar(asking));
    }
}
