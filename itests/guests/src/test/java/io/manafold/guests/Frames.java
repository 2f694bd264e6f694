package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A capture as another program reads it. */
final class Frames {
    private final Path file;

    Frames(Path file) {
        this.file = file;
    }

    /** How many frames the filter lets through; checksums are verified. */
    long count(String filter) {
        return fields(filter, "frame.number").size();
    }

    /** One line for each frame: the fields' values, separated by tabs. */
    List<String> fields(String filter, String... fields) {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(),
                "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE",
                // streams that begin before the capture are not judged
                "-o", "tcp.desegment_tcp_streams:FALSE", "-o", "ip.defragment:FALSE", "-T", "fields"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        if (!filter.isEmpty()) {
            command.addAll(List.of("-Y", filter));
        }
        try {
            Process process = new ProcessBuilder(command).start();
            Output out = new Output(process.getInputStream());
            Output err = new Output(process.getErrorStream());
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("tshark ends").isTrue();
            assertThat(process.exitValue()).as("tshark: %s", err.all()).isZero();
            return out.all().lines().toList();
        } catch (IOException missing) {
            throw new UncheckedIOException("tshark must be installed", missing);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
