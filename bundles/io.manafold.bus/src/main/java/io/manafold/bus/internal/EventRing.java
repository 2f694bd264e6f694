package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the last events and tells them to the commands that follow, on a thread that lives only while there is
 * news.
 */
// immediate, for a component that comes and goes with its users would forget what it is for
@Component(immediate = true)
public final class EventRing implements EventLog {
    private static final int CAPACITY = 1024;

    private static final Logger LOG = LoggerFactory.getLogger("events");

    private final ArrayDeque<DeviceEvent> ring = new ArrayDeque<>(CAPACITY);
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService teller;
    private final EventNumbers numbers;

    @Activate
    public EventRing(BundleContext context) {
        this(Bus.folder(context, ""));
    }

    EventRing(Path folder) {
        numbers = new EventNumbers(folder);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                task -> {
            Thread thread = new Thread(null, task, "manafold-events", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
        teller = pool;
        teller.execute(numbers::promise);
    }

    @Deactivate
    void stop() {
        teller.shutdownNow();
        numbers.end();
    }

    @Override
    public List<DeviceEvent> recent() {
        synchronized (ring) {
            return List.copyOf(ring);
        }
    }

    @Override
    public Subscription subscribe(Consumer<DeviceEvent> listener) {
        Listener entry = new Listener(listener);
        listeners.add(entry);
        return entry;
    }

    @Override
    public void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence) {
        post(kind, device, driver, sentence, Map.of());
    }

    @Override
    public void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence,
            Map<String, Number> figures) {
        Map<String, Number> kept = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        Event event;
        synchronized (ring) {
            event = new Event(numbers.next(), Instant.now(), kind, Optional.ofNullable(device),
                    Optional.ofNullable(driver), sentence, kept);
            if (ring.size() == CAPACITY) {
                ring.removeFirst();
            }
            ring.addLast(event);
            if (numbers.nearsPromise()) {
                enqueue(numbers::promise);
            }
            if (!listeners.isEmpty()) {
                // enqueued under the lock, so that followers see the order of the sequence numbers
                tell(event);
            }
        }
        LOG.info("{}", sentence);
    }

    private void tell(Event event) {
        enqueue(() -> listeners.forEach(listener -> listener.tell(event)));
    }

    private void enqueue(Runnable task) {
        try {
            teller.execute(task);
        } catch (RejectedExecutionException stopped) {
            listeners.clear();
        }
    }

    private record Event(long sequence, Instant time, Kind kind, Optional<String> device,
            Optional<DriverChoice> driver, String sentence, Map<String, Number> figures) implements DeviceEvent {
    }

    private final class Listener implements Subscription {
        private final Consumer<DeviceEvent> consumer;
        private volatile boolean closed;

        Listener(Consumer<DeviceEvent> consumer) {
            this.consumer = consumer;
        }

        void tell(DeviceEvent event) {
            if (closed) {
                return;
            }
            try {
                consumer.accept(event);
            } catch (RuntimeException | Error thrown) {
                LOG.debug("a follower of the events is dropped", thrown);
                close();
            }
        }

        @Override
        public void close() {
            closed = true;
            listeners.remove(this);
        }
    }
}
