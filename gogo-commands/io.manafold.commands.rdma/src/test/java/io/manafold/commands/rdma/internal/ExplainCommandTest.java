package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.RdmaTrace.Event;
import io.manafold.api.adapter.RdmaTrace.Failure;
import io.manafold.api.adapter.RdmaTrace.Kind;
import io.manafold.api.adapter.RdmaTrace.Operation;
import io.manafold.api.adapter.RdmaTrace.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
    private static final Instant THEN = Instant.parse("2026-11-25T08:00:00Z");
    private static final long NEVER = RdmaTrace.NEVER;

    private final FakeAdapter adapter = new FakeAdapter("a", "7870:00:00.0");
    private final Adapters adapters = new Adapters();
    private ExplainCommand command;

    @BeforeEach
    void devices() {
        FakeDevice near = new FakeDevice("mana_0", 1);
        FakeDevice far = new FakeDevice("mana_7", 1);
        adapters.adapters = List.of(adapter, new FakeAdapter("one", "7870:00:01.0"));
        adapters.devices = List.of(Map.entry(Map.of("address", "7870:00:00.0"), near),
                Map.entry(Map.of("address", "7870:00:09.0"), far));
        command = new ExplainCommand(Fakes.devices(near, far), adapters);
        adapter.traces.add(new RdmaTrace(pair(65_540), true, THEN, List.of(
                request(1, Operation.SEND, 100, 100, 40, 41),
                request(2, Operation.WRITE, 3000, 3, 90, 90, event(Kind.NAK_SEQUENCE, 30, 103, 1, null),
                        event(Kind.SENT_AGAIN, 40, 103, 2, null)),
                request(3, Operation.READ, 10, 1, NEVER, NEVER,
                        event(Kind.FAILED, 50, 105, 1, new Failure(0x162, "remote access error", "the rule", "the fix",
                                "10 bytes at 0x0")))),
                List.of(event(Kind.PEER_REFUSED, NEVER, 7, 1,
                        new Failure(0x43, "remote access error", "its rule", "its fix", null)))));
        adapter.traces.add(new RdmaTrace(pair(65_544), false, null, List.of(), List.of()));
    }

    private static RdmaQueuePair pair(int number) {
        return new RdmaQueuePair(number, "RC", "RTS", "a/1", "::ffff:10.77.0.2", 70_000, 1024, 0, 0, 0, 0, 1, 1, 1,
                RdmaQueuePair.Congestion.NONE);
    }

    private static Request request(long number, Operation operation, int length, int packets, long acknowledged,
            long completed, Event... events) {
        return new Request(number, THEN, operation, length, 64, 102, packets, 10, 20, 25, packets, acknowledged, 104, 9,
                completed, List.of(events));
    }

    private static Event event(Kind kind, long nanos, int psn, int packets, Failure failure) {
        return new Event(kind, THEN, nanos, psn, packets, 0, 0, failure);
    }

    private String explain(String line) {
        Fakes.Answer answer = Fakes.run(command, "qp " + line);
        assertThat(answer.err()).isEmpty();
        assertThat(answer.status()).isZero();
        return line.contains("--json") ? answer.dense() : answer.out();
    }

    @Test
    void aRequestFromDoorbellToCompletion() {
        assertThat(explain("mana_0/65540 --last 2")).doesNotContain("request 1:").containsSubsequence(
                "mana_0/65540: RC, ended, to queue pair 70000 at ::ffff:10.77.0.2, MTU 1024\n",
                "request 2: write, 3000 bytes, PSN 102-104, at 0x40 of the send ring, ",
                "       +0.000 us  doorbell\n",
                "       +0.010 us  taken from the ring\n",
                "       +0.020 us  PSN 102-104 sent within 0.005 us\n",
                "       +0.030 us  PSN 103 is lost: the peer misses it (NAK, PSN sequence error)\n",
                "       +0.040 us  PSN 103-104 sent again\n",
                "       +0.090 us  acknowledged, by PSN 104 (the peer counts 9 messages)\n",
                "       +0.090 us  completion\n");
    }

    @Test
    void anErrorWithItsRuleAndWhatToDo() {
        assertThat(explain("a/0x010004 --last 1")).containsSubsequence("request 3: read, 10 bytes, PSN 102, ",
                "completion with error 0x162, remote access error\n", " what: 10 bytes at 0x0\n", " rule: the rule\n",
                " fix:  the fix\n", "of the peer, and of no request above:\n",
                "PSN 7 was refused with error 0x43, remote access error\n", "its rule\n");
    }

    @Test
    void withoutANumberItIsTheOneThatHasWorkedLast() {
        assertThat(explain("mana_0")).startsWith("mana_0/65540: ").contains("request 1: ", "request 3: ");
        assertThat(explain("mana_0/65544")).isEqualTo(
                "mana_0/65544: RC, RTS, to queue pair 70000 at ::ffff:10.77.0.2, MTU 1024\nIts driver has posted no "
                + "request.\n");
        assertThat(explain("a --list")).contains("65540  ended  a/1 ").doesNotContain("65544");
    }

    @Test
    void forPrograms() {
        assertThat(explain("mana_0/65540 --last 2 --json"))
                .startsWith("{\"device\":\"mana_0\",\"port\":\"a/1\",\"qp\":65540,")
                        .contains("\"operation\":\"write\",\"bytes\":3000,\"ring_offset\":64,\"first_psn\":102,"
                                + "\"packets\":3,\"sent\":3,\"acknowledged\":true,\"completed\":true,"
                                + "\"steps\":[{\"event\":\"doorbell\",\"ns\":0,",
                        "{\"event\":\"nak_sequence\",\"ns\":30,\"psn\":103,\"packets\":1,\"lasted_ns\":0,",
                        "\"error\":\"0x162\",\"status\":\"remoteaccesserror\",\"rule\":\"therule\",\"fix\":\"thefix\"",
                        "\"events\":[{\"event\":\"peer_refused\",\"ns\":null,\"psn\":7,");
        assertThat(explain("one --list --json")).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | qp mana_9                 | There is no RDMA device or adapter 'mana_9'; did you mean 'mana_
            1 | qp mana_7/65540           | The adapter behind mana_7 is of another platform
            1 | qp one                    | No queue pair with a reliable connection of one has done anything yet
            1 | qp mana_0/5               | has no queue pair 5. (ENOENT)
            2 | qp mana_0/16777216        | Numbers of queue pairs go to 16777215 (24 bits); 16777216 is none.
            2 | qp mana_0/                | A queue pair is DEVICE/NUMBER, as in mana_0/65540 or mana_0/0x010004, and not 'mana_0/'.
            2 | qp mana_0/-1              | and not 'mana_0/-1'.
            2 | qp mana_0/+5              | and not 'mana_0/+5'.
            2 | qp mana_0/0x              | and not 'mana_0/0x'.
            2 | qp mana_0/1/2             | and not 'mana_0/1/2'.
            2 | qp mana_0/999999999999999 | and not 'mana_0/999999999999999'.
            2 | qp mana_0 --last 65       | from 1 to 64
            2 | qp mana_0 --last 0        | from 1 to 64
            2 | qp mana_0/5 --list        | so a number does not go with it
            2 | qp mana_0 --list --last 3 | so --last does not go with it
            2 | qp                        | QP
            2 | wq mana_0                 | wq
            """)
    void whatThereIsNotIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[2J", "mana_0/\u0661", "%s%n", "mana_0/0x\u0000", "/", "//5", "mana_0\u0007/5", "..",
            "a/\uff11"})
    void hostileWordsAreShownHarmlessAndNoMore(String word) {
        Fakes.Answer answer = Fakes.run(command, "qp " + word);
        assertThat(answer.status()).isBetween(1, 2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).matches("[^\\p{Cntrl}\\n]*\n?(?s:usage: .*)?");
    }

    @Test
    void whatAdaptersSayCannotMoveTheCursor() {
        adapter.traces.set(0,
                new RdmaTrace(new RdmaQueuePair(9, "RC", "RTS", "a/1", "\u001b[2J", 1, 1024, 0, 0, 0, 0, 1, 1, 1,
                        RdmaQueuePair.Congestion.NONE), false, THEN, List.of(), List.of()));
        assertThat(explain("a/9")).contains("\\u001b[2J").doesNotContain("\u001b");
    }
}
