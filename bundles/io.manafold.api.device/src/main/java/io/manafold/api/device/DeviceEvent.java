package io.manafold.api.device;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Something that happened on the platform, told in a sentence. */
@ProviderType
public interface DeviceEvent {
    /**
     * Counts up by one per event, from 1. It never goes back: after a restart it goes on, after an end without order
     * further up.
     */
    long sequence();

    Instant time();

    Kind kind();

    /** The id of the device it is about. */
    Optional<String> device();

    /** The driver it is about. */
    Optional<DriverChoice> driver();

    String sentence();

    /**
     * Numbers of the sentence for programs, by name; most events have none. Of a swap: {@code gap_ms}, and as far as it
     * is known {@code frames_lost} and {@code buffers_out}.
     */
    default Map<String, Number> figures() {
        return Map.of();
    }

    /** What kind of thing happened. */
    enum Kind {
        DEVICE_ARRIVED, DEVICE_GONE, DRIVER_ARRIVED, DRIVER_GONE, BOUND, UNBOUND, SWAPPED, ROLLED_BACK, DEFERRED,
        PROBE_FAILED, STUCK, ADMINISTERED, SETTINGS_LOST, BUNDLE_INSTALLED, BUNDLE_UPDATED, BUNDLE_REMOVED,
        BUNDLE_REFUSED, /** A driver takes its device through a reset, and has it back. */
        RESET, RECOVERED,
        /** A virtual machine has connected to an export, and has left it. */
        GUEST_CONNECTED, GUEST_GONE,
        /** An administrator has set something on a port: its MTU, its channels, its rings, its link. */
        SETTING_CHANGED,
        /** A pair of a synthetic device and a virtual function sends and receives by the other one of them now. */
        PATH_SWITCHED,
        /** The links of a function have come, and have gone. */
        LINK_UP, LINK_DOWN,
        /**
         * An adapter has refused its driver something, by a rule, or since a budget is used up; or an export cannot use
         * the memory of its virtual machine.
         */
        REFUSED,
        /** What an adapter was to do wrong once has been done. */
        FAULT_SPENT,
        /** A limit on what a network device sends has been set, or has gone. */
        SHAPERS_CHANGED,
        /** A driver has stopped its device for now, as an administrator wanted, and has gone on with it. */
        SUSPENDED, RESUMED
    }
}
