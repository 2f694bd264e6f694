package io.manafold.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The program in C that does the same work on the same threads; nanoseconds of one thread are of its processor time.
 */
final class EqualWork implements Peer {
    private final Process process;
    private final PrintStream to;
    private final BufferedReader from;

    EqualWork(String program, LoopCase what, int burst) throws IOException {
        this(program, what, burst, false);
    }

    /**
     * Starts it.
     *
     * @param pools whether packets come from a pool, have an owner, and get their headers each time
     */
    EqualWork(String program, LoopCase what, int burst, boolean pools) throws IOException {
        List<String> command = new ArrayList<>(List.of(program, "" + what.frame(), "" + what.queues(), "" + burst,
                what.hash() ? "1" : "0", what.threads().toString()));
        if (pools) {
            command.add("pools");
        }
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        to = new PrintStream(process.getOutputStream(), true);
        from = new BufferedReader(new InputStreamReader(process.getInputStream()));
    }

    @Override
    public double slice(long millis) throws IOException {
        to.println(millis);
        String answer = from.readLine();
        if (answer == null) {
            throw new IllegalStateException("the program in C has ended");
        }
        String[] words = answer.split(" ");
        return Double.parseDouble(words[1]) / Double.parseDouble(words[0]);
    }

    @Override
    public void close() {
        to.close();
        process.destroy();
    }
}
