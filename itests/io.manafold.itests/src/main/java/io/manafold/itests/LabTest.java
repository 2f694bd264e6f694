package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciAddresses;
import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.Labs;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;

/** A lab's adapters become functions on the bus, through nothing but configurations. */
@Timeout(300)
class LabTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    @AfterEach
    void takeDown() throws InterruptedException {
        Labs labs = platform.service(Labs.class);
        labs.list().stream().filter(lab -> lab.up()).forEach(lab -> labs.down(lab.name()));
        labs.settle(PATIENCE);
    }

    private String lab(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name + ".yaml"), text).toString();
    }

    @Test
    void upIsIdempotentAndDownTakesAwayWhatItBrought() throws Exception {
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        Labs labs = platform.service(Labs.class);
        String two = lab("two", """
                # Two adapters
                adapters:
                  - name: one
                    address: 7870:00:00.0
                  - name: two
                    address: 7871:00:00.0
                """);
        assertThat(labs.diff(two)).extracting(LabChange::name).containsExactly("one", "two");
        assertThat(labs.up(two)).hasSize(2);
        assertThat(labs.settle(PATIENCE)).isEmpty();
        platform.assertBound("7870:00:00.0", "ethernet 1.0.0");
        platform.assertBound("7871:00:00.0", "ethernet 1.0.0");
        assertThat(labs.up(two)).isEmpty();
        assertThat(labs.diff(two)).isEmpty();
        String other = lab("two", "adapters: [{name: two, address: '7872:00:00.0'}]");
        assertThat(labs.up(other)).extracting(LabChange::kind)
                .containsExactlyInAnyOrder(LabChange.Kind.REMOVE, LabChange.Kind.CHANGE);
        // between taking a change and acting on it a component looks as if it had acted
        platform.await("7872:00:00.0");
        assertThat(labs.settle(PATIENCE)).isEmpty();
        platform.assertBound("7872:00:00.0", "ethernet 1.0.0");
        assertThat(platform.core().devices()).hasSize(1);
        labs.down("two");
        assertThat(labs.settleGone(PATIENCE)).isEmpty();
        assertThat(platform.core().devices()).isEmpty();
    }

    @Test
    void aListThatNothingServesIsRefusedBeforeAnythingChanges() throws Exception {
        Labs labs = platform.service(Labs.class);
        String lab = lab("unserved", "adapters: [{name: one}]\ndevices: [{name: mana0, on: one/1}]");
        assertThatThrownBy(() -> labs.up(lab)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(refusal).hasMessageContaining("io.manafold.device");
        });
        assertThat(labs.list()).noneMatch(status -> status.name().equals("unserved") && status.up());
    }

    @Test
    void anAddressHasOneHolderAlsoWhileItsFunctionIsAway() throws Exception {
        PciAddress address = PciAddress.parse("7871:00:00.0");
        PciAddresses addresses = platform.service(PciAddresses.class);
        Labs labs = platform.service(Labs.class);
        String away = lab("away", """
                borrow:
                  - name: far
                    address: 7871:00:00.0
                    socket: %s
                """.formatted(folder.resolve("absent.sock")));
        labs.up(away);
        labs.settle(PATIENCE);
        assertThat(addresses.holder(address)).contains("the borrowed function far");
        assertThatThrownBy(() -> addresses.take("the adapter two", address))
                .isInstanceOfSatisfying(Refusal.class, refusal -> {
                    assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
                    assertThat(refusal).hasMessageContainingAll("7871:00:00.0", "the borrowed function far",
                            "the adapter two");
                });
        List<Optional<String>> atTheEnd = new CopyOnWriteArrayList<>();
        ServiceListener listener = event -> {
            if (event.getType() == ServiceEvent.UNREGISTERING) {
                atTheEnd.add(addresses.holder(address));
            }
        };
        platform.context().addServiceListener(listener, "(" + Labs.ENTRY + "=*)");
        try {
            labs.down("away");
            assertThat(labs.settleGone(PATIENCE)).isEmpty();
            assertThat(addresses.holder(address)).isEmpty();
            labs.up(lab("here", "adapters: [{name: two, address: '7871:00:00.0'}]"));
            assertThat(labs.settle(PATIENCE)).isEmpty();
            assertThat(addresses.holder(address)).contains("the adapter two");
            labs.down("here");
            assertThat(labs.settleGone(PATIENCE)).isEmpty();
        } finally {
            platform.context().removeServiceListener(listener);
        }
        assertThat(atTheEnd).as("holders when a lab hears that an entry goes").hasSize(2)
                .containsOnly(Optional.empty());
    }
}
