package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.FirmwareMonth;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirmwareCommandTest {
    private final Workshop workshop = new Workshop();
    private final FirmwareCommand command = new FirmwareCommand(workshop.topology);

    @BeforeEach
    void twoMonthsAreKnown() {
        workshop.topology.firmware = new FirmwareHistory() {
            @Override
            public List<FirmwareMonth> months() {
                return List.of(new FirmwareMonth("2022-03", List.of(new FirmwareMonth.Message(1, "hello")), List.of(),
                        List.of(new FirmwareMonth.Limit("lamps", 1, "lamps of a port"),
                                new FirmwareMonth.Limit("ports", 8, "ports"))),
                        new FirmwareMonth("2024-01", List.of(new FirmwareMonth.Message(0x20001, "ask")),
                                List.of(new FirmwareMonth.Feature("lights", "It has lights.")),
                                List.of(new FirmwareMonth.Limit("lamps", 4, "lamps of a port"))));
            }

            @Override
            public List<FirmwareMonth.Message> messages() {
                return months().stream().flatMap(month -> month.messages().stream()).toList();
            }

            @Override
            public String latest() {
                return "2025-02";
            }
        };
    }

    private Fakes.Answer firmware(String... words) {
        return Fakes.run(command, words);
    }

    @Test
    void monthsAreListed() {
        assertThat(firmware("list").out()).isEqualTo("""
                MONTH    MESSAGES  LIMITS  FEATURES
                2022-03         1       2  –
                2024-01         1       1  lights
                """);
        assertThat(firmware("list", "--json").dense())
                .isEqualTo("[{\"month\":\"2022-03\",\"messages\":1,\"limits\":2,\"features\":\"\"},"
                        + "{\"month\":\"2024-01\","
                        + "\"messages\":1,\"limits\":1,\"features\":\"lights\"}]");
    }

    @Test
    void aMonthKnowsWhatCameUntilThen() {
        assertThat(firmware("show", "2023-12").out()).contains("0x00001").doesNotContain("lights");
        assertThat(firmware("show", "2025-02", "--json").dense()).isEqualTo(
                "[{\"since\":\"2022-03\",\"kind\":\"message\",\"name\":\"hello\",\"code\":\"0x00001\","
                + "\"value\":null,\"meaning\":null},"
                + "{\"since\":\"2024-01\",\"kind\":\"message\",\"name\":\"ask\",\"code\":\"0x20001\","
                + "\"value\":null,\"meaning\":null},"
                + "{\"since\":\"2024-01\",\"kind\":\"feature\",\"name\":\"lights\",\"code\":null,"
                + "\"value\":null,\"meaning\":\"Ithaslights.\"},"
                + "{\"since\":\"2024-01\",\"kind\":\"limit\",\"name\":\"lamps\",\"code\":null,"
                + "\"value\":4,\"meaning\":\"lampsofaport\"},"
                + "{\"since\":\"2022-03\",\"kind\":\"limit\",\"name\":\"ports\",\"code\":null,"
                + "\"value\":8,\"meaning\":\"ports\"}]");
        assertThat(firmware("show", "2023-12").out()).containsPattern("2022-03 +limit +lamps +– +1 +lamps of a port");
    }

    @Test
    void twoMonthsDifferInWhatCameBetween() {
        for (String[] words : new String[][] {{"diff", "2022-03", "2024-01"}, {"diff", "2025-01", "2023-12"}}) {
            assertThat(firmware(words).out()).contains("ask").contains("lights").doesNotContain("hello")
                    .containsPattern("limit +lamps +– +4 +lamps of a port +1\n").doesNotContain("ports");
        }
        assertThat(firmware("diff", "2024-01", "2025-02").out().lines()).hasSize(1);
    }

    @Test
    void thePageHasAllOfIt() {
        assertThat(firmware("list", "--markdown").out()).startsWith("# Firmware\n").contains("from 2022-03 to 2025-02")
                .contains("| 2024-01 | `ask` | **lights** It has lights. | `lamps` 4 |\n",
                        "| `lamps` | lamps of a port |\n");
        assertThat(firmware("list", "--markdown", "--json").status()).isEqualTo(2);
    }

    @Test
    void tabKnowsTheMonths() {
        assertThat(Fakes.completed(command, "show", "MONTH", Map.of())).containsExactly("2022-03", "2024-01",
                "2025-02");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            show 2021-12         | 1 | No firmware of 2021-12 is known: choose a month from 2022-03 to 2025-02. (ENOENT)
            show 2025-03         | 1 | No firmware of 2025-03 is known: choose a month from 2022-03 to 2025-02. (ENOENT)
            show 2025-13         | 2 | '2025-13' is no month: write year and month, as in 2025-02.
            diff 2022-03 october | 2 | 'october' is no month: write year and month, as in 2025-02.
            """)
    void otherMonthsAreRefused(String words, int status, String sentence) {
        Fakes.Answer answer = firmware(words.split(" "));
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.err()).contains(sentence);
    }

    @Test
    void withoutAdaptersThereIsASentence() {
        workshop.topology.firmware = null;
        assertThat(firmware("list").err()).contains("start io.manafold.adapter").endsWith("(ENODEV)\n");
    }
}
