package io.manafold.adapter.internal;

import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.RequestHead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The devices of a function's list, and who has taken which. Control agent only. */
final class Clients {
    private final FunctionObjects objects;
    private final Map<DeviceId, Client> byDevice = new LinkedHashMap<>();
    private final Map<DeviceId, Registration> registrations = new LinkedHashMap<>();

    Clients(FunctionParts hardware, FunctionObjects objects) {
        this.objects = objects;
        int page = DoorbellPages.FIRST_DEVICE;
        for (Client.Maker maker : hardware.clients()) {
            Registration registration = new Registration(objects, page++);
            Client client = maker.make(hardware, objects, registration);
            byDevice.put(client.device(), client);
            registrations.put(client.device(), registration);
        }
    }

    /** The list that a driver gets, the hardware channel first. */
    List<DeviceId> list() {
        List<DeviceId> list = new ArrayList<>(List.of(DeviceId.CHANNEL));
        list.addAll(byDevice.keySet());
        return list;
    }

    private Registration registration(DeviceId device) {
        Registration found = registrations.get(device);
        if (found == null) {
            throw new CommandException(Status.NOT_FOUND,
                    "the message names a device of the list: " + device + " is none",
                    "name a device that list-devices has answered");
        }
        return found;
    }

    Registration register(DeviceId device) {
        Registration registration = registration(device);
        registration.take(device);
        return registration;
    }

    /**
     * Gives a device back, and with it all that was made for it and for no other. Returns how many queues that were.
     */
    int deregister(DeviceId device) {
        Registration registration = registration(device);
        int left = byDevice.get(device).end() + objects.events().endOf(device);
        registration.giveBack();
        return left;
    }

    /** The RDMA device, or {@code null} if there is none. */
    RdmaClient rdma() {
        return byDevice.get(DeviceId.RDMA) instanceof RdmaClient rdma ? rdma : null;
    }

    boolean isTaken(DeviceId device) {
        Registration found = registrations.get(device);
        return found != null && found.isTaken();
    }

    /** The doorbell page of a device that a driver has taken. */
    int page(DeviceId device) {
        return registration(device).page();
    }

    /** Has the device that a message names carry it out; refused if it is none or the command is not its own. */
    Reply reply(Command command, RequestHead head, Message request) {
        Client client = byDevice.get(head.device());
        if (client == null || !client.knows(command)) {
            throw new CommandException(Status.NOT_FOUND, "the message " + command.label()
                    + " is for a device that knows it, not for " + head.device(),
                    "name the device as list-devices has answered it");
        }
        return client.reply(command, head, request);
    }

    /** Ends all there is; on return no queue touches memory any more. */
    void end() {
        byDevice.forEach((device, client) -> FunctionObjects.undo(device.toString(), client::end));
        objects.events().end();
        registrations.values().forEach(Registration::giveBack);
    }

    void usage(Map<String, Long> into) {
        byDevice.values().forEach(client -> client.usage(into));
    }
}
