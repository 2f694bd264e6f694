package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.api.adapter.Adapter.DriverFeature;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Feature;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.AddDmaRegionPages;
import io.manafold.gdma.message.AllocateResourceRange;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.DestroyDmaRegion;
import io.manafold.gdma.message.DestroyMr;
import io.manafold.gdma.message.DestroyPd;
import io.manafold.gdma.message.DestroyResourceRange;
import io.manafold.gdma.message.DisableQueue;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.GenerateTestEvent;
import io.manafold.gdma.message.ListDevices;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.QueryChannelTimeout;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.gdma.message.RegisterDevice;
import io.manafold.gdma.message.RequestHead;
import io.manafold.gdma.message.VerifyVersion;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The function as a whole: who is there, memory, event queues. Its commands name no device, or one of the list that
 * they are about.
 */
final class FunctionClient implements Client {
    private static final long PROTOCOL = 1;
    /** How long a driver is to wait for an answer. */
    private static final int TIMEOUT_MILLIS = 30_000;
    /** Resource type: doorbell pages. */
    private static final int DOORBELL_PAGES = 27;
    /** Of a protection domain: the function's own addresses may be registered. */
    private static final int PHYSICAL = 1;

    private final FunctionParts hardware;
    private final FunctionObjects objects;
    private final Clients clients;
    private final EventQueue channelEvents;
    private volatile String system;
    private volatile Set<DriverFeature> features = Set.of();

    FunctionClient(FunctionParts hardware, FunctionObjects objects, Clients clients, EventQueue channelEvents) {
        this.hardware = hardware;
        this.objects = objects;
        this.clients = clients;
        this.channelEvents = channelEvents;
    }

    /** What the driver has told of the system that it runs on, or {@code null}. Any thread. */
    String system() {
        return system;
    }

    /** What the driver has said that it does when it is told to. Any thread. */
    Set<DriverFeature> features() {
        return features;
    }

    private static Set<DriverFeature> features(long flags) {
        Set<DriverFeature> all = EnumSet.noneOf(DriverFeature.class);
        if ((flags & Feature.LINK_EVENTS) != 0) {
            all.add(DriverFeature.LINK_EVENTS);
        }
        if ((flags & Feature.SELF_RESET) != 0) {
            all.add(DriverFeature.SELF_RESET);
        }
        if ((flags & Feature.RECONFIGURATION) != 0) {
            all.add(DriverFeature.RECONFIGURATION);
        }
        return Collections.unmodifiableSet(all);
    }

    @Override
    public DeviceId device() {
        return DeviceId.NONE;
    }

    @Override
    public boolean knows(Command command) {
        return command.code() >>> 16 == 0;
    }

    @Override
    public Reply reply(Command command, RequestHead head, Message request) {
        return switch (command) {
            case VERIFY_VERSION -> verify(VerifyVersion.decode(request));
            case QUERY_MAX_RESOURCES -> Reply.of(resources());
            case LIST_DEVICES -> Reply.of(new ListDevices.Result(clients.list()));
            case REGISTER_DEVICE -> register(head.device());
            case DEREGISTER_DEVICE -> deregister(head.device());
            case QUERY_CHANNEL_TIMEOUT -> {
                QueryChannelTimeout.decode(request);
                yield Reply.of(new QueryChannelTimeout.Result(TIMEOUT_MILLIS));
            }
            case GENERATE_TEST_EVENT -> test(head.device(), GenerateTestEvent.decode(request).eventQueue());
            case CREATE_QUEUE -> create(head.device(), CreateQueue.decode(request));
            case DISABLE_QUEUE -> disable(head.device(), DisableQueue.decode(request));
            case CREATE_DMA_REGION -> {
                Region region = objects.regions().create(CreateDmaRegion.decode(request));
                yield new Reply(listStatus(region), new CreateDmaRegion.Result(region.handle()), null);
            }
            case ADD_DMA_REGION_PAGES -> new Reply(
                    listStatus(objects.regions().add(AddDmaRegionPages.decode(request))), Done.DONE, null);
            case DESTROY_DMA_REGION -> {
                objects.regions().destroy(DestroyDmaRegion.decode(request).region());
                yield Reply.DONE;
            }
            case CREATE_PD -> {
                int pd = objects.domains().create((CreatePd.decode(request).flags() & PHYSICAL) != 0);
                yield Reply.of(new CreatePd.Result(objects.domains().handle(pd), pd));
            }
            case DESTROY_PD -> {
                objects.domains().destroy(DestroyPd.decode(request).handle());
                yield Reply.DONE;
            }
            case CREATE_MR -> Reply.of(objects.domains().register(CreateMr.decode(request)));
            case DESTROY_MR -> {
                objects.domains().deregister(DestroyMr.decode(request).handle());
                // what an agent has found by the key just before, it may be copying still
                hardware.ports().forEach(port -> FunctionObjects.undo(port.name(), port::settle));
                yield Reply.DONE;
            }
            case ALLOCATE_RESOURCE_RANGE -> allocate(AllocateResourceRange.decode(request));
            case DESTROY_RESOURCE_RANGE -> free(DestroyResourceRange.decode(request));
            default -> throw new CommandException(Status.UNSUPPORTED, "this adapter has no " + command.label(),
                    "do without it, as the answer's status asks");
        };
    }

    private static int listStatus(Region region) {
        return region.isComplete() ? Status.SUCCESS : Status.MORE_ENTRIES;
    }

