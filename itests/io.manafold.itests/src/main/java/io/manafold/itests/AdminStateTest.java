package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestFunction;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/** What an administrator sets outlives the device, the driver and the core. */
@Timeout(300)
class AdminStateTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final String OTHER = "7871:00:00.0";

    @TempDir
    Path folder;

    @RegisterExtension
    final Platform platform = new Platform();

    @Test
    void unboundByHandOutlivesTheCore() throws Exception {
        platform.plug(ADDRESS);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.settle().core().unbind(ADDRESS);
        Bundle bus = bus();
        bus.stop();
        bus.start();
        assertThat(platform.device(ADDRESS).unboundByHand()).isTrue();
        platform.assertFree(ADDRESS);
    }

    @Test
    void anOverrideOutlivesTheDeviceAndTheDriver() throws Exception {
        TestFunction function = platform.plug(ADDRESS);
        Bundle lender = platform.start(DriverBundle.of("lender", "ffff:ffff"));
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.settle().core().override(ADDRESS, new DriverChoice("lender", null));
        function.unplug();
        function.plug();
        platform.assertBound(ADDRESS, "lender 1.0.0");
        lender.stop();
        platform.assertFree(ADDRESS);
        assertThat(platform.device(ADDRESS).reason().orElseThrow())
                .isEqualTo("an override allows only lender, which is not here");
        lender.update(DriverBundle.of("lender", "ffff:ffff").version("2.0.0").jar());
        lender.start();
        platform.assertBound(ADDRESS, "lender 2.0.0");
    }

    @Test
    void anOverrideCanBeTakenBackWhileTheDeviceIsAway() throws Exception {
        TestFunction function = platform.plug(ADDRESS);
        platform.start(DriverBundle.of("lender", "ffff:ffff"));
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.settle().core().override(ADDRESS, new DriverChoice("lender", null));
        function.unplug();
        platform.settle().core().override(ADDRESS, null);
        assertThatThrownBy(() -> platform.core().override(ADDRESS, null)).isInstanceOf(Refusal.class)
                .hasMessageStartingWith("there is no device " + ADDRESS);
        function.plug();
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void aFileThatWeNeverWroteIsPutAsideAndNamed() throws Exception {
        Path file = folder.resolve("devices");
        Files.writeString(file, ADDRESS + " unbound\n" + OTHER + " overthrow lender\n");
        platform.folder(folder);
        platform.settle();
        assertThat(platform.events().recent().reversed().stream()
                .filter(event -> event.kind() == DeviceEvent.Kind.SETTINGS_LOST).findFirst().orElseThrow().sentence())
                .contains("line 2").contains("put aside as devices.unreadable.1");
        assertThat(folder.resolve("devices.unreadable.1")).exists();
    }

    @Test
    void aFolderThatCannotBeWrittenIsSaidAndTheOrderHolds() throws Exception {
        Path blocked = Files.writeString(folder.resolve("blocked"), "a file where the folder should be");
        platform.folder(blocked);
        platform.plug(ADDRESS);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.settle();
        assertThatThrownBy(() -> platform.core().unbind(ADDRESS)).isInstanceOf(Refusal.class)
                .hasMessageStartingWith("done, but it will not outlive the platform: ");
        platform.assertFree(ADDRESS);
        Files.delete(blocked);
    }

    private Bundle bus() {
        for (Bundle bundle : platform.context().getBundles()) {
            if (bundle.getSymbolicName().equals("io.manafold.bus")) {
                return bundle;
            }
        }
        throw new AssertionError("no bus");
    }
}
