package io.manafold.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Candidate;
import io.manafold.shell.Fields;
import io.manafold.shell.Session;
import io.manafold.shell.Syntax;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class JsonFormTest {
    private final GogoFixture shell = new GogoFixture();

    @AfterEach
    void close() {
        shell.close();
    }

    @Test
    void jsonIsIndentedOrOnOneLineAsTheUserWants() {
        String usual = "[\n    {\n        \"name\": \"one\",\n        \"count\": 1\n    },\n    {\n        \"name\": "
                + "\"two\",\n        \"count\": 22\n    }\n]\n";
        assertThat(shell.run("list --json")).isZero();
        assertThat(shell.out()).isEqualTo(usual);
        assertThat(shell.run("list --pretty --json")).isZero();
        assertThat(shell.out()).isEqualTo(usual);
        assertThat(shell.run("list --json --compact")).isZero();
        assertThat(shell.out()).isEqualTo("[{\"name\":\"one\",\"count\":1},{\"name\":\"two\",\"count\":22}]\n");
        shell.add(new FakeCommand(Syntax.command("flow", "test", "Flows").shows().example("flow", "it").build(),
                call -> call.printLine(Fields.of("n", 1))));
        shell.run("flow --json");
        assertThat(shell.out()).isEqualTo("{\"n\":1}\n");
        shell.run("flow --json --pretty");
        assertThat(shell.out()).isEqualTo("{\n    \"n\": 1\n}\n");
        shell.run("list --help --json --compact");
        assertThat(shell.out()).startsWith("{\"name\":\"list\",").hasLineCount(1);
    }

    @Test
    void aFormOfJsonNeedsJson() {
        assertThat(shell.run("list --pretty")).isEqualTo(Session.USAGE);
        assertThat(shell.err()).startsWith("manafold: --pretty goes with --json.");
        assertThat(shell.run("list --json --pretty --compact")).isEqualTo(Session.USAGE);
        assertThat(shell.err()).contains("One at a time: --pretty or --compact.");
        assertThat(shell.run("say --pretty")).as("a command that reads its words itself").isZero();
        assertThat(shell.out()).isEqualTo("--pretty\n");
        shell.add(new FakeCommand(Syntax.command("own", "test", "Has its own").shows().flag("--compact", "small")
                .example("own", "it").build(), call -> call.out().println(call.flag("--compact"))));
        assertThat(shell.run("own --compact")).isZero();
        assertThat(shell.out()).isEqualTo("true\n");
    }

    @Test
    void theFormsAreOfferedBesideJson() {
        assertThat(shell.session.complete("list --p", 8)).isEmpty();
        assertThat(shell.session.complete("list --json --p", 15)).extracting(Candidate::value)
                .containsExactly("--pretty");
    }
}
