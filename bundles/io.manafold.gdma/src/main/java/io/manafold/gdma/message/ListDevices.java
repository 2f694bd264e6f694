package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import java.util.ArrayList;
import java.util.List;

/** Asks which devices the function has. */
public record ListDevices() implements Request<ListDevices.Result> {
    public static ListDevices decode(Message message) {
        message.require(Command.LIST_DEVICES.requestSize(), Command.LIST_DEVICES);
        return new ListDevices();
    }

    @Override
    public Command command() {
        return Command.LIST_DEVICES;
    }

    @Override
    public void encode(Message message) {
        // the head says it all
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The devices of the function.
     *
     * @param devices at most {@link Limits#DEVICES}, without the holes that the list may have
     */
    public record Result(List<DeviceId> devices) implements Response {
        public Result {
            devices = List.copyOf(devices);
            if (devices.size() > Limits.DEVICES) {
                throw new IllegalArgumentException("at most " + Limits.DEVICES + " devices, not " + devices.size());
            }
        }

        /** Reads as many as the list counts, or as there are. */
        public static Result decode(Message message) {
            int count = message.i32(0x20);
            List<DeviceId> devices = new ArrayList<>();
            for (int k = 0; k < Limits.DEVICES && Integer.compareUnsigned(devices.size(), count) < 0; k++) {
                int at = 0x28 + 4 * k;
                if (at + 4 > message.length()) {
                    break;
                }
                DeviceId device = DeviceId.of(message.i32(at));
                if (!device.equals(DeviceId.NONE)) {
                    devices.add(device);
                }
            }
            return new Result(devices);
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, devices.size());
            for (int k = 0; k < devices.size(); k++) {
                message.put32(0x28 + 4 * k, devices.get(k).word());
            }
        }
    }
}
