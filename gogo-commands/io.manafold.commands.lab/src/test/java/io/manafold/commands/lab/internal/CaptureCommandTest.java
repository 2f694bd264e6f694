package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.inet.PacketListing;
import io.manafold.api.net.NetDevice;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CaptureCommandTest {
    private final Workshop workshop = new Workshop();
    private final CaptureCommand command = new CaptureCommand(workshop.topology);
    private final Fakes.OneLink net = workshop.link("net", "switch", "one/1");

    private Fakes.Answer capture(String... words) {
        return Fakes.run(command, words);
    }

    @Test
    void framesAreWrittenUntilItIsStopped() {
        assertThat(capture("start", "net", "/run/net.pcapng")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(net.snap).isEqualTo(262_144);
        assertThat(capture("start", "net", "/run/short.pcapng", "--snap", "128", "--count", "3").status()).isZero();
        assertThat(net.snap).isEqualTo(128);
        assertThat(net.count).isEqualTo(3);
        assertThat(capture("list").out()).isEqualTo("""
                LINK  FILE               FRAMES  BYTES  MISSED  STATE     PROBLEM
                net   /run/net.pcapng         3    180       0  running   –
                net   /run/short.pcapng       3    180       0  complete  –
                """);
        assertThat(capture("stop", "net", "/run/short.pcapng", "--json").dense()).isEqualTo("[{\"link\":\"net\","
                + "\"file\":\"/run/short.pcapng\",\"frames\":3,\"bytes\":180,\"missed\":0,\"problem\":null}]");
        assertThat(capture("stop", "net").out().lines()).hasSize(2);
        assertThat(net.captures).isEmpty();
        assertThat(capture("list").out()).isEqualTo("LINK  FILE  FRAMES  BYTES  MISSED  STATE  PROBLEM\n");
        assertThat(capture("list", "--json").out()).isEqualTo("[]\n");
        assertThat(capture("stop", "net", "--json").out()).isEqualTo("[]\n");
    }

    @Test
    void aRelativePathIsMadeWhole() {
        capture("start", "net", "sub/../net.pcapng");
        assertThat(net.captures).singleElement()
                .satisfies(one -> assertThat(one.file()).isEqualTo(Path.of(Workshop.path("net.pcapng"))));
        assertThat(capture("stop", "net", "net.pcapng").status()).isZero();
    }

    @Test
    void refusalsAreSentences() {
        assertThat(capture("start", "nte", "a").err()).contains("did you mean 'net'?").endsWith("(ENODEV)\n");
        assertThat(capture("start", "net").status()).isEqualTo(2);
        assertThat(capture("start", "net", "a\u0001").status()).isEqualTo(2);
        assertThat(capture("start", "net", "a", "--snap", "0").status()).isEqualTo(2);
        assertThat(capture("start", "net", "a", "--count", "0").status()).isEqualTo(2);
        assertThat(capture("start", "net", "a", "--json").status()).isEqualTo(2);
        assertThat(capture("stop", "net", "/run/other").err())
                .contains("Nothing on link 'net' is being written to /run/other").endsWith("(ENOENT)\n");
        capture("start", "net", "/run/net.pcapng");
        assertThat(capture("start", "net", "/run/net.pcapng").err()).endsWith("(EEXIST)\n");
    }

    @Test
    void whatPassesADeviceIsWrittenAsWell() {
        List<CaptureStatus> running = new ArrayList<>();
        workshop.topology.devices = List.of((NetDevice) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {NetDevice.class}, (_, _, _) -> "mana0"));
        workshop.topology.deviceCaptures = new DeviceCaptures() {
            @Override
            public PacketListing list(String device, int snap, OutputStream copy) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CaptureStatus start(String device, Path file, int snap, long count) {
                running.add(new CaptureStatus(device, file, 2, 120, 0, false, null));
                return running.getLast();
            }

            @Override
            public CaptureStatus stop(String device, Path file) {
                return running.removeLast();
            }

            @Override
            public List<CaptureStatus> captures() {
                return List.copyOf(running);
            }
        };
        assertThat(capture("start", "mana0", "/run/mana0.pcapng")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(capture("list").out()).contains("mana0  /run/mana0.pcapng");
        assertThat(capture("stop", "mana0", "/run/other").err())
                .contains("Nothing on network device 'mana0' is being written to /run/other");
        assertThat(capture("stop", "mana0").out()).contains("mana0  /run/mana0.pcapng       2    120       0");
        assertThat(running).isEmpty();
        assertThat(Fakes.completed(command, "start", "PLACE", Map.of())).containsExactly("net", "mana0");
    }

    @Test
    void linksAndFilesAreCompleted() {
        capture("start", "net", "/run/net.pcapng");
        assertThat(Fakes.completed(command, "start", "PLACE", Map.of())).containsExactly("net");
        assertThat(Fakes.completed(command, "stop", "FILE", Map.of("PLACE", "net"))).containsExactly("/run/net.pcapng");
        assertThat(Fakes.completed(command, "stop", "FILE", Map.of())).isEmpty();
    }
}
