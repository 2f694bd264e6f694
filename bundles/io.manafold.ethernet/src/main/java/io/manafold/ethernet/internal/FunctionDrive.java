package io.manafold.ethernet.internal;

import io.manafold.api.device.Binding;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.memory.DmaArena;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A function at work: its memory, its session, and a network device for each of its ports. */
final class FunctionDrive implements Binding {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionDrive.class);
    private static final long BASE = 0x1_0000_0000L;
    /** Used as it is needed. */
    private static final int MEMORY = 1 << 30;

    private final PciFunction function;
    private final Devices devices;
    private final DmaArena arena;
    private final FunctionSession session;
    private final List<Device> offered = new ArrayList<>();

    private FunctionDrive(PciFunction function, Devices devices) {
        this.function = function;
        this.devices = devices;
        arena = new DmaArena(function.dma(), "manafold-" + function.id(), BASE, MEMORY);
        try {
            session = new FunctionSession(function, arena, ChannelLimits.USUAL, this::event);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    /** Brings a function up with all its ports. */
    static FunctionDrive begin(PciFunction function, Devices devices) {
        FunctionDrive drive = new FunctionDrive(function, devices);
        try {
            for (int i = 0; i < drive.session.vports().size(); i++) {
                drive.offered.add(drive.bringUp(i));
            }
            drive.offered.forEach(devices::publish);
            return drive;
        } catch (RuntimeException refused) {
            drive.remove(Removal.UNBIND);
            throw refused;
        }
    }

    private Device bringUp(int index) {
        Port port = new Port(session, index, session.vports().get(index));
        byte[] key = new byte[Limits.HASH_KEY];
        new SecureRandom().nextBytes(key);
        int channels = Math.min(Math.min(port.maxChannels(), Limits.DEFAULT_QUEUES),
                Runtime.getRuntime().availableProcessors());
        PortConfig config = PortConfig.usual(channels, key);
        Devices.Place place = devices.take();
        PortControl[] control = new PortControl[1];
        DeviceAgent agent = new DeviceAgent(place.name(), arena, devices, (_, reason) -> {
            LOG.error("{}: {} The port stops.", place.name(), reason);
            control[0].trouble(reason);
        });
        PortLife life = new PortLife(place.name(), port, config, arena, agent);
        control[0] = new PortControl(life);
        Device device = new Device(place.name(), place.index(), function.address(), life, control[0]);
        agent.start();
        try {
            control[0].change(_ -> config);
        } catch (RuntimeException refused) {
            agent.close();
            devices.giveBack(place.name());
            throw refused;
        }
        return device;
    }

    /** Something that is not about the channel; on the channel's thread, must not block. */
    private void event(int type, int data) {
        LOG.debug("{}: event {} with {}", function.id(), type, data);
    }

    List<Device> offered() {
        return List.copyOf(offered);
    }

    DmaArena arena() {
        return arena;
    }

    @Override
    public void remove(Removal why) {
        boolean answers = why != Removal.DEVICE_GONE;
        offered.forEach(devices::withdraw);
        for (Device device : offered) {
            device.life().lock().lock();
            try {
                device.life().close(answers);
            } finally {
                device.life().lock().unlock();
            }
            devices.giveBack(device.name());
        }
        session.close();
        arena.close();
    }
}
