package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Call;
import io.manafold.shell.Table;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryCommandTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("history");
    }

    /** The rows that it shows. */
    private List<List<Object>> shown(int last) {
        List<List<Object>> rows = new ArrayList<>();
        Call call = (Call) Proxy.newProxyInstance(Call.class.getClassLoader(), new Class<?>[] {Call.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("print")) {
                        ((Table) arguments[0]).rows().forEach(row -> rows.add(List.copyOf(row)));
                        return null;
                    }
                    return last == 0 ? OptionalInt.empty() : OptionalInt.of(last);
                });
        new HistoryCommand(file).run(call);
        return rows;
    }

    @Test
    void showsTheLinesByNumber() throws IOException {
        assertThat(shown(0)).isEmpty();
        Files.writeString(file, "one\ntwo\nthree\n");
        assertThat(shown(0)).containsExactly(List.of(1, "one"), List.of(2, "two"), List.of(3, "three"));
        assertThat(shown(2)).containsExactly(List.of(2, "two"), List.of(3, "three"));
    }

    @Test
    void showsLinesAsTheyWereTyped() throws IOException {
        Files.writeString(file, "grep \\\\d\\\\n x\nfirst\\nsecond\\r\nends so \\\n");
        assertThat(shown(0)).extracting(List::getLast)
                .containsExactly("grep \\d\\n x", "first\nsecond\r", "ends so \\");
    }

    @Test
    void readsNoMoreThanTheEndOfALargeFile() throws IOException {
        String line = "x".repeat(1023) + "\n";
        Files.writeString(file, line.repeat(4096));
        assertThat(shown(0)).as("whole lines of the last MiB").hasSize(1024).last().isEqualTo(
                List.of(1024, line.strip()));
        Files.writeString(file, "y".repeat(3 << 20) + "\nlast\n");
        assertThat(shown(0)).containsExactly(List.of(1, "last"));
    }
}
