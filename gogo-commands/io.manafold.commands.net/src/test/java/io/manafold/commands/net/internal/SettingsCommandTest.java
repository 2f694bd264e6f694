package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSetting;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SettingsCommandTest {
    private static final String FIRST = "7870:00:00.0";
    private static final String SECOND = "7871:00:00.0";
    private static final String THIRD = "7872:00:00.0";

    private final Core core = new Core();
    private final Store store = new Store();
    private final Network network = Fakes.network(device("mana0", FIRST), device("mana1", SECOND),
            device("mana2", THIRD));
    private final SettingsCommand command = new SettingsCommand(network);

    private static FakeDevice device(String name, String address) {
        FakeDevice device = new FakeDevice(name, 2);
        device.address = PciAddress.parse(address);
        return device;
    }

    /** Carries an order out before it tells of an interrupt, as the driver core does. */
    private static final class Core implements DriverCore {
        private final Set<String> unbound = new TreeSet<>();
        private final List<String> bound = new ArrayList<>();
        private String interruptedAt;
        private String refusedAt;

        @Override
        public List<DeviceStatus> devices() {
            return List.of();
        }

        @Override
        public List<DriverStatus> drivers() {
            return List.of();
        }

        @Override
        public void bind(String device, DriverChoice driver) throws InterruptedException {
            unbound.remove(device);
            bound.add(device);
            end("bind " + device);
        }

        @Override
        public void unbindForNow(String device) throws InterruptedException {
            if (!("unbind " + device).equals(refusedAt)) {
                unbound.add(device);
            }
            end("unbind " + device);
        }

        private void end(String order) throws InterruptedException {
            if (order.equals(refusedAt)) {
                throw new Refusal(Errno.EIO, "No " + order + ".");
            }
            if (order.equals(interruptedAt)) {
                Thread.currentThread().interrupt();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        @Override
        public boolean settle(Duration limit) {
            return true;
        }

        @Override
        public void expect(String device, DriverChoice driver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void resume(String device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void suspend(String device) {
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
            throw new UnsupportedOperationException();
        }
    }

    /** Has an MTU of every device. */
    private final class Store implements SavedSettings {
        private final List<String> forgotten = new ArrayList<>();
        private Runnable before = () -> { };

        @Override
        public Map<String, String> read(String subject) {
            return Map.of();
        }

        @Override
        public void write(String subject, Map<String, String> settings) {
            before.run();
            forgotten.add(subject);
        }

        @Override
        public List<SavedSetting> list() {
            return network.devices().stream().map(device -> new SavedSetting(subject(PORT, device.address(),
                    device.port()), Optional.empty(), device.name(), "mtu", "4000", Optional.empty(), true)).toList();
        }
    }

    @BeforeEach
    void services() {
        command.core = core;
        command.settings = store;
    }

    @AfterEach
    void notInterrupted() {
        Thread.interrupted();
    }

    @Test
    void whatIsForgottenIsUnboundForAMoment() {
        assertThat(Fakes.run(command, "forget --all").status()).isZero();
        assertThat(store.forgotten).hasSize(3);
        assertThat(core.bound).containsExactly(FIRST, SECOND, THIRD);
    }

    @Test
    void anInterruptWhileFunctionsAreUnboundLeavesNoneFree() {
        core.interruptedAt = "unbind " + SECOND;
        assertThat(Fakes.run(command, "forget --all").status()).isEqualTo(1);
        assertThat(core.bound).containsExactly(FIRST, SECOND);
        assertThat(core.unbound).isEmpty();
        assertThat(store.forgotten).isEmpty();
    }

    @Test
    void anInterruptWhileFunctionsAreBoundAgainLeavesNoneFree() {
        core.interruptedAt = "bind " + FIRST;
        Fakes.run(command, "forget --all");
        assertThat(core.unbound).isEmpty();
        assertThat(store.forgotten).hasSize(3);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aRefusalHalfwayLeavesNoFunctionFree() {
        core.refusedAt = "unbind " + SECOND;
        assertThat(Fakes.run(command, "forget --all").err()).contains("No unbind " + SECOND + ". (EIO)");
        assertThat(core.unbound).isEmpty();
        core.refusedAt = "bind " + FIRST;
        assertThat(Fakes.run(command, "forget --all").err()).contains("No bind " + FIRST + ". (EIO)");
        assertThat(core.unbound).isEmpty();
        core.refusedAt = null;
        store.before = () -> {
            throw new Refusal(Errno.EIO, "Nothing is forgotten.");
        };
        assertThat(Fakes.run(command, "forget --all").err()).contains("Nothing is forgotten. (EIO)");
        assertThat(core.unbound).isEmpty();
    }
}
