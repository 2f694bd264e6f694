package io.manafold.commands.platform.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LabCommandTest {
    private final Platform platform = new Platform();
    private final LabCommand lab = new LabCommand(platform);
    private final Fakes.OneLab labs = new Fakes.OneLab();

    @BeforeEach
    void fill() {
        platform.labs = labs;
    }

    @Test
    void aLabGoesUpAndDown() {
        assertThat(Fakes.run(lab, "show", "--diff", "default").out()).isEqualTo("""
                CHANGE  SECTION   NAME  DETAIL
                add     adapters  one   ports 2
                """);
        assertThat(Fakes.run(lab, "up", "default").status()).isZero();
        assertThat(Fakes.run(lab, "up", "default").out()).isEqualTo("CHANGE  SECTION  NAME  DETAIL\n");
        assertThat(Fakes.run(lab, "up", "default", "--json").out()).isEqualTo("[]\n");
        assertThat(Fakes.run(lab, "list").out()).isEqualTo("""
                NAME     STATE  ENTRIES  SOURCE    TITLE
                default  up           1  built in  Where everything begins
                """);
        assertThat(Fakes.run(lab, "list", "--json").out()).contains("\"up\": true");
        assertThat(Fakes.run(lab, "down", "default").out()).contains("remove  adapters  one   –");
        assertThat(Fakes.run(lab, "show", "default").out()).isEqualTo("# Where everything begins\nadapters: []\n");
    }

    @Test
    void whatIsMissingFailsTheCommand() {
        labs.missing.add("7870:00:00.0 has no driver");
        assertThat(Fakes.run(lab, "up", "default", "--wait", "0")).isEqualTo(new Fakes.Answer(1,
                "CHANGE  SECTION   NAME  DETAIL\nadd     adapters  one   ports 2\n",
                "manafold: After 0 s lab 'default' is not complete:\n  7870:00:00.0 has no driver\n"
                        + "'devices' and 'events' may say why. (ETIMEDOUT)\n"));
    }

    @Test
    void whatDoesNotGoFailsTheCommand() {
        labs.lingering.add("adapters/one is still there");
        assertThat(Fakes.run(lab, "down", "default")).isEqualTo(new Fakes.Answer(1,
                "CHANGE  SECTION   NAME  DETAIL\nremove  adapters  one   –\n",
                "manafold: After 30 s lab 'default' is not gone:\n  adapters/one is still there (ETIMEDOUT)\n"));
    }

    @Test
    void wrongWordsAndAbsentLabsAreExplained() {
        assertThat(Fakes.run(lab).err())
                .startsWith("manafold: lab needs to know what to do: list, up, down, show.\nusage: lab list");
        assertThat(Fakes.run(lab, "upp").err())
                .startsWith("manafold: There is no verb of lab 'upp'; did you mean 'up'?\n");
        assertThat(Fakes.run(lab, "up").status()).isEqualTo(2);
        assertThat(Fakes.run(lab, "up", "nosuch").err()).isEqualTo("manafold: There is no lab 'nosuch'. (ENOENT)\n");
        assertThat(Fakes.run(lab, "up", "--help").out())
                .startsWith("usage: lab up [--wait SECONDS] [--fresh] LAB [--json]\n");
        platform.labs = null;
        assertThat(Fakes.run(lab, "list").err()).contains("io.manafold.lab is missing or stopped");
    }
}
