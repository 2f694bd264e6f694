package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestFunction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.Bundle;

/** Device, driver and dependent come and go in every order there is; what is bound depends on who is here alone. */
@Timeout(120)
class OrderOfArrivalTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final String PART = "mana.rdma.0";

    @RegisterExtension
    final Platform platform = new Platform();

    private enum Actor {
        DEVICE, DRIVER, DEPENDENT
    }

    @TestFactory
    Stream<DynamicTest> everyOrderEndsInTheRightState() {
        List<List<Actor>> orders = permutations(List.of(Actor.values()));
        return orders.stream().flatMap(arrival -> orders.stream().map(departure ->
                DynamicTest.dynamicTest("in " + arrival + ", out " + departure, () -> run(arrival, departure))));
    }

    private void run(List<Actor> arrival, List<Actor> departure) throws Exception {
        TestFunction device = new TestFunction(ADDRESS);
        Bundle driver = DriverBundle.of("ethernet", "1414:00ba").offers("mana.rdma").install();
        Bundle dependent = DriverBundle.of("rdma", "mana.rdma").busy().install();
        Set<Actor> here = EnumSet.noneOf(Actor.class);
        try {
            for (Actor actor : arrival) {
                switch (actor) {
                    case DEVICE -> device.plug();
                    case DRIVER -> driver.start();
                    case DEPENDENT -> dependent.start();
                }
                here.add(actor);
                check(here);
            }
            for (Actor actor : departure) {
                switch (actor) {
                    case DEVICE -> device.unplug();
                    case DRIVER -> driver.stop();
                    case DEPENDENT -> dependent.stop();
                }
                here.remove(actor);
                check(here);
            }
        } finally {
            driver.uninstall();
            dependent.uninstall();
            if (device.plugged()) {
                device.unplug();
            }
        }
    }

    private void check(Set<Actor> here) throws Exception {
        platform.settle();
        if (here.containsAll(Set.of(Actor.DEVICE, Actor.DRIVER))) {
            platform.assertBound(ADDRESS, "ethernet 1.0.0");
            if (here.contains(Actor.DEPENDENT)) {
                platform.assertBound(PART, "rdma 1.0.0");
            } else {
                platform.assertFree(PART);
            }
        } else {
            assertThat(platform.find(PART)).isEmpty();
            assertThat(platform.find(ADDRESS).isPresent()).isEqualTo(here.contains(Actor.DEVICE));
            if (here.contains(Actor.DEVICE)) {
                platform.assertFree(ADDRESS);
            }
        }
    }

    private static <T> List<List<T>> permutations(List<T> items) {
        if (items.isEmpty()) {
            return List.of(List.of());
        }
        List<List<T>> all = new ArrayList<>();
        for (T first : items) {
            List<T> rest = new ArrayList<>(items);
            rest.remove(first);
            for (List<T> tail : permutations(rest)) {
                List<T> one = new ArrayList<>(List.of(first));
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }
}
