package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.ReceiveQueue;
import io.manafold.adapter.internal.ethernet.SendQueue;
import io.manafold.adapter.internal.ethernet.Steering;
import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Feature;
import io.manafold.gdma.Limits;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.CreateWqObject.EventHolding;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.gdma.message.FenceRq;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.QueryDeviceConfig;
import io.manafold.gdma.message.QueryLinkConfig;
import io.manafold.gdma.message.QueryPhyStatistics;
import io.manafold.gdma.message.QueryPortStatistics;
import io.manafold.gdma.message.QueryStatistics;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.gdma.message.RequestHead;
import io.manafold.gdma.message.SetBandwidthClamp;
import java.util.Arrays;

/** The Ethernet device: its ports, their queues, steering, speed, statistics. */
final class EthernetClient implements Client {
    static final int INDIRECTION = Limits.DEFAULT_INDIRECTION;

    private static final long FIRST_VPORT = 0x900;
    private static final long MEGABIT = 1_000_000;
    /** After how long frames that wait for company are told of. */
    private static final int COALESCING_NANOS = 2048;

    private final FunctionParts hardware;
    private final FunctionObjects objects;
    private final Registration registration;
    private final WorkObjects works;
    private final int[] domains;
    private final int[] pages;
    private final ShaperCommands shapers;

    EthernetClient(FunctionParts hardware, FunctionObjects objects, Registration registration) {
        this.hardware = hardware;
        this.objects = objects;
        this.registration = registration;
        this.works = new WorkObjects(hardware, objects);
        this.domains = new int[hardware.ports().size()];
        this.pages = new int[hardware.ports().size()];
        Arrays.fill(domains, Limits.NO_ID);
        Arrays.fill(pages, registration.page());
        this.shapers = new ShaperCommands(works, hardware.budget(), this::port, hardware.settings().queues());
    }

    @Override
    public DeviceId device() {
        return DeviceId.ETHERNET;
    }

    @Override
    public boolean knows(Command command) {
        return command.isEthernet();
    }

    @Override
    public Reply reply(Command command, RequestHead head, Message request) {
        return command.isShaper() ? shapers.reply(command, request) : switch (command) {
            case QUERY_DEVICE_CONFIG -> deviceConfig(QueryDeviceConfig.decode(request));
            case QUERY_VPORT_CONFIG -> vportConfig(QueryVportConfig.decode(request).index());
            case QUERY_STATISTICS -> statistics(QueryStatistics.decode(request).mask());
            case QUERY_PORT_STATISTICS -> statistics(QueryPortStatistics.decode(request));
            case QUERY_PHY_STATISTICS -> physical(QueryPhyStatistics.decode(request).mask());
            case QUERY_LINK_CONFIG -> linkConfig(port(QueryLinkConfig.decode(request).vport()));
            case SET_BANDWIDTH_CLAMP -> clamp(SetBandwidthClamp.decode(request));
            case CONFIGURE_VPORT_TX -> transmit(ConfigureVportTx.decode(request));
            case CONFIGURE_VPORT_RX -> receive(ConfigureVportRx.decode(request));
            case CREATE_WQ_OBJECT -> create(CreateWqObject.decode(request));
            case DESTROY_WQ_OBJECT -> destroy(DestroyWqObject.decode(request));
            case FENCE_RQ -> fence(FenceRq.decode(request).object());
            default -> throw new CommandException(Status.UNSUPPORTED, "a virtual function has no " + command.label(),
                    "do without it, as the answer's status asks");
        };
    }

    private Reply deviceConfig(QueryDeviceConfig asked) {
        long flags = hardware.firmware().pairsFrames() ? Feature.EIGHT_FRAMES : 0;
        return Reply.of(new QueryDeviceConfig.Result(flags, 0, 0, 0, hardware.ports().size(), 0,
                hardware.settings().limits().most(ObjectLimit.EVENT_QUEUES), hardware.settings().frame()));
    }

    private Reply vportConfig(int index) {
        if (index < 0 || index >= hardware.ports().size()) {
            throw CommandException.missing("the vPort", Integer.toUnsignedLong(index), "ask for 0 to "
                    + (hardware.ports().size() - 1));
        }
        int queues = hardware.settings().queues();
        return Reply.of(new QueryVportConfig.Result(queues, queues, INDIRECTION,
                hardware.settings().macs().get(index), FIRST_VPORT + index));
    }

    private Reply statistics(long mask) {
        long[] words = new long[EthernetPort.STATISTICS];
        hardware.ports().forEach(port -> port.addStatistics(words));
        return Reply.of(new QueryStatistics.Result(mask & Counter.ALL, words));
    }

    private Reply statistics(QueryPortStatistics asked) {
        long[] words = new long[EthernetPort.STATISTICS];
        port(asked.vport()).addStatistics(words);
        return Reply.of(new QueryStatistics.Result(asked.mask() & Counter.ALL, words));
    }

