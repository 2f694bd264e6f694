package io.manafold.adapter.internal;

import io.manafold.gdma.Command;
import io.manafold.gdma.Limits;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** How much firmware of a month allows at most, as the adapter itself asks it. */
enum FirmwareLimit {
    PORTS(_ -> AdapterSettings.MOST_PORTS, "ports of an adapter"),
    QUEUES(_ -> AdapterSettings.MOST_QUEUES, "pairs of queues of a port"),
    INDIRECTION_ENTRIES(_ -> EthernetClient.INDIRECTION, "entries of an indirection table"),
    MESSAGE_BYTES(_ -> Limits.MESSAGE, "bytes of a message of the hardware channel"),
    FRAME_BYTES(firmware -> firmware.deviceConfigVersion() > 1 ? AdapterSettings.LONGEST_FRAME
            : AdapterSettings.SHORTEST_FRAME, "bytes of a frame, 14 of them its header, that a driver is told of, or "
            + "takes if it is told nothing"),
    RECEIVE_COMPLETION_FRAMES(Firmware::mostFrames, "frames that one receive completion tells of"),
    EVENT_HOLD_MICROSECONDS(firmware -> firmware.moderatesEvents() ? Limits.MODERATION_MICROS : 0,
            "microseconds that an event of a completion queue is held back"),
    EVENT_HOLD_COMPLETIONS(firmware -> firmware.moderatesEvents() ? Limits.MODERATION_FRAMES : 0,
            "completions for which an event is held back"),
    RDMA_PORTS(firmware -> firmware.knows(Command.CREATE_RDMA_ADAPTER) ? AdapterSettings.MOST_PORTS : 0,
            "ports that speak RDMA"),
    DEVICE_CONFIG_VERSION(Firmware::deviceConfigVersion, "version of the answer to query-device-config"),
    VPORT_RX_VERSION(Firmware::steeringVersion, "version of the answer to configure-vport-rx"),
    WQ_OBJECT_VERSION(Firmware::pairVersion, "version of the answer to create-wq-object");

    private final ToLongFunction<Firmware> value;
    private final String meaning;

    FirmwareLimit(ToLongFunction<Firmware> value, String meaning) {
        this.value = value;
        this.meaning = meaning;
    }

    long of(Firmware firmware) {
        return value.applyAsLong(firmware);
    }

    String meaning() {
        return meaning;
    }

    /** {@code frame-bytes}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
