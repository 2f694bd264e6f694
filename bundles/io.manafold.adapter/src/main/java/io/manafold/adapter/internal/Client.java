package io.manafold.adapter.internal;

import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.RequestHead;
import java.util.Map;

/**
 * One of those whom a driver asks through the hardware channel: the function as a whole, or a device of its list.
 * Control agent only.
 */
interface Client {
    /** As the list of devices has it; {@link DeviceId#NONE} for the function. */
    DeviceId device();

    /** Whether a command is one of its own. */
    boolean knows(Command command);

    /**
     * Carries a command of its own out.
     *
     * @throws CommandException with nothing done
     */
    Reply reply(Command command, RequestHead head, Message request);

    /**
     * Ends all that was made with its commands; on return nothing of that touches memory any more. Returns how much
     * that was.
     */
    default int end() {
        return 0;
    }

    /** What there is of that, by name. */
    default void usage(Map<String, Long> into) {
    }

    /** Makes a client for a function that a driver has taken. */
    @FunctionalInterface
    interface Maker {
        /** @param registration how the driver has taken its device */
        Client make(FunctionParts hardware, FunctionObjects objects, Registration registration);
    }
}