    private Reply physical(long mask) {
        long[] words = new long[EthernetPort.PHYSICAL];
        hardware.ports().forEach(port -> port.addPhysical(words));
        return Reply.of(new QueryPhyStatistics.Result(mask, words));
    }

    private Reply linkConfig(EthernetPort port) {
        long now = port.clamp() == 0 ? port.speed() : port.clamp();
        return Reply.of(new QueryLinkConfig.Result((int) (port.speed() / MEGABIT), false, (int) (now / MEGABIT)));
    }

    private Reply clamp(SetBandwidthClamp asked) {
        EthernetPort port = port(asked.vport());
        long rate = Integer.toUnsignedLong(asked.rate()) * MEGABIT;
        switch (asked.enable()) {
            case 0 -> port.clamp(0);
            case 1 -> {
                if (rate == 0 || rate > port.speed()) {
                    throw CommandException.invalid("a clamp is at least 1 Mbit/s and at most the speed of the port, "
                            + port.speed() / MEGABIT + " Mbit/s", "choose a rate in between");
                }
                port.clamp(rate);
            }
            default -> throw CommandException.invalid("a clamp is set with 1 and taken away with 0, not with "
                    + asked.enable(), "write 0 or 1");
        }
        return Reply.of(new SetBandwidthClamp.Result(false));
    }

    private EthernetPort port(long vport) {
        return hardware.ports().get(index(vport));
    }

    private int index(long vport) {
        long index = vport - FIRST_VPORT;
        if (index < 0 || index >= hardware.ports().size()) {
            throw CommandException.missing("the vPort handle", vport,
                    "use the handle that query-vport-config has answered");
        }
        return (int) index;
    }

    private Reply transmit(ConfigureVportTx asked) {
        int index = index(asked.vport());
        EthernetPort port = hardware.ports().get(index);
        if (!objects.domains().isUsable(asked.protectionDomain(), device())) {
            throw CommandException.missing("the protection domain", Integer.toUnsignedLong(asked.protectionDomain()),
                    "use the one that register-device has answered");
        }
        if (!objects.pages().isUsable(asked.doorbellPage(), registration.page())) {
            throw CommandException.missing("the doorbell page", Integer.toUnsignedLong(asked.doorbellPage()),
                    "use the one that register-device has answered");
        }
        if (works.isUsedByOther(port, asked.protectionDomain())) {
            throw new CommandException(Status.BUSY, port.name() + " has queues of another protection domain",
                    "destroy those first");
        }
        pages[index] = asked.doorbellPage();
        domains[index] = asked.protectionDomain();
        port.transmitVia(asked.protectionDomain(), asked.doorbellPage(), 0);
        return Reply.of(new ConfigureVportTx.Result(0, true));
    }

    private Reply receive(ConfigureVportRx asked) {
        EthernetPort port = port(asked.vport());
        Boolean enable = switch (asked.receive()) {
            case ConfigureVportRx.OFF -> Boolean.FALSE;
            case ConfigureVportRx.ON -> Boolean.TRUE;
            case ConfigureVportRx.LEAVE -> null;
            default -> throw CommandException.invalid(
                    "receiving is switched off with 0, on with 1, left with 0xffffffff, not "
                    + "with 0x" + Integer.toHexString(asked.receive()), "write one of those");
        };
        if (asked.rss() != 0 && asked.rss() != 1) {
            throw CommandException.invalid("spreading is switched off with 0 and on with 1, not with 0x"
                    + Integer.toHexString(asked.rss()), "write one of those");
        }
        if (asked.frames() > 1 && !hardware.firmware().coalesces()) {
            throw new CommandException(Status.UNSUPPORTED,
                    "the firmware " + hardware.firmware() + " knows completions of "
                    + "several frames", "leave coalescing off");
        }
        ReceiveQueue defaultQueue = asked.updateDefault() ? queue(port, asked.defaultQueue()) : null;
        port.steer(new Steering(enable, asked.rss() == 1, asked.updateDefault(), defaultQueue,
                asked.updateKey() ? asked.key() : null, asked.updateTable() ? table(port, asked.table()) : null,
                together(asked.frames())));
        return Reply.of(new ConfigureVportRx.Result(COALESCING_NANOS));
    }

    /** What an older firmware is told of eight, it does not hear. */
    private int together(int asked) {
        return Math.min(asked, hardware.firmware().mostFrames());
    }

    private ReceiveQueue[] table(EthernetPort port, long[] handles) {
        if (handles.length != INDIRECTION) {
            throw CommandException.invalid("an indirection table has " + INDIRECTION + " entries, not "
                    + handles.length, "send as many as query-vport-config has answered");
        }
        ReceiveQueue[] table = new ReceiveQueue[handles.length];
        for (int i = 0; i < handles.length; i++) {
            table[i] = queue(port, handles[i]);
        }
        return table;
    }