    private Reply verify(VerifyVersion asked) {
        if (Long.compareUnsigned(asked.lowest(), PROTOCOL) > 0
                || Long.compareUnsigned(asked.highest(), PROTOCOL) < 0) {
            throw CommandException.invalid("protocol version " + PROTOCOL
                    + " lies between the lowest and the highest of the driver", "offer version " + PROTOCOL);
        }
        system = (asked.system() + " " + asked.release() + " " + asked.build()).strip();
        features = features(asked.flags1());
        long flags = Feature.SHARED_EVENT_QUEUES | Feature.VARIABLE_INDIRECTION | Feature.DYNAMIC_VECTORS;
        if (hardware.firmware().knows(Command.QUERY_CHANNEL_TIMEOUT)) {
            flags |= Feature.CHANNEL_TIMEOUT;
        }
        if (hardware.firmware().sendsEvents()) {
            flags |= Feature.LINK_EVENTS | Feature.SELF_RESET | Feature.RECONFIGURATION;
        }
        if (hardware.firmware().moderatesEvents()) {
            flags |= Feature.EVENT_MODERATION;
        }
        return Reply.of(new VerifyVersion.Result(PROTOCOL, flags, 0, 0,
                Feature.PORT_STATISTICS | (hardware.settings().shapers() ? Feature.SHAPER_TREES : 0)));
    }

    private QueryMaxResources.Result resources() {
        ObjectLimits limits = hardware.settings().limits();
        return new QueryMaxResources.Result(limits.most(ObjectLimit.SEND_QUEUES),
                limits.most(ObjectLimit.RECEIVE_QUEUES), limits.most(ObjectLimit.COMPLETION_QUEUES),
                limits.most(ObjectLimit.EVENT_QUEUES), limits.most(ObjectLimit.DOORBELL_PAGES),
                limits.most(ObjectLimit.MEMORY_KEYS), 0, 0, hardware.vectors().count());
    }

    private Reply register(DeviceId device) {
        Registration registration = clients.register(device);
        return Reply.of(new RegisterDevice.Result(registration.pd(), registration.key(), registration.page()));
    }

    private Reply deregister(DeviceId device) {
        int left = clients.deregister(device);
        if (left > 0) {
            hardware.rejections().note(Channel.NAME, new byte[0], "a device has no queues when it is given back",
                    "destroy its queues first", left + " queues were ended with it");
        }
        return Reply.DONE;
    }

    private Reply test(DeviceId device, int id) {
        if (id == Channel.EVENT_QUEUE && !device.equals(DeviceId.CHANNEL)) {
            throw CommandException.invalid("the message names the device that event queue " + id + " belongs to: "
                    + DeviceId.CHANNEL, "name that device");
        }
        EventQueue queue = id == Channel.EVENT_QUEUE ? channelEvents : objects.events().get(id, device);
        return Reply.then(() -> queue.post(EventEntry.TEST, 0));
    }

    private Reply create(DeviceId device, CreateQueue asked) {
        if (asked.type() != QueueType.EVENT) {
            throw CommandException.invalid("this message makes event queues, of type " + QueueType.EVENT,
                    "make the queues of a port with create-wq-object");
        }
        if (!clients.isTaken(device)) {
            throw new CommandException(Status.DENIED,
                    "a device is registered before it gets queues; " + device + " is not",
                    "send register-device first, and name the device in the message");
        }
        if (!objects.domains().isUsable(asked.protectionDomain(), device)) {
            throw CommandException.missing("the protection domain", Integer.toUnsignedLong(asked.protectionDomain()),
                    "use the one that register-device has answered");
        }
        if (!objects.pages().isUsable(asked.doorbellPage(), clients.page(device))) {
            throw CommandException.missing("the doorbell page", Integer.toUnsignedLong(asked.doorbellPage()),
                    "use the one that register-device has answered");
        }
        if (asked.vector() < 0 || asked.vector() >= hardware.vectors().count()) {
            throw CommandException.invalid("a vector is below " + hardware.vectors().count() + ", not "
                    + Integer.toUnsignedLong(asked.vector()), "choose one of the function's vectors");
        }
        return Reply.of(new CreateQueue.Result(objects.events().create(device, asked)));
    }

    private Reply disable(DeviceId device, DisableQueue asked) {
        if (asked.type() != QueueType.EVENT) {
            throw CommandException.invalid("this message ends event queues, of type " + QueueType.EVENT,
                    "end the queues of a port with destroy-wq-object");
        }
        EventQueue queue = objects.events().get(asked.queue(), device);
        int dependents = objects.events().dependents(queue);
        objects.events().end(asked.queue());
        if (dependents > 0) {
            // the driver gives the memory back whatever is answered
            hardware.rejections().note("event queue " + asked.queue(), new byte[0],
                    "an event queue ends after the completion queues that name it", "end those first",
                    "it was ended; " + dependents + " completion queues have no events any more");
        }
        return Reply.DONE;
    }

    private Reply allocate(AllocateResourceRange asked) {
        requirePages(asked.type());
        int first = objects.pages().take(asked.count(), asked.alignment());
        if (first < 0) {
            throw CommandException.exhausted("doorbell pages", objects.pages().most());
        }
        return Reply.of(new AllocateResourceRange.Result(first));
    }

    private Reply free(DestroyResourceRange asked) {
        requirePages(asked.type());
        if (!objects.pages().free(asked.first(), asked.count())) {
            throw CommandException.missing("the range of doorbell pages from", Integer.toUnsignedLong(asked.first()),
                    "give back what allocate-resource-range has answered");
        }
        return Reply.DONE;
    }

    private static void requirePages(int type) {
        if (type != DOORBELL_PAGES) {
            throw CommandException.invalid("ranges are of resource type " + DOORBELL_PAGES + ", doorbell pages, not "
                    + type, "ask for that type");
        }
    }
}
