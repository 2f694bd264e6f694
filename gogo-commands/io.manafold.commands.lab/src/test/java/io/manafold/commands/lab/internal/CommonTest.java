package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What all commands of the family have in common. */
class CommonTest {
    private final Workshop workshop = new Workshop();
    private final List<Command> commands = List.of(new AdapterCommand(workshop.topology, workshop.entries),
            new VfioCommand(workshop.topology, workshop.entries), new LinkCommand(workshop.topology, workshop.entries),
            new CaptureCommand(workshop.topology), new ServicingCommand(workshop.topology),
            new FaultCommand(workshop.topology));

    @Test
    void everyVerbIsExplainedInEightyColumns() {
        for (Command command : commands) {
            for (Syntax verb : command.syntax().verbs()) {
                Fakes.Answer help = Fakes.run(command, verb.name(), "--help");
                assertThat(help.status()).isZero();
                assertThat(help.out()).contains("usage: " + command.syntax().name() + " " + verb.name())
                        .contains("examples\n");
                assertThat(verb.examples()).as("%s %s", command.syntax().name(), verb.name()).isNotEmpty();
                // an example that is longer has a line of its own, so that it can be pasted
                assertThat(help.out().lines().filter(line -> line.length() > 80))
                        .allMatch(line -> verb.examples().stream().anyMatch(one -> line.strip().equals(one.line())));
            }
        }
    }

    @Test
    void whatShowsSomethingHasJson() {
        for (Command command : commands) {
            for (Syntax verb : command.syntax().verbs()) {
                boolean shows = List.of("list", "show", "limits", "stats", "dcqcn", "export", "borrow", "stop", "storm",
                        "reset").contains(verb.name());
                assertThat(verb.shows()).as("%s %s", command.syntax().name(), verb.name()).isEqualTo(shows);
            }
        }
    }

    @Test
    void aVerbThatIsNotThereIsWrongUsage() {
        for (Command command : commands) {
            assertThat(Fakes.run(command).status()).isEqualTo(2);
            assertThat(Fakes.run(command, "nosuch").status()).isEqualTo(2);
        }
    }

    @Test
    void quantitiesAreWrittenAsTheyAreRead() {
        assertThat(Quantity.showRate(200_000_000_000L)).isEqualTo("200gbit");
        assertThat(Quantity.showRate(1500)).isEqualTo("1500bit");
        assertThat(Quantity.showTime(0)).isEqualTo("0ns");
        assertThat(Quantity.showTime(1_500_000)).isEqualTo("1500us");
        assertThat(Quantity.showBytes(1023)).isEqualTo("1023 B");
        assertThat(Quantity.showBytes(1536)).isEqualTo("1.5 KiB");
        assertThat(Quantity.showBytes(1L << 40)).isEqualTo("1.0 TiB");
        assertThat(Quantity.status("--status", "0xC00000BB")).isEqualTo(0xc00000bb);
        assertThat(Quantity.rate("--speed", "2.5GBIT", "0", "1tbit")).isEqualTo(2_500_000_000L);
        assertThat(Quantity.time("--for", "0", "0", "1s")).isZero();
    }

    @Test
    void theReasonIsTheInnermostOfATrace() {
        assertThat(ComponentConsumers.reason("""
                java.lang.RuntimeException: outer
                \tat somewhere
                Caused by: io.manafold.api.refusal.Refusal: Firmware 2020-01 is unknown.
                \tat elsewhere
                """)).isEqualTo("Firmware 2020-01 is unknown");
        assertThat(ComponentConsumers.reason(null)).isEqualTo("it does not say why");
        assertThat(ComponentConsumers.reason("x".repeat(400))).hasSize(301);
    }
}
