package io.manafold.commands.platform.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Bar;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.LabStatus;
import io.manafold.api.lab.Labs;
import io.manafold.api.log.LogLine;
import io.manafold.api.log.PlatformLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Command;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Small stand-ins for the services that the commands speak to. */
final class Fakes {
    private Fakes() {
    }

    /** What a command answered. */
    record Answer(int status, String out, String err) {
    }

    static Answer run(Command command, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = CommandLine.run(command, List.of(words), new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** A function whose configuration space can be written at will. */
    static final class Function implements PciFunction {
        final ByteBuffer config = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        private final PciAddress address;
        private final PciId identity;
        private final List<Bar> bars = new ArrayList<>();

        Function(String address) {
            this(address, new PciId(0x1414, 0x00ba, 0x1414, 0x00ba, 0x020000, 0));
        }

        Function(String address, PciId identity) {
            this.address = PciAddress.parse(address);
            this.identity = identity;
        }

        Function bar(int index, long size, long at) {
            config.putInt(0x10 + 4 * index, (int) at | 0xc);
            config.putInt(0x14 + 4 * index, (int) (at >>> 32));
            bars.add(new Window(index, size));
            return this;
        }

        @Override
        public PciAddress address() {
            return address;
        }

        @Override
        public PciId identity() {
            return identity;
        }

        @Override
        public int configSize() {
            return config.capacity();
        }

        @Override
        public int readConfig(int offset, int width) {
            return switch (width) {
                case 1 -> config.get(offset);
                case 2 -> config.getShort(offset);
                default -> config.getInt(offset);
            };
        }

        @Override
        public void writeConfig(int offset, int width, int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Bar> bars() {
            return bars;
        }

        @Override
        public Interrupts interrupts() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DmaSpace dma() {
            throw new UnsupportedOperationException("this function has no memory access");
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException();
        }
    }

    private record Window(int index, long size) implements Bar {
        @Override
        public boolean is64Bit() {
            return true;
        }

        @Override
        public boolean isPrefetchable() {
            return true;
        }

        @Override
        public int read32(long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read64(long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write32(long offset, int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write64(long offset, long value) {
            throw new UnsupportedOperationException();
        }
    }

    record Part(String name, int number, String parent) implements AuxiliaryDevice {
        @Override
        public <T> T lend(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    record Status(Device device, DeviceState state, Optional<DriverChoice> driver, Optional<String> reason,
            boolean unboundByHand, Optional<DriverChoice> override) implements DeviceStatus {
        static Status free(Device device) {
            return of(device, DeviceState.FREE, null);
        }

        static Status of(Device device, DeviceState state, String reason) {
            return new Status(device, state, Optional.empty(), Optional.ofNullable(reason), false, Optional.empty());
        }

        static Status bound(Device device, String name, String version) {
            return new Status(device, DeviceState.BOUND, Optional.of(new DriverChoice(name, version)), Optional.empty(),
                    false, Optional.empty());
        }

        Status byHand() {
            return new Status(device, state, driver, reason, true, override);
        }

        Status only(String name, String version) {
            return new Status(device, state, driver, reason, unboundByHand,
                    Optional.of(new DriverChoice(name, version)));
        }
    }

    record Driver(String name, String version, String bundle, List<DeviceMatch> idTable, List<String> devices)
            implements DriverStatus {
    }

    record Offered(String offeredBy, String name, String summary) implements Offer {
    }

    /** Notes the orders it is given; knows the devices and drivers it is told of. */
    static final class Core implements DriverCore {
        final List<DeviceStatus> devices = new ArrayList<>();
        final List<DriverStatus> drivers = new ArrayList<>();
        final List<String> orders = new ArrayList<>();

        @Override
        public List<DeviceStatus> devices() {
            return devices;
        }

        @Override
        public List<DriverStatus> drivers() {
            return drivers;
        }

        @Override
        public void bind(String device, DriverChoice driver) {
            order("bind", device, driver);
        }

        @Override
        public void unbind(String device) {
            order("unbind", device, null);
        }

        @Override
        public void unbindForNow(String device) {
            order("unbind for now", device, null);
        }

        @Override
        public void overrideForNow(String device, DriverChoice driver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void override(String device, DriverChoice driver) {
            order("override", device, driver);
        }

        @Override
        public void suspend(String device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void resume(String device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void expect(String device, DriverChoice driver) {
            order("expect", device, driver);
        }

        private void order(String what, String device, DriverChoice driver) {
            if (device.equals("nosuch")) {
                throw new Refusal(Errno.ENODEV, "There is no device 'nosuch'.");
            }
            orders.add(what + " " + device + " " + driver);
        }

        @Override
        public boolean settle(Duration limit) {
            return true;
        }
    }

    record Event(long sequence, Instant time, Kind kind, Optional<String> device, Optional<DriverChoice> driver,
            String sentence, Map<String, Number> figures) implements DeviceEvent {
        static Event of(long sequence, String sentence) {
            return new Event(sequence, Instant.ofEpochSecond(sequence), Kind.BOUND, Optional.of("7870:00:00.0"),
                    Optional.of(new DriverChoice("ethernet", "1.0.0")), sentence, Map.of());
        }
    }

    static final class Events implements EventLog {
        final List<DeviceEvent> recent = new CopyOnWriteArrayList<>();
        final List<Consumer<DeviceEvent>> listeners = new CopyOnWriteArrayList<>();

        @Override
        public List<DeviceEvent> recent() {
            return List.copyOf(recent);
        }

        @Override
        public Subscription subscribe(Consumer<DeviceEvent> listener) {
            listeners.add(listener);
            return () -> listeners.remove(listener);
        }

        @Override
        public void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence) {
            Event event = Event.of(recent.size() + 1, sentence);
            recent.add(event);
            listeners.forEach(listener -> listener.accept(event));
        }
    }

    static final class Log implements PlatformLog {
        final List<LogLine> recent = new CopyOnWriteArrayList<>();
        final List<Consumer<LogLine>> listeners = new CopyOnWriteArrayList<>();

        @Override
        public List<LogLine> recent() {
            return List.copyOf(recent);
        }

        @Override
        public AutoCloseable follow(Consumer<LogLine> listener) {
            listeners.add(listener);
            return () -> listeners.remove(listener);
        }
    }

    /** One lab, {@code default}. */
    static final class OneLab implements Labs {
        final List<String> missing = new ArrayList<>();
        final List<String> lingering = new ArrayList<>();
        boolean up;

        @Override
        public List<LabStatus> list() {
            return List.of(new LabStatus("default", up, "built in", 1, "Where everything begins"));
        }

        @Override
        public String text(String nameOrFile) {
            known(nameOrFile);
            return "# Where everything begins\nadapters: []\n";
        }

        @Override
        public List<LabChange> diff(String nameOrFile) {
            known(nameOrFile);
            return up ? List.of() : List.of(new LabChange(LabChange.Kind.ADD, "adapters", "one", "ports 2"));
        }

        @Override
        public List<LabChange> up(String nameOrFile) {
            List<LabChange> changes = diff(nameOrFile);
            up = true;
            return changes;
        }

        @Override
        public List<LabChange> down(String name) {
            known(name);
            up = false;
            return List.of(new LabChange(LabChange.Kind.REMOVE, "adapters", "one", ""));
        }

        @Override
        public List<String> settle(Duration limit) {
            return missing;
        }

        @Override
        public List<LabChange> forget(String nameOrFile, Duration limit) {
            return down(nameOrFile);
        }

        @Override
        public List<String> settleGone(Duration limit) {
            return lingering;
        }

        @Override
        public Path folder() {
            return Path.of("labs");
        }

        private static void known(String name) {
            if (!name.equals("default")) {
                throw new Refusal(Errno.ENOENT, "There is no lab '" + name + "'.");
            }
        }
    }
}
