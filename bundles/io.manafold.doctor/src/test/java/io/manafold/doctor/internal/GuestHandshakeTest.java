package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.checks.HandshakeCheck;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of a guest's driver, what it has told of itself and asked last is shown, in lines of its own. */
class GuestHandshakeTest {
    private static Adapter adapter(Optional<String> system, Set<Adapter.DriverFeature> features,
            Optional<ChannelMessage> last) {
        return (Adapter) Proxy.newProxyInstance(GuestHandshakeTest.class.getClassLoader(),
                new Class<?>[] {Adapter.class}, (_, method, _) -> switch (method.getName()) {
                    case "driverSystem" -> system;
                    case "driverFeatures" -> features;
                    case "lastMessage" -> last;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void whatTheDriverHasToldIsShown() {
        List<String> lines = Platform.handshake(adapter(Optional.of("Linux 6.12\nfunctions x"),
                EnumSet.of(Adapter.DriverFeature.SELF_RESET, Adapter.DriverFeature.LINK_EVENTS),
                Optional.of(new ChannelMessage(Instant.EPOCH, "query vport", 0x80000005, "not supported"))));
        assertThat(lines).containsExactly("driver-system Linux 6.12?functions x",
                "driver-features link-events self-reset",
                "last-message query vport status=0x80000005 not supported at=1970-01-01T00:00:00Z");
        Finding finding = new HandshakeCheck().examine(Answers.of("driver of one", Map.of("functions",
                "0001:00:00.0 vendor=1414 device=00ba driver=present\n", "handshake", String.join("\n", lines))));
        assertThat(finding.state()).isEqualTo(Finding.State.OK);
        assertThat(finding.evidence()).extracting(Finding.Line::line).containsExactlyElementsOf(lines);
    }

    @Test
    void anAdapterWithoutADriverHasNothingToTell() {
        assertThat(Platform.handshake(adapter(Optional.empty(), Set.of(), Optional.empty()))).isEmpty();
    }
}
