package io.manafold.benchmark;

import io.manafold.api.device.PciFunction;
import io.manafold.vfio.internal.LoopExport;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two adapters of another process, a {@link VerbsLender}, borrowed from it. */
final class LentAdapters implements TwoAdapters {
    private final Path folder = Files.createTempDirectory("lent");
    private final Process lender;
    private final BufferedReader said;
    private final PciFunction left;
    private final PciFunction right;

    LentAdapters() throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), VerbsLender.class.getName(),
                folder.toString()));
        lender = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        said = lender.inputReader();
        expect(VerbsLender.READY);
        left = LoopExport.borrow("left", 0, folder.resolve("left"));
        right = LoopExport.borrow("right", 1, folder.resolve("right"));
    }

    private String expect(String beginning) {
        try {
            String line = said.readLine();
            if (line == null || !line.startsWith(beginning)) {
                throw new IllegalStateException("the lender says " + line + ", and not " + beginning);
            }
            return line.substring(beginning.length());
        } catch (IOException failed) {
            throw new IllegalStateException("the lender has ended", failed);
        }
    }

    @Override
    public PciFunction left() {
        return left;
    }

    @Override
    public PciFunction right() {
        return right;
    }

    private String ask(char what, String beginning) {
        try {
            lender.getOutputStream().write(what);
            lender.getOutputStream().flush();
        } catch (IOException failed) {
            throw new IllegalStateException("the lender has ended", failed);
        }
        return expect(beginning);
    }

    @Override
    public List<?> refused() {
        String refused = ask('?', VerbsLender.REFUSED);
        return refused.isEmpty() ? List.of() : List.of(refused);
    }

    @Override
    public long allocated() {
        return Long.parseLong(ask(VerbsLender.HOW_MUCH, VerbsLender.ALLOCATED));
    }

    /** The functions go back, and the lender ends by itself once no borrower talks to it. */
    @Override
    public void close() throws InterruptedException {
        try {
            ((AutoCloseable) left).close();
            ((AutoCloseable) right).close();
            lender.getOutputStream().close();
            if (!lender.waitFor(20, TimeUnit.SECONDS)) {
                lender.destroyForcibly();
                throw new IllegalStateException("the lender does not end");
            }
            Files.deleteIfExists(folder.resolve("left"));
            Files.deleteIfExists(folder.resolve("right"));
            Files.delete(folder);
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
