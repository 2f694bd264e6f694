package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.shell.Missing;
import io.manafold.shell.UsageError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** States that a check of the doctor tells of, brought about on purpose. */
enum BrokenState {
    REVOKED("its function is off the bus (check 1)") {
        @Override
        void bringAbout(Topology topology, Adapter adapter) {
            adapter.revoke();
        }
    },
    NO_DRIVER("no driver has its function (check 2)") {
        @Override
        void bringAbout(Topology topology, Adapter adapter) throws InterruptedException {
            free(topology, device -> device.id().equals(adapter.address().toString()));
        }

        @Override
        void takeBack(Topology topology, Adapter adapter) throws InterruptedException {
            bind(topology, device -> device.id().equals(adapter.address().toString()));
        }
    },
    REFUSED("it refuses what the driver asks, with 0xc00000bb (check 3)") {
        @Override
        void bringAbout(Topology topology, Adapter adapter) throws InterruptedException {
            adapter.inject(new Fault(adapter.name() + "-refused", null, Fault.Effect.STATUS, NOT_KNOWN, 0, false));
            adapter.revoke();
            adapter.restore();
            topology.awaitDriven(adapter.address());
        }
    },
    NO_RDMA_DRIVER("no driver has its device for RDMA (check 12)") {
        @Override
        void bringAbout(Topology topology, Adapter adapter) throws InterruptedException {
            free(topology, device -> isRdma(device, adapter));
        }

        @Override
        void takeBack(Topology topology, Adapter adapter) throws InterruptedException {
            bind(topology, device -> isRdma(device, adapter));
        }
    },
    PORTS_UP("its network devices are up, so poll mode cannot have their ports (check 8)") {
        @Override
        void bringAbout(Topology topology, Adapter adapter) {
            topology.devices.stream()
                    .filter(device -> String.valueOf(device.address()).equals(adapter.address().toString()))
                    .forEach(device -> device.setUp(true));
        }
    };

    private static final int NOT_KNOWN = 0xc00000bb;

    private final String about;

    BrokenState(String about) {
        this.about = about;
    }

    abstract void bringAbout(Topology topology, Adapter adapter) throws InterruptedException;

    /**
     * What would outlive the adapter ends: the driver core knows as long as the platform runs that its device is to be
     * free.
     */
    void takeBack(Topology topology, Adapter adapter) throws InterruptedException {
        // the adapter itself forgets the others
    }

    /** Devices that an administrator has unbound are free already, and stay so afterwards. */
    private static void free(Topology topology, Predicate<Device> which) throws InterruptedException {
        List<String> driven = core(topology).devices().stream().filter(status -> !status.unboundByHand())
                .map(DeviceStatus::device).filter(which).map(Device::id).toList();
        for (String id : driven) {
            topology.freed.add(id);
            core(topology).unbindForNow(id);
        }
    }

    private static void bind(Topology topology, Predicate<Device> which) throws InterruptedException {
        List<String> unbound = core(topology).devices().stream().filter(DeviceStatus::unboundByHand)
                .map(DeviceStatus::device).filter(which).map(Device::id).filter(topology.freed::contains).toList();
        for (String id : unbound) {
            topology.freed.remove(id);
            core(topology).bind(id, null);
        }
    }

    private static boolean isRdma(Device device, Adapter adapter) {
        return device instanceof AuxiliaryDevice part && part.name().equals("mana.rdma")
                && part.parent().equals(adapter.address().toString());
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String about() {
        return about;
    }

    static List<String> words() {
        return Arrays.stream(values()).map(BrokenState::word).toList();
    }

    static BrokenState of(String word) {
        return Arrays.stream(values()).filter(state -> state.word().equals(word)).findFirst()
                .orElseThrow(() -> UsageError.unknown("state", word, words()));
    }

    private static DriverCore core(Topology topology) {
        return Missing.required(topology.core, "driver core", "io.manafold.bus");
    }
}