    private ReceiveQueue queue(EthernetPort port, long handle) {
        WorkObject work = works.work(handle);
        if (work.isSend() || work.port() != port) {
            throw CommandException.invalid("frames are steered to receive queues of the same port, which object 0x"
                    + Long.toHexString(handle) + " is not", "use the handle of one of " + port.name());
        }
        return work.receive();
    }

    private Reply create(CreateWqObject asked) {
        int index = index(asked.vport());
        if (asked.type() != QueueType.SEND && asked.type() != QueueType.RECEIVE) {
            throw CommandException.invalid("a work queue object is of type 1, to send, or 2, to receive, not "
                    + asked.type(), "write one of those");
        }
        FunctionObjects.checkSize("work queue", asked.workBytes());
        FunctionObjects.checkCompletions(asked.completionBytes());
        int pd = objects.domains().isUsable(domains[index], device()) ? domains[index] : registration.pd();
        if (pd == Limits.NO_ID) {
            throw new CommandException(Status.DENIED, "a device is registered before it gets queues",
                    "send register-device and configure-vport-tx first");
        }
        Region workRegion = objects.regions().get(asked.workRegion());
        Region completionRegion = objects.regions().get(asked.completionRegion());
        if (workRegion == completionRegion) {
            throw CommandException.invalid("a work queue and its completion queue have a region each",
                    "describe two regions");
        }
        EventHolding holding = holding(asked.holding());
        EventQueue events = asked.parentEventQueue() == Limits.NO_PARENT ? null
                : objects.events().get(asked.parentEventQueue(), device());
        QueueMemory ring = objects.queueMemory(workRegion, asked.workBytes());
        QueueMemory completionRing = objects.queueMemory(completionRegion, asked.completionBytes());
        boolean send = asked.type() == QueueType.SEND;
        long bytes = FunctionObjects.queueBytes(asked.workBytes())
                + FunctionObjects.queueBytes(asked.completionBytes());
        int completionId = works.takeCompletion(bytes);
        int id = Limits.NO_ID;
        WorkObject work = null;
        try {
            id = works.takeWork(send);
            work = work(hardware.ports().get(index), send, id, pd, ring,
                    new CompletionQueue(completionId, completionRing, events, false), workRegion, completionRegion,
                    bytes);
        } finally {
            if (work == null) {
                works.giveBack(completionId, id, send, bytes);
            }
        }
        if (holding.wanted()) {
            work.completions().moderate(holding.micros(), holding.frames());
        }
        long handle = works.add(work, pages[index], hardware.firmware().moderatesEvents());
        return Reply.of(new CreateWqObject.Result(id, completionId, handle, holding));
    }

    /** What an older firmware is told of it, it does not hear. */
    private EventHolding holding(EventHolding asked) {
        if (!hardware.firmware().moderatesEvents() || !asked.wanted()) {
            return EventHolding.NONE;
        }
        if (asked.micros() > Limits.MODERATION_MICROS || asked.frames() > Limits.MODERATION_FRAMES) {
            throw CommandException.invalid("events are held back for " + Limits.MODERATION_MICROS + " us or "
                    + Limits.MODERATION_FRAMES + " completions at most, not for " + asked.micros() + " us or "
                    + asked.frames() + " completions", "ask for less");
        }
        return asked;
    }

    private WorkObject work(EthernetPort port, boolean send, int id, int pd, QueueMemory ring,
            CompletionQueue completions, Region workRegion, Region completionRegion, long bytes) {
        SendQueue sendQueue = send
                ? port.createSend(id, ring, completions, hardware.memory(), objects.keys(), pd) : null;
        ReceiveQueue receiveQueue = send ? null
                : port.createReceive(id, ring, completions, hardware.memory(), objects.keys(), pd);
        return new WorkObject(port, id, pd, sendQueue, receiveQueue, completions, workRegion, completionRegion, bytes);
    }

    private Reply destroy(DestroyWqObject asked) {
        WorkObject work = works.work(asked.object());
        if (asked.type() != (work.isSend() ? QueueType.SEND : QueueType.RECEIVE)) {
            throw CommandException.invalid("the message names the type of the object, " + (work.isSend() ? 1 : 2)
                    + ", not " + asked.type(), "write the type that it was created with");
        }
        works.end(asked.object());
        if (work.isSend() && !works.hasSenders(work.port())) {
            // who sends there is said anew at the next opening
            int index = hardware.ports().indexOf(work.port());
            domains[index] = Limits.NO_ID;
            pages[index] = registration.page();
        }
        return Reply.DONE;
    }

    private Reply fence(long handle) {
        WorkObject work = works.work(handle);
        if (work.isSend()) {
            throw CommandException.invalid("a fence is for a receive queue, which object 0x" + Long.toHexString(handle)
                    + " is not", "use the handle of a receive queue");
        }
        work.port().fence(work.receive());
        return Reply.DONE;
    }

    @Override
    public int end() {
        int ended = works.end();
        Arrays.fill(domains, Limits.NO_ID);
        Arrays.fill(pages, registration.page());
        return ended;
    }
}
