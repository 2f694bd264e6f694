package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Events on their way to one listener. */
final class EventStream implements AsyncEvents {
    private static final int MOST = 256;

    private final BlockingQueue<AsyncEvent> waiting = new ArrayBlockingQueue<>(MOST);
    private final AtomicLong lost = new AtomicLong();
    private final Consumer<EventStream> closing;

    EventStream(Consumer<EventStream> closing) {
        this.closing = closing;
    }

    /** Never blocks. */
    void add(AsyncEvent event) {
        while (!waiting.offer(event)) {
            if (waiting.poll() != null) {
                lost.incrementAndGet();
            }
        }
    }

    @Override
    public Optional<AsyncEvent> next(Duration limit) throws InterruptedException {
        return Optional.ofNullable(waiting.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public long lost() {
        return lost.get();
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
