package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.SharedMemory.Establish;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.RequestHead;
import io.manafold.gdma.message.Response;
import io.manafold.memory.Reader;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that a driver has made, from the hardware channel's establishment to its end. Nothing of it outlives it; the next
 * session starts with a clean sheet. Control agent only, except for {@link #doorbells} and {@link #lastMessage}.
 */
final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    /** Something of ours went wrong. */

    private final FunctionParts hardware;
    private final Doorbells doorbells;
    private final Channel channel;
    private final FunctionObjects objects;
    private final Clients clients;
    private final FunctionClient function;
    private boolean linksUp = true;
    private boolean linksAnnounced;
    private volatile ChannelMessage lastMessage;

    Session(FunctionParts hardware, Reader reader, Establish asked, DriverProgress milestones, Runnable wake) {
        this.hardware = hardware;
        this.doorbells = new Doorbells(hardware.rejections(), milestones, hardware.settings().limits());
        this.objects = new FunctionObjects(hardware, doorbells);
        int pd = objects.domains().create(DeviceId.CHANNEL, true);
        this.channel = new Channel(hardware, reader, asked, objects.keys(), pd, doorbells, wake);
        this.clients = new Clients(hardware, objects);
        this.function = new FunctionClient(hardware, objects, clients, channel.events());
    }

    Doorbells doorbells() {
        return doorbells;
    }

    Channel channel() {
        return channel;
    }

    FunctionObjects objects() {
        return objects;
    }

    /** What there is, by name. */
    void usage(Map<String, Long> into) {
        objects.usage(into);
        clients.usage(into);
    }

    /** The RDMA device, or {@code null} if there is none. */
    RdmaClient rdma() {
        return clients.rdma();
    }

    /** What came through the channel last, or {@code null}. Any thread. */
    ChannelMessage lastMessage() {
        return lastMessage;
    }

    /** What the driver has told of the system that it runs on, or {@code null}. Any thread. */
    String system() {
        return function.system();
    }

    /** What the driver has said that it does when it is told to. Any thread. */
    Set<Adapter.DriverFeature> features() {
        return function.features();
    }

    /** Whether a driver has taken the Ethernet device. */
    boolean isRunning() {
        return clients.isTaken(DeviceId.ETHERNET);
    }

    long work() {
        return channel.work(this::carryOut);
    }

    private Channel.Outcome carryOut(Message request, Message response) {
        RequestHead head = RequestHead.decode(request);
        Command command = Command.of(head.command());
        Fault fault = hardware.faults().take(head.label());
        Reply reply;
        try {
            // what is to fail is not done: a driver gives back the memory of what it was refused
            reply = fault != null && fault.effect() == Fault.Effect.STATUS ? new Reply(fault.status(), null, null)
                    : reply(command, head, request);
        } catch (CommandException refused) {
            reply = refuse(head, request, refused.status(), refused.getMessage(), refused.right());
        } catch (Refusal refused) {
            reply = refuse(head, request, status(refused.errno()), refused.getMessage(),
                    "send the message as the contract has it");
        } catch (RuntimeException defect) {
            LOG.error("{} of {} failed", head.label(), hardware.settings().name(), defect);
            reply = new Reply(Status.INTERNAL_ERROR, null, null);
        }
        Response.write(response, head, reply.status(), reply.body());
        lastMessage = new ChannelMessage(Instant.now(), head.label(), reply.status(), Status.name(reply.status()));
        lowerVersion(command, response);
        announceLinks(command, reply);
        return new Channel.Outcome(fault, reply.after());
    }

    private Reply reply(Command command, RequestHead head, Message request) {
        if (command == null || !hardware.firmware().knows(command)
                || command.isShaper() && !hardware.settings().shapers()
                || command.isRdma() && hardware.engines().isEmpty()) {
            throw new CommandException(Status.UNSUPPORTED, "the firmware " + hardware.firmware() + " knows the message",
                    "do without " + head.label() + ", as the answer's status asks");
        }
        if (Integer.compareUnsigned(head.length(), request.length()) > 0
                || head.length() < RequestHead.SIZE) {
            throw new CommandException(Status.MALFORMED, "a message is as long as its head says: " + head.length()
                    + " bytes, not " + request.length(), "write the number of bytes sent into the head");
        }
        request.resize(head.length());
        return function.knows(command) ? function.reply(command, head, request) : clients.reply(command, head, request);
    }

    private Reply refuse(RequestHead head, Message request, int status, String rule, String right) {
        hardware.rejections().note(Channel.NAME + ", " + head.label(), request.bytes(0, request.length()), rule, right,
                "the answer has the status 0x" + Integer.toHexString(status) + " (" + Status.name(status) + ")");
        return new Reply(status, null, null);
    }

    private static int status(Errno errno) {
        return switch (errno) {
            case ENOSPC, ENOMEM -> Status.NO_RESOURCES;
            case EBUSY, ETIMEDOUT -> Status.BUSY;
            default -> Status.MALFORMED;
        };
    }

    /** An older firmware answers in an older version, and drivers then look at fewer fields. */
    private void lowerVersion(Command command, Message response) {
        int most = command == Command.QUERY_DEVICE_CONFIG ? hardware.firmware().deviceConfigVersion()
                : command == Command.CONFIGURE_VPORT_RX ? hardware.firmware().steeringVersion()
                : command == Command.CREATE_WQ_OBJECT ? hardware.firmware().pairVersion() : 0xffff;
        if (response.u16(0x08) > most) {
            response.put16(0x08, most);
        }
    }

    /** A driver believes in its links until it is told otherwise, which it hears from its first statistics on. */
    private void announceLinks(Command command, Reply reply) {
        if (!linksAnnounced && reply.status() == Status.SUCCESS
                && (command == Command.QUERY_STATISTICS || command == Command.CONFIGURE_VPORT_RX)) {
            linksAnnounced = true;
            boolean up = linksUp;
            linksUp = true;
            links(up);
        }
    }

    /** Whether any port is plugged in. The driver is told when that changes. */
    void links(boolean up) {
        boolean changed = linksUp != up;
        linksUp = up;
        if (changed && linksAnnounced && hardware.firmware().sendsEvents()) {
            channel.events().post(EventEntry.SOC_DATA,
                    EventEntry.typed(up ? EventEntry.SOC_LINK_UP : EventEntry.SOC_LINK_DOWN, 0));
        }
    }

    /** Ends all there is. On return nothing touches the driver's memory any more. */
    void close() {
        clients.end();
        channel.close();
        for (EthernetPort port : hardware.ports()) {
            if (port.clamp() != 0) {
                FunctionObjects.undo(port.name(), () -> port.clamp(0));
            }
            if (port.shapers() != 0) {
                FunctionObjects.undo(port.name(), () -> port.shape(shapers -> {
                    shapers.clear();
                    return shapers;
                }));
            }
        }
        hardware.budget().clear();
    }
}
