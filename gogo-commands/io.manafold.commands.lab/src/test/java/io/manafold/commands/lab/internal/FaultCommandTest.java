package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.FirmwareMonth;
import io.manafold.api.adapter.MessageStatus;
import io.manafold.api.adapter.ScriptedFault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Candidate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultCommandTest {
    private final Workshop workshop = new Workshop();
    private final FaultCommand command = new FaultCommand(workshop.topology);
    private final Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 2);

    private Fakes.Answer fault(String... words) {
        return Fakes.run(command, words);
    }

    @Test
    void faultsAreInjectedAsTheyAreWritten() {
        assertThat(fault("inject", "one", "--message", "configure-vport-tx", "--status", "0xc00000bb", "--once"))
                .isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(fault("inject", "one", "--effect", "late", "--delay", "500ms", "--name", "slow").status()).isZero();
        assertThat(fault("inject", "one", "--effect", "withhold-completion", "--port", "one/2").status()).isZero();
        assertThat(fault("inject", "one", "--effect", "short").status()).isZero();
        assertThat(fault("inject", "one", "--effect", "twice").status()).isZero();
        assertThat(one.faults).containsExactly(
                new Fault("one-configure-vport-tx", "configure-vport-tx", Fault.Effect.STATUS, 0xc00000bb, 0, true),
                new Fault("slow", null, Fault.Effect.LATE, 0, 500_000_000, false),
                new Fault("one-2", "one/2", Fault.Effect.WITHHOLD_COMPLETION, 0, 0, false),
                new Fault("one", null, Fault.Effect.SHORT, 0, 0, false),
                new Fault("one-3", null, Fault.Effect.TWICE, 0, 0, false));
    }

    @Test
    void theyAreListedAndTakenBack() {
        assertThat(fault("list").out()).isEqualTo("ADAPTER  NAME  MESSAGE  EFFECT  ONCE\n");
        assertThat(fault("list", "--json").out()).isEqualTo("[]\n");
        fault("inject", "one", "--message", "configure-vport-tx", "--status", "0xc00000bb", "--once");
        fault("inject", "one", "--effect", "late", "--delay", "500ms", "--name", "slow");
        assertThat(fault("list").out()).isEqualTo("""
                ADAPTER  NAME                    MESSAGE             EFFECT             ONCE
                one      one-configure-vport-tx  configure-vport-tx  status 0xc00000bb  yes
                one      slow                    –                   late 500ms         no
                """);
        assertThat(fault("list", "one", "--json").dense()).isEqualTo("[{\"adapter\":\"one\",\"name\":"
                + "\"one-configure-vport-tx\",\"message\":\"configure-vport-tx\",\"effect\":\"status\",\"status\":"
                + "\"0xc00000bb\",\"status_name\":null,\"delay_ns\":null,\"once\":true,\"turn\":\"now\"},"
                + "{\"adapter\":\"one\","
                + "\"name\":\"slow\",\"message\":null,\"effect\":\"late\",\"status\":null,"
                + "\"status_name\":null,\"delay_ns\":500000000,\"once\":false,\"turn\":\"now\"}]");
        assertThat(fault("clear", "one", "slwo").err()).contains("did you mean 'slow'?").endsWith("(ENOENT)\n");
        assertThat(fault("clear", "one", "slow").status()).isZero();
        assertThat(one.faults).extracting(Fault::name).containsExactly("one-configure-vport-tx");
        assertThat(fault("clear", "one").status()).isZero();
        assertThat(one.faults).isEmpty();
        assertThat(fault("clear", "one").status()).isZero();
    }

    @Test
    void aScriptIsPlayedByTheAdaptersItNames(@TempDir Path folder) throws IOException {
        Fakes.OneAdapter two = workshop.adapter("two", "7870:00:01.0", 1);
        Path file = Files.writeString(folder.resolve("bad day.faults"), """
                # both
                seed 7
                one --effect twice after 3 answers
                --effect short every 2
                two --effect twice
                """);
        assertThat(fault("script", file.toString(), "two")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(one.orders).containsExactly(
                "play bad-day |seed 7|one --effect twice after 3 answers||");
        assertThat(two.orders).containsExactly("play bad-day |seed 7||--effect short every 2|two --effect twice");
        assertThat(fault("script", file.toString()).err()).contains("Line 4 of").contains("names no adapter")
                .endsWith("(EINVAL)\n");
        Files.writeString(file, "tow --effect twice\n");
        assertThat(fault("script", file.toString()).err()).contains("did you mean 'two'?").endsWith("(ENODEV)\n");
        Files.writeString(file, "# nothing\n");
        assertThat(fault("script", file.toString(), "one").err()).contains("There is no fault in the file");
        assertThat(one.orders).hasSize(1);
    }

    @Test
    void aScriptThatOneAdapterRefusesIsPlayedByNone(@TempDir Path folder) throws IOException {
        Fakes.OneAdapter two = workshop.adapter("two", "7870:00:01.0", 1);
        two.refusesToPlay = new Refusal(Errno.EINVAL, "Line 2 has no effect.");
        one.scripted.add(new ScriptedFault(new Fault("day-1", null, Fault.Effect.TWICE, 0, 0, false), "day", ""));
        Path file = Files.writeString(folder.resolve("day.faults"), "one --effect twice\ntwo\n");
        assertThat(fault("script", file.toString()).err()).contains("Line 2 has no effect.");
        assertThat(one.orders).singleElement().asString().startsWith("play day");
        assertThat(one.scripted).isEmpty();
    }

    @Test
    void aFaultWithTheNameOfAScriptThatIsTakenBackStays(@TempDir Path folder) throws IOException {
        Fakes.OneAdapter two = workshop.adapter("two", "7870:00:01.0", 1);
        two.refusesToPlay = new Refusal(Errno.EINVAL, "Line 2 has no effect.");
        fault("inject", "one", "--effect", "short", "--name", "day");
        for (String name : List.of("day-1", "day-2")) {
            one.scripted.add(new ScriptedFault(new Fault(name, null, Fault.Effect.TWICE, 0, 0, false), "day", ""));
        }
        Path file = Files.writeString(folder.resolve("day.faults"), "one --effect twice\ntwo\n");
        assertThat(fault("script", file.toString()).err()).contains("Line 2 has no effect.");
        assertThat(one.scripted).isEmpty();
        assertThat(one.faults).extracting(Fault::name).containsExactly("day");
    }

    @Test
    void aFileThatCannotBeAScriptIsRefused(@TempDir Path folder) throws IOException {
        assertThat(fault("script", folder.resolve("none").toString(), "one").err()).endsWith("(ENOENT)\n");
        assertThat(fault("script", folder.toString(), "one").err()).contains("is not a regular file");
        assertThat(fault("script", "/dev/zero", "one").err()).contains("is not a regular file");
        Path large = Files.write(folder.resolve("large"), new byte[(64 << 10) + 1]);
        assertThat(fault("script", large.toString(), "one").err()).contains("is larger than 65536 bytes");
        assertThat(one.orders).isEmpty();
    }

    @Test
    void stepsThatWaitAreListedAndTakenBackAsAWhole() {
        Fault fault = new Fault("day-3", null, Fault.Effect.TWICE, 0, 0, false);
        one.faults.add(fault);
        one.scripted.add(new ScriptedFault(fault, "day", "after 3 answers"));
        assertThat(fault("list").out()).contains("one      day-3  –        twice   no    after 3 answers");
        assertThat(fault("clear", "one", "day").status()).isZero();
    }

    @Test
    void whatWentWrongIsRemembered() {
        assertThat(fault("list", "--spent", "--json").out()).isEqualTo("[]\n");
        one.traces.add(new FaultTrace(Instant.parse("2026-01-02T03:04:05Z"), "register-device",
                new Fault("late", null, Fault.Effect.LATE, 0, 500_000_000, true)));
        assertThat(fault("list", "--spent").out()).contains("one      late  register-device  late 500ms");
        assertThat(fault("list", "one", "--spent", "--json").dense()).contains(
                "\"adapter\":\"one\",\"name\":\"late\",\"message\":\"register-device\",\"effect\":\"late500ms\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            one                                    | The effect status needs --status, as in --status 0xc00000bb.
            one --status 13                        | --status takes up to 32 bits in hexadecimal
            one --status 0x1c00000bb               | --status takes up to 32 bits in hexadecimal
            one --effect odd                       | There is no effect 'odd'
            one --effect late                      | The effect late needs --delay, as in --delay 500ms.
            one --effect late --delay 61s          | --delay is between 1us and 60s
            one --effect twice --delay 1ms         | --delay is only for the effect late.
            one --effect twice --status 0x1        | --status is only for the effect status.
            one --effect withhold-completion       | needs --port, as in --port one/1
            one --effect twice --port one/1        | --port is only for the effect withhold-completion.
            one --effect twice --message A         | --message takes the name of a message
            one --effect twice --name a/b          | is not a name
            one --effect withhold-completion --port one/1 --message m | take one out
            """)
    void wrongWordsInjectNothing(String words, String sentence) {
        Fakes.Answer answer = fault(("inject " + words).split(" "));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(2);
        assertThat(answer.err()).contains(sentence);
        assertThat(one.faults).isEmpty();
    }

    @Test
    void refusalsAreSentences() {
        assertThat(fault("inject", "oen", "--effect", "twice").err()).contains("did you mean 'one'?")
                .endsWith("(ENODEV)\n");
        assertThat(fault("inject", "one", "--effect", "withhold-completion", "--port", "one/3").err())
                .contains("There is no port of adapter 'one' called 'one/3'").endsWith("(ENODEV)\n");
        fault("inject", "one", "--effect", "twice", "--name", "again");
        assertThat(fault("inject", "one", "--effect", "short", "--name", "again").err())
                .contains("has a fault 'again' already").endsWith("(EEXIST)\n");
        assertThat(fault("list", "two").status()).isEqualTo(1);
    }

    @Test
    void adaptersAndFaultsAreCompleted() {
        fault("inject", "one", "--effect", "twice", "--name", "again");
        assertThat(Fakes.completed(command, "inject", "ADAPTER", Map.of())).containsExactly("one");
        assertThat(Fakes.completed(command, "clear", "FAULT", Map.of("ADAPTER", "one"))).containsExactly("again");
    }

    @Test
    void allMessagesAreOfferedWithTheirCodes() {
        List<FirmwareMonth.Message> messages = List.of(new FirmwareMonth.Message(0x20001, "ask"),
                new FirmwareMonth.Message(0x20f00, "shape"));
        workshop.topology.firmware = new FirmwareHistory() {
            @Override
            public List<FirmwareMonth> months() {
                return List.of(new FirmwareMonth("2024-01", messages.subList(0, 1), List.of()));
            }

            @Override
            public List<FirmwareMonth.Message> messages() {
                return messages;
            }

            @Override
            public List<MessageStatus> statuses() {
                return List.of(new MessageStatus(0, "success", "It is done."),
                        new MessageStatus(0xc00000bb, "not-supported", "Not in this form."));
            }

            @Override
            public String latest() {
                return "2024-01";
            }
        };
        assertThat(workshop.topology.completeStatuses().candidates(null)).as("of failure")
                .containsExactly(new Candidate("0xc00000bb", "not-supported", true));
        fault("inject", "one", "--status", "0xc00000bb", "--name", "named");
        fault("inject", "one", "--status", "0xc0000bad", "--name", "nameless");
        assertThat(fault("list").out()).contains("status 0xc00000bb not-supported  no\n",
                "status 0xc0000bad                no\n");
        assertThat(fault("list", "--json").dense()).contains("\"status\":\"0xc00000bb\",\"status_name\":"
                + "\"not-supported\"", "\"status\":\"0xc0000bad\",\"status_name\":null");
        one.traces.add(new FaultTrace(Instant.EPOCH, "ask", one.faults.getFirst()));
        assertThat(fault("list", "--spent").out()).contains("status 0xc00000bb not-supported\n");
        assertThat(workshop.topology.completeMessages().candidates(null)).containsExactly(
                new Candidate("ask", "0x20001, since 2024-01", true), new Candidate("shape", "0x20f00", true));
    }
}
