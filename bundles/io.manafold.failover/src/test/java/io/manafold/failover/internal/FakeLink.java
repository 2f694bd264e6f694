package io.manafold.failover.internal;

import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.Plug;
import io.manafold.memory.RawMemory;
import java.lang.reflect.Proxy;

/** A link whose agent is the test's thread, with one companion. */
final class FakeLink implements CompanionWire {
    Plug companion;
    int sent;
    /** The frame that was sent last. */
    byte[] last = {};
    volatile boolean toPort;
    volatile boolean closed;
    private final Link link = (Link) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Link.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "plugBeside" -> {
                    companion = (Plug) arguments[1];
                    yield this;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> throw new UnsupportedOperationException(method.getName());
            });

    Link link() {
        return link;
    }

    /** A cycle of its agent. */
    void work() {
        companion.doWork();
    }

    @Override
    public void steerToPort(boolean now) {
        toPort = now;
    }

    @Override
    public void send(Frames frames) {
        sent += frames.count();
        int newest = frames.count() - 1;
        last = new byte[frames.length(newest)];
        int copied = 0;
        for (int piece = 0; piece < frames.pieces(newest); piece++) {
            for (int i = 0; i < frames.length(newest, piece); i++) {
                last[copied++] = (byte) RawMemory.get8(frames.address(newest, piece) + i);
            }
        }
    }

    @Override
    public void wake() {
        // the test works when it wants to
    }

    @Override
    public void execute(Runnable command) {
        command.run();
    }

    @Override
    public void close() {
        closed = true;
    }
}
