package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What all commands of the family have in common. */
@Timeout(300)
class CommonTest {
    private final Network network = Fakes.network(new FakeDevice("mana0", 2), new FakeDevice("mana1", 3));
    private final EthtoolCommand ethtool = new EthtoolCommand(network);
    private final IpCommand ip = new IpCommand(network);
    private final List<Command> commands = List.of(ip, ethtool, new PingCommand(network), new PktgenCommand(network),
            new PagesCommand(network), new TcpdumpCommand(network));

    @Test
    void everyVerbIsExplainedInEightyColumns() {
        for (Command command : commands) {
            Syntax syntax = command.syntax();
            assertThat(syntax.family()).isEqualTo("net");
            for (Syntax about : Stream.concat(Stream.of(syntax), syntax.verbs().stream()).toList()) {
                Fakes.Answer help = about == syntax ? Fakes.run(command, "--help")
                        : Fakes.run(command, about.name(), "--help");
                assertThat(help.status()).isZero();
                assertThat(help.out()).contains("usage: " + syntax.name()).contains("examples\n");
                // an example that is longer has a line of its own, so that it can be pasted
                assertThat(help.out().lines().filter(line -> line.length() > 80)).allMatch(line -> Stream
                        .concat(about.examples().stream(),
                                about.verbs().stream().flatMap(one -> one.examples().stream()))
                        .anyMatch(one -> line.strip().equals(one.line())));
            }
        }
    }

    @Test
    void devicesAndWordsAreCompleted() {
        assertThat(completed(ip.syntax().words())).containsExactly("address", "link", "neighbor", "route",
                "maddress", "monitor");
        assertThat(completed(ip.syntax().words(), "link")).containsExactly("set", "show", "list", "lst");
        assertThat(completed(ip.syntax().words(), "-s", "l", "show")).contains("mana0", "mana1", "dev");
        assertThat(completed(ip.syntax().words(), "addr", "add", "10.0.0.1/24", "dev"))
                .containsExactly("mana0", "mana1");
        Syntax syntax = ethtool.syntax();
        assertThat(completed(syntax.arguments().getFirst().completer())).containsExactly("mana0", "mana1");
        assertThat(completed(syntax.arguments().getLast().completer(), "-G", "mana0")).containsExactly("rx", "tx");
        assertThat(completed(syntax.arguments().getLast().completer(), "mana0")).isEmpty();
        for (Command command : commands.subList(2, commands.size())) {
            Stream<Syntax> parts = Stream.concat(Stream.of(command.syntax()), command.syntax().verbs().stream());
            assertThat(parts.flatMap(part -> Stream.concat(part.options().stream().map(Syntax.Option::completer),
                    part.arguments().stream().map(Syntax.Argument::completer))))
                    .as(command.syntax().name()).anyMatch(completer -> completed(completer).contains("mana1"));
        }
    }

    private static List<String> completed(Completer completer, String... words) {
        return completer.candidates(new Typed() {
            @Override
            public String prefix() {
                return "";
            }

            @Override
            public List<String> words() {
                return List.of(words);
            }

            @Override
            public Optional<String> argument(String name) {
                return Optional.empty();
            }
        }).stream().map(Candidate::value).toList();
    }
}
