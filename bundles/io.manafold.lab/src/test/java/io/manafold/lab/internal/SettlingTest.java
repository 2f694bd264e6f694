package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.lab.internal.ConfigurationConsumers.Obstacle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SettlingTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final Set<String> arrived = new HashSet<>();
    private final Set<String> leaving = new HashSet<>();
    private final List<Runnable> onWatch = new ArrayList<>();
    private final Core core = new Core();
    private int watches;
    private Optional<Obstacle> obstacle = Optional.empty();

    private List<String> settle(Duration limit) throws InterruptedException {
        SortedMap<String, Map<String, Object>> held = new TreeMap<>();
        held.put("io.manafold.adapter~one", Map.of("io.manafold.lab", "pair", "io.manafold.lab.entry", "adapters/one"));
        return new Settling(arrivals(), consumers(), limit).await(held, core);
    }

    /** In the words of commands that need the core. */
    @Test
    void aPlatformWithoutADriverCoreIsToldSo() throws InterruptedException {
        assertThat(new Settling(arrivals(), consumers(), Duration.ZERO).await(new TreeMap<>(), null)).containsExactly(
                "There is no driver core on this platform, so no device has a driver: its bundle io.manafold.bus is "
                + "missing or stopped. 'lb' lists the bundles, 'start' starts one.");
    }

    private Arrivals arrivals() {
        return new Arrivals() {
            @Override
            public Set<String> arrived() {
                Set<String> there = Set.copyOf(arrived);
                // What happens while a command waits, on its thread: no time passes in this test.
                List<Runnable> now = List.copyOf(onWatch);
                onWatch.clear();
                now.forEach(Runnable::run);
                return there;
            }

            @Override
            public Set<String> leaving() {
                Set<String> held = Set.copyOf(leaving);
                leaving.clear();
                return held;
            }

            @Override
            public Watch watch(Runnable changed) {
                watches++;
                onWatch.replaceAll(event -> () -> {
                    event.run();
                    changed.run();
                });
                return () -> watches--;
            }
        };
    }

    private ConfigurationConsumers consumers() {
        return new ConfigurationConsumers() {
            @Override
            public boolean serves(String factoryPid) {
                return true;
            }

            @Override
            public Map<String, Obstacle> obstacles(Map<String, Map<String, Object>> held) {
                Map<String, Obstacle> all = new HashMap<>();
                obstacle.ifPresent(one -> held.keySet().forEach(pid -> all.put(pid, one)));
                return all;
            }
        };
    }

    @Test
    void whatIsThereIsNotWaitedFor() throws InterruptedException {
        arrived.add("adapters/one");
        assertThat(settle(LONG)).isEmpty();
        assertThat(watches).isZero();
    }

    @Test
    void anArrivalEndsTheWait() throws InterruptedException {
        onWatch.add(() -> arrived.add("adapters/one"));
        assertThat(settle(LONG)).isEmpty();
        assertThat(watches).isZero();
    }

    @Test
    void whatDoesNotArriveIsNamedWithItsExcuse() throws InterruptedException {
        assertThat(settle(SHORT)).containsExactly("adapters/one of lab pair has not arrived: nothing has come of its "
                + "configuration io.manafold.adapter~one yet; see log.");
        obstacle = Optional.of(new Obstacle("the component adapter waits for fabric", false));
        assertThat(settle(SHORT)).containsExactly(
                "adapters/one of lab pair has not arrived: the component adapter waits for fabric.");
    }

    @Test
    void whatArrivedButFailedIsNotThereAndNotWaitedFor() throws InterruptedException {
        arrived.add("adapters/one");
        obstacle = Optional.of(new Obstacle("the component adapter failed: no such firmware", true));
        assertThat(settle(LONG)).containsExactly(
                "adapters/one of lab pair has not arrived: the component adapter failed: no such firmware.");
    }

    @Test
    void whatIsNoLongerListedMustGo() throws InterruptedException {
        arrived.addAll(Set.of("adapters/one", "adapters/old"));
        assertThat(settle(SHORT)).containsExactly(
                "adapters/old is still there, although no lab lists it any more; see log.");
        onWatch.add(() -> arrived.remove("adapters/old"));
        assertThat(settle(LONG)).isEmpty();
    }

    @Test
    void whatIsTakenDownIsWaitedFor() throws InterruptedException {
        arrived.addAll(Set.of("adapters/one", "links/net"));
        assertThat(goes(SHORT)).containsExactly(
                "adapters/one is still there, although no lab lists it any more; see log.",
                "links/net is still there, although no lab lists it any more; see log.");
        onWatch.add(arrived::clear);
        assertThat(goes(LONG)).isEmpty();
        leaving.add("adapters/one");
        assertThat(goes(Duration.ZERO)).as("a user still holds it").hasSize(1);
        leaving.add("adapters/one");
        assertThat(goes(LONG)).isEmpty();
        assertThat(watches).isZero();
        core.settled = false;
        assertThat(goes(LONG)).hasSize(1).first().asString().contains("still at work");
    }

    private List<String> goes(Duration limit) throws InterruptedException {
        return new Settling(arrivals(), consumers(), limit).awaitGone(new TreeMap<>(), core);
    }

    @Test
    void whatArrivedMustBeAtWork() throws InterruptedException {
        arrived.add("adapters/one");
        obstacle = Optional.of(new Obstacle("the component adapter is being activated", false));
        assertThat(settle(SHORT)).hasSize(1);
        onWatch.add(() -> obstacle = Optional.empty());
        assertThat(settle(LONG)).isEmpty();
    }

    @Test
    void aDeviceWithAFittingDriverMustBeBound() throws InterruptedException {
        arrived.add("adapters/one");
        core.devices = List.of(
                new Standing("mana.eth", DeviceState.FAILED, "the driver eth refused: no queues.", false, null),
                new Standing("mana.none", DeviceState.FREE, null, false, null),
                new Standing("mana.eth", DeviceState.FREE, null, true, null),
                new Standing("mana.odd", DeviceState.FREE, null, false, new DriverChoice("vfio", null)),
                new Standing("mana.eth", DeviceState.BOUND, null, false, null));
        assertThat(settle(LONG)).containsExactly(
                "The device mana.eth.0 is not bound: the driver eth refused: no queues.",
                "The device mana.odd.0 is not bound, although a driver for it is there.");
        core.settled = false;
        assertThat(settle(LONG)).hasSize(3).first().asString().contains("still at work");
    }

    private record Standing(String name, DeviceState state, String why, boolean unboundByHand, DriverChoice chosen)
            implements DeviceStatus {
        @Override
        public Device device() {
            return new Part(name);
        }

        @Override
        public Optional<DriverChoice> driver() {
            return Optional.empty();
        }

        @Override
        public Optional<String> reason() {
            return Optional.ofNullable(why);
        }

        @Override
        public Optional<DriverChoice> override() {
            return Optional.ofNullable(chosen);
        }
    }

    private record Part(String name) implements AuxiliaryDevice {
        @Override
        public int number() {
            return 0;
        }

        @Override
        public String parent() {
            return "7870:00:00.0";
        }

        @Override
        public <T> T lend(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Core implements DriverCore {
        private List<DeviceStatus> devices = List.of();
        private boolean settled = true;

        @Override
        public List<DeviceStatus> devices() {
            return devices;
        }

        @Override
        public List<DriverStatus> drivers() {
            return List.of(new DriverStatus() {
                @Override
                public String name() {
                    return "eth";
                }

                @Override
                public String version() {
                    return "1.0.0";
                }

                @Override
                public String bundle() {
                    return "eth";
                }

                @Override
                public List<DeviceMatch> idTable() {
                    return List.of(new DeviceMatch.Auxiliary("mana.eth"));
                }

                @Override
                public List<String> devices() {
                    return List.of();
                }
            });
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
        public void unbindForNow(String device) {
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
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean settle(Duration limit) {
            return settled;
        }
    }
}
