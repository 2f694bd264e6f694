package io.manafold.commands.rdma.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Command;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs commands over small stand-ins for the services that they speak to. */
final class Fakes {
    private Fakes() {
    }

    /** What a command answered. */
    record Answer(int status, String out, String err) {
        /** The answer without white space. */
        String dense() {
            return out.replaceAll("\\s", "");
        }
    }

    static Answer run(Command command, String line) {
        return run(command, line, new ByteArrayOutputStream(), new ByteArrayOutputStream());
    }

    /** What it says can be read meanwhile. */
    static Answer run(Command command, String line, ByteArrayOutputStream out, ByteArrayOutputStream err) {
        int status = CommandLine.run(command, line.isEmpty() ? List.of() : List.of(line.split(" ")),
                new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Memory that is used up. */
    static MemorySource noMemory() {
        return new MemorySource() {
            @Override
            public MemoryBlock make(String name, long bytes) {
                throw new Refusal(Errno.ENOMEM, "There is no memory.");
            }

            @Override
            public List<MemoryBlock> blocks() {
                return List.of();
            }
        };
    }

    static Devices devices(FakeDevice... devices) {
        Devices there = new Devices();
        there.devices = List.of(devices);
        there.memory = new MemorySource() {
            @Override
            public MemoryBlock make(String name, long bytes) {
                throw new UnsupportedOperationException(name);
            }

            @Override
            public List<MemoryBlock> blocks() {
                return List.of();
            }
        };
        return there;
    }
}
