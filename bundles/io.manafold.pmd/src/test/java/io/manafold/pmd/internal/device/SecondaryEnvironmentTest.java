package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.process.PrimaryProcess;
import io.manafold.pmd.internal.process.PrimarySocket;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.EalWords;
import io.manafold.testkit.Blocks;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secondary whose primary, in another process, has something happen while it attaches. */
@Timeout(120)
class SecondaryEnvironmentTest {
    private final SharedBlocks memory = Blocks.source();
    private final PacketPools pools = new PacketPools(memory);
    @TempDir
    private Path folder;
    /** What happens while a secondary is told of ports. */
    private Consumer<EthDevListener> meanwhile = _ -> { };
    /** What the primary says of where its ports are. */
    private String address = "7870:00:00.0";

    private EthDev port(int number) {
        EthDevInfo info = new EthDevInfo("net_mana", address, number + 1, "", "",
                MacAddress.parse("00:0d:3a:00:00:0" + (number + 1)), "mana" + number, 4, 64, 4096, 64, 1024, 68, 9000,
                4, 40, 64, 0, 0, 0);
        return (EthDev) Proxy.newProxyInstance(EthDev.class.getClassLoader(), new Class<?>[] {EthDev.class},
                (_, method, _) -> switch (method.getName()) {
                    case "number" -> number;
                    case "name" -> "7870:00:00.0_port" + (number + 1);
                    case "info" -> info;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private PrimaryProcess primary() {
        return new PrimaryProcess() {
            @Override
            public String prefix() {
                return "early";
            }

            @Override
            public List<EthDev> ports() {
                return IntStream.range(0, 3).mapToObj(SecondaryEnvironmentTest.this::port).toList();
            }

            @Override
            public Pair lend(int port, int queue, String who) {
                throw new UnsupportedOperationException();
            }

            @Override
            public AutoCloseable listen(EthDevListener listener) {
                meanwhile.accept(listener);
                return () -> { };
            }

            @Override
            public int room() {
                return PacketPlan.DEFAULT_ROOM;
            }
        };
    }

    @AfterEach
    void end() {
        long giveUp = System.nanoTime() + 60_000_000_000L;
        while (!memory.blocks().isEmpty()) {
            assertThat(System.nanoTime()).as("memory is back").isLessThan(giveUp);
            Thread.onSpinWait();
        }
    }

    private SecondaryEnvironment attach(PrimarySocket socket, String... more) {
        List<String> words = new ArrayList<>(List.of("-l", "0", "--file-prefix=early",
                "--proc-type=secondary"));
        words.addAll(List.of(more));
        return SecondaryEnvironment.of(EalWords.parse(words, 2), new Directory(), socket.path(), pools, _ -> { });
    }

    @Test
    void aPortThatGoesWhileASecondaryAttachesIsNoneOfIts() throws IOException {
        meanwhile = listener -> {
            listener.happened(new EthDevEvent(EthDevEvent.Kind.INTR_RMV, 1, "Port 1 has gone."));
            listener.happened(new EthDevEvent(EthDevEvent.Kind.INTR_LSC, 0, "Port 0 has its link."));
            for (int other = 100; other < 3000; other++) {
                listener.happened(new EthDevEvent(EthDevEvent.Kind.INTR_RMV, other, "There never was one."));
            }
        };
        try (PrimarySocket socket = new PrimarySocket(folder.resolve(PrimarySocket.NAME), primary(), pools, memory);
                SecondaryEnvironment second = attach(socket)) {
            assertThat(second.ports()).extracting(EthDev::number).containsExactly(0, 2);
            assertThat(second.probed()).hasSize(3);
            assertThatThrownBy(() -> attach(socket, "-a", "7870:00:00.0,mac=00:0d:3a:00:00:02"))
                    .isInstanceOf(Refusal.class).hasMessageContaining("has no port of it that is named");
        }
    }

    /** That it can be no function's is seen where it comes in, and nothing of the connection stays. */
    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "ffffffff:00:00.0", "7870:00:ff.0"})
    void aPrimaryWhosePortsAreNowhereIsLeft(String nowhere) throws IOException {
        address = nowhere;
        try (PrimarySocket socket = new PrimarySocket(folder.resolve(PrimarySocket.NAME), primary(), pools, memory)) {
            assertThatThrownBy(() -> attach(socket)).isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.errno()).isEqualTo(Errno.EPROTO);
                assertThat(refused).hasMessageContaining("answers what is no answer here");
            });
            // before the primary ends, which would have it all come home
            long giveUp = System.nanoTime() + 60_000_000_000L;
            while (socket.secondaries() > 0) {
                assertThat(System.nanoTime()).as("it has left").isLessThan(giveUp);
                Thread.onSpinWait();
            }
        }
    }

    /** Options that fail when they are asked about a port. */
    private static EalOptions broken(EalOptions of) {
        return new EalOptions(of.cores(), of.bound(), of.mainCore(), null, of.blocked(), of.hasFunctions(),
                of.probesAll(), of.prefix(), of.alone(), of.dryRun(), of.check(), of.runToCompletion(), of.telemetry(),
                of.levels(), of.role(), of.consumed(), of.notes(), of.synthetic());
    }

    /** Whatever it is that fails. */
    @Test
    void aSecondaryThatCannotBeginLeavesItsPrimary() throws IOException {
        List<String> words = List.of("-l", "0", "--file-prefix=early", "--proc-type=secondary");
        try (PrimarySocket socket = new PrimarySocket(folder.resolve(PrimarySocket.NAME), primary(), pools, memory)) {
            List<SecondaryEnvironment> ended = new ArrayList<>();
            assertThatThrownBy(() -> SecondaryEnvironment.of(broken(EalWords.parse(words, 2)), new Directory(),
                    socket.path(), pools, ended::add)).isInstanceOf(NullPointerException.class);
            assertThat(ended).hasSize(1);
            long giveUp = System.nanoTime() + 60_000_000_000L;
            while (socket.secondaries() > 0) {
                assertThat(System.nanoTime()).as("it has left").isLessThan(giveUp);
                Thread.onSpinWait();
            }
        }
    }
}
