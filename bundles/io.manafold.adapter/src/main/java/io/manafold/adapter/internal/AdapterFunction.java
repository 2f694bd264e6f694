package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.adapter.Fault;
import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.gdma.MemoryMap;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.SharedMemory.Establish;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;
import java.util.List;

/**
 * The adapter as drivers see it: a PCI function. Accesses to registers change a few words and wake the control agent,
 * which does all the rest.
 */
final class AdapterFunction implements PciFunction, AutoCloseable {
    private static final PciId ID = new PciId(MemoryMap.VENDOR, MemoryMap.VF, MemoryMap.VENDOR, MemoryMap.VF,
            MemoryMap.CLASS, 0);

    private final FunctionParts hardware;
    private final Aperture aperture = new Aperture();
    private final DriverProgress milestones = new DriverProgress();
    private final KeptCongestion congestion = new KeptCongestion(this);
    private final ConfigSpace config;
    private final VectorWindow vectorWindow;
    private final List<Bar> bars;
    private final ControlAgent control;
    private final Reader reader;
    private volatile Session session;
    private volatile boolean gone;
    /** Written by the control agent alone. */
    private volatile long sessions;

    AdapterFunction(FunctionParts hardware) {
        this.hardware = hardware;
        this.vectorWindow = new VectorWindow(hardware.vectors());
        this.bars = List.of(new Registers(this, aperture), vectorWindow);
        this.config = new ConfigSpace(ID, Registers.SIZE, VectorWindow.SIZE, hardware.vectors().count(),
                VectorWindow.PENDING, this::reset);
        String name = "manafold-adapter-" + hardware.settings().name();
        this.reader = Readers.open(name);
        this.control = new ControlAgent(name, this::work);
        control.start();
    }

    @Override
    public PciAddress address() {
        return hardware.settings().address();
    }

    @Override
    public PciId identity() {
        return ID;
    }

    @Override
    public int configSize() {
        return ConfigSpace.SIZE;
    }

    @Override
    public int readConfig(int offset, int width) {
        return gone ? -1 >>> 32 - 8 * Math.clamp(width, 1, 4) : config.read(offset, width);
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        if (!gone) {
            config.write(offset, width, value);
        }
    }

    @Override
    public List<Bar> bars() {
        return bars;
    }

    @Override
    public Interrupts interrupts() {
        return hardware.vectors();
    }

    @Override
    public DmaSpace dma() {
        return hardware.memory();
    }

    Rejections rejections() {
        return hardware.rejections();
    }

    ControlAgent control() {
        return control;
    }

    FunctionParts hardware() {
        return hardware;
    }

    /** How far the driver has come. */
    DriverProgress milestones() {
        return milestones;
    }

    KeptCongestion congestion() {
        return congestion;
    }

    /** What a driver has made, or {@code null} while there is no hardware channel. */
    Session session() {
        return session;
    }

    /** How many there have been. */
    long sessions() {
        return sessions;
    }

    void wake() {
        control.wake();
    }

    boolean isGone() {
        return gone;
    }

    /** Takes the function off the bus, or puts it back, as after power-on. */
    void setGone(boolean away) {
        if (away) {
            gone = true;
            reset();
            hardware.memory().clear();
        } else {
            reset();
            gone = false;
        }
    }

    @Override
    public void reset() {
        control.await(() -> {
            endSession();
            hardware.ports().forEach(EthernetPort::comeBack);
            aperture.reset();
            config.reset();
            vectorWindow.reset();
            hardware.vectors().forget();
        });
    }

    private long work() {
        int[] asked = aperture.request();
        if (asked != null) {
            aperture.answer(answer(asked));
        }
        Session now = session;
        long rest = now == null ? Long.MAX_VALUE : now.work();
        withholdCompletions();
        return Math.min(rest, hardware.faults().restNanos());
    }

    private void withholdCompletions() {
        for (Fault fault : hardware.faults().ofPorts()) {
            hardware.ports().stream().filter(port -> port.name().equals(fault.message())).findFirst()
                    .ifPresent(EthernetPort::withholdCompletion);
            hardware.faults().happened(fault, fault.message());
        }
    }

    private int answer(int[] asked) {
        int header = asked[SharedMemory.HEADER / 4];
        int type = SharedMemory.type(header);
        int status = SharedMemory.STATUS_OK;
        if (SharedMemory.isResponse(header)) {
            status = refuse(asked, "a request has bit 7 clear", "write the type of the request alone");
        } else if (type == SharedMemory.DESTROY) {
            endSession();
        } else if (type == SharedMemory.ESTABLISH) {
            endSession();
            status = establish(asked);
        } else {
            status = refuse(asked, "a request is of type 1, establish, or 2, destroy, not " + type,
                    "write one of those");
        }
        return SharedMemory.response(type, status);
    }

    private int establish(int[] asked) {
        Establish request = Establish.decode(asked);
        if (request.vector() >= hardware.vectors().count()) {
            return refuse(asked, "a vector is below " + hardware.vectors().count() + ", not " + request.vector(),
                    "use vector 0");
        }
        for (long page : new long[] {request.eventQueue(), request.completionQueue(), request.receiveQueue(),
            request.sendQueue()}) {
            if (hardware.memory().pointer(page, MemoryMap.PAGE, true) == 0) {
                return refuse(asked, "the channel's queues lie in memory that the function can reach and write; 0x"
                        + Long.toHexString(page) + " does not", "map it before the channel is established");
            }
        }
        congestion.restore();
        Session made = new Session(hardware, reader, request, milestones, control::wake);
        session = made;
        sessions++;
        made.channel().introduce();
        made.links(isPlugged());
        return SharedMemory.STATUS_OK;
    }

    private int refuse(int[] asked, String rule, String right) {
        byte[] bytes = new byte[MemoryMap.APERTURE];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (asked[i / 4] >> 8 * (i % 4));
        }
        hardware.rejections().note("shared memory", bytes, rule, right, "the answer has a status of failure");
        return SharedMemory.STATUS_INVALID;
    }

    private void endSession() {
        Session old = session;
        if (old != null) {
            // out of reach of doorbells first
            session = null;
            old.close();
            milestones.forget();
        }
    }

    /** The links of ports have changed; on the control agent. */
    void linksChanged() {
        Session now = session;
        if (now != null) {
            now.links(isPlugged());
        }
    }

    private boolean isPlugged() {
        return hardware.ports().stream().anyMatch(port -> port.status().link() != null);
    }

    /** Ends everything: the session, the ports, the thread, the mappings. A port that fails keeps nothing else. */
    @Override
    public void close() {
        gone = true;
        FunctionObjects.undo(hardware.settings().name(), this::reset);
        control.await(() -> hardware.ports().forEach(port -> FunctionObjects.undo(port.name(), port::close)));
        control.close();
        reader.close();
        hardware.memory().close();
    }
}
