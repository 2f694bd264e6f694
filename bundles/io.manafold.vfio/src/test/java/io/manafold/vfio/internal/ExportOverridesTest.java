package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.ExportStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExportOverridesTest {
    private static final String ADDRESS = "7870:00:00.0";

    private final FakeCore core = new FakeCore();
    private final VfioDriver driver = new VfioDriver();
    private final ExportOverrides overrides = new ExportOverrides(core, driver);

    @BeforeEach
    void begin() {
        overrides.begin();
    }

    @AfterEach
    void end() {
        overrides.end();
    }

    @Test
    void aFunctionIsTakenWhenItComesAndGivenBackAtTheEnd() {
        FakeExport export = new FakeExport("one");
        overrides.add(export);
        assertThat(core.overrides).isEmpty();
        export.function = ADDRESS;
        overrides.look();
        core.devices.put(ADDRESS, new FakeFunction());
        Server.eventually("the override", () -> core.overrides.containsKey(ADDRESS));
        assertThat(core.overrides.get(ADDRESS)).isEqualTo(new DriverChoice("vfio", null));
        overrides.remove(export);
        assertThat(core.overrides).isEmpty();
    }

    @Test
    void aFunctionThatLeavesIsForgottenAndTakenAgain() {
        FakeExport export = new FakeExport("one");
        core.devices.put(ADDRESS, new FakeFunction());
        export.function = ADDRESS;
        overrides.add(export);
        Server.eventually("the override", () -> core.overrides.containsKey(ADDRESS));
        core.devices.clear();
        export.function = null;
        overrides.look();
        Server.eventually("no override", core.overrides::isEmpty);
        core.devices.put(ADDRESS, new FakeFunction());
        export.function = ADDRESS;
        overrides.look();
        Server.eventually("the override", () -> core.overrides.containsKey(ADDRESS));
    }

    @Test
    void aFunctionIsExpectedBeforeItComesAndAgainWhenItHasLeft() {
        FakeExport export = new FakeExport("one");
        overrides.add(export);
        export.expected = ADDRESS;
        overrides.expect();
        // on this thread, for the next thing it does is to bring the function
        assertThat(core.expected).containsEntry(ADDRESS, new DriverChoice("vfio", null));
        core.devices.put(ADDRESS, new FakeFunction());
        export.function = ADDRESS;
        overrides.look();
        Server.eventually("the override", () -> core.overrides.containsKey(ADDRESS));
        assertThat(core.expected).isEmpty();
        core.devices.clear();
        export.function = null;
        overrides.look();
        Server.eventually("that it is expected again", () -> core.expected.containsKey(ADDRESS));
        overrides.remove(export);
        assertThat(core.expected).isEmpty();
        assertThat(core.overrides).isEmpty();
    }

    @Test
    void anAdapterThatGoesIsNotExpectedAnyMore() {
        FakeExport export = new FakeExport("one");
        export.expected = ADDRESS;
        overrides.add(export);
        assertThat(core.expected).containsKey(ADDRESS);
        export.expected = null;
        overrides.expect();
        assertThat(core.expected).isEmpty();
        FakeProbe probe = new FakeProbe(new FakeFunction());
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> driver.probe(probe)))
                .hasMessageContaining("no export lends " + ADDRESS);
    }

    @Test
    void aRefusalIsAProblemOfTheExport() {
        FakeExport export = new FakeExport("one");
        core.refusal = new Refusal(Errno.EIO, "the socket is in use");
        core.devices.put(ADDRESS, new FakeFunction());
        export.function = ADDRESS;
        overrides.add(export);
        Server.eventually("the problem", () -> "the socket is in use".equals(export.problem));
    }

    @Test
    void oneFunctionHasOneExport() {
        FakeExport first = new FakeExport("first");
        FakeExport second = new FakeExport("second");
        core.devices.put(ADDRESS, new FakeFunction());
        first.function = ADDRESS;
        second.function = ADDRESS;
        overrides.add(first);
        overrides.add(second);
        Server.eventually("the problem", () -> second.problem != null);
        assertThat(second.problem).contains("lent by the export 'first' already");
        overrides.remove(first);
        Server.eventually("the other", () -> core.overrides.containsKey(ADDRESS));
    }

    @Test
    void anOverrideThatNobodyAsksForAnyMoreIsTakenBack() {
        core.devices.put(ADDRESS, new FakeFunction());
        core.overrides.put(ADDRESS, new DriverChoice("vfio", null));
        FakeProbe probe = new FakeProbe(core.devices.get(ADDRESS));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> driver.probe(probe)))
                .isInstanceOf(Refusal.class).hasMessageContaining("no export lends " + ADDRESS);
        Server.eventually("no override", core.overrides::isEmpty);
    }

    private record FakeProbe(Device device) implements io.manafold.api.device.Probe {
        @Override
        public <D extends Device> D device(Class<D> type) {
            return type.cast(device);
        }

        @Override
        public Refusal defer(String waitsFor, String sentence) {
            return new Refusal(Errno.EPROBE_DEFER, sentence);
        }
    }

    private static final class FakeExport implements Export {
        @Override
        public long mostBytes() {
            return Server.MOST_BYTES;
        }

        private final String name;
        private volatile String function;
        private volatile String expected;
        private volatile String problem;

        FakeExport(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String adapter() {
            return "adapter";
        }

        @Override
        public Path socket() {
            return Path.of("/nowhere");
        }

        @Override
        public String function() {
            return function;
        }

        @Override
        public String expected() {
            return expected;
        }

        @Override
        public void lent(Lease lease) {
        }

        @Override
        public void returned(Lease lease) {
        }

        @Override
        public void problem(String sentence) {
            problem = sentence;
        }

        @Override
        public ExportStatus status() {
            throw new UnsupportedOperationException();
        }
    }

    /** Notes overrides as the core would, for devices that are here. */
    private static final class FakeCore implements DriverCore {
        final Map<String, FakeFunction> devices = new ConcurrentHashMap<>();
        final Map<String, DriverChoice> overrides = new ConcurrentHashMap<>();
        final Map<String, DriverChoice> expected = new ConcurrentHashMap<>();
        volatile Refusal refusal;

        @Override
        public List<DeviceStatus> devices() {
            return devices.values().stream().<DeviceStatus>map(device ->
                    new Status(device, Optional.ofNullable(overrides.get(device.id())))).toList();
        }

        @Override
        public List<DriverStatus> drivers() {
            return List.of(new VfioStatus());
        }

        @Override
        public void bind(String device, DriverChoice driver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void unbind(String device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void overrideForNow(String device, DriverChoice driver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void override(String device, DriverChoice driver) {
            expected.remove(device);
            if (driver == null) {
                overrides.remove(device);
            } else if (refusal != null) {
                throw refusal;
            } else if (!devices.containsKey(device)) {
                throw new Refusal(Errno.ENODEV, "there is no device " + device);
            } else {
                overrides.put(device, driver);
            }
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
            if (driver == null) {
                expected.remove(device);
            } else {
                expected.put(device, driver);
            }
        }

        @Override
        public boolean settle(Duration limit) {
            return true;
        }

        @Override
        public void unbindForNow(String device) {
            throw new UnsupportedOperationException();
        }
    }

    private record Status(Device device, Optional<DriverChoice> override) implements DeviceStatus {
        @Override
        public DeviceState state() {
            return DeviceState.FREE;
        }

        @Override
        public Optional<DriverChoice> driver() {
            return Optional.empty();
        }

        @Override
        public Optional<String> reason() {
            return Optional.empty();
        }

        @Override
        public boolean unboundByHand() {
            return false;
        }
    }

    private record VfioStatus() implements DriverStatus {
        @Override
        public String name() {
            return "vfio";
        }

        @Override
        public String version() {
            return "1.0.0";
        }

        @Override
        public String bundle() {
            return "io.manafold.vfio";
        }

        @Override
        public List<DeviceMatch> idTable() {
            return List.of();
        }

        @Override
        public List<String> devices() {
            return List.of();
        }
    }
}
