package io.manafold.api.device;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** The last events of the platform. Any thread may call; nothing here blocks. */
@ProviderType
public interface EventLog {
    /** What is remembered, oldest first. */
    List<DeviceEvent> recent();

    /**
     * Hands every further event to a listener, one at a time and in order, on a thread of the log. A listener that
     * throws is dropped.
     *
     * @return ends it; a call that is under way while {@code close} returns is the last
     */
    Subscription subscribe(Consumer<DeviceEvent> listener);

    /**
     * Adds an event.
     *
     * @param device the id of the device it is about, or {@code null}
     * @param driver the driver it is about, or {@code null}
     */
    void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence);

    /**
     * As the other, with numbers of the sentence for programs.
     *
     * @param figures as {@link DeviceEvent#figures} has them
     */
    default void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence,
            Map<String, Number> figures) {
        post(kind, device, driver, sentence);
    }

    /** A listener's registration. */
    @ProviderType
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
