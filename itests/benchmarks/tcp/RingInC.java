package io.manafold.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/** The program in C: rings as ours, a thread at each end. It works when it is told to. */
final class RingInC implements Carrier {
    private final Process program;
    private final BufferedReader answers;
    private final PrintStream orders;

    RingInC(String path, TcpCase what) throws IOException {
        program = new ProcessBuilder(path, String.valueOf(what.bytes()), String.valueOf(what.burst()))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        answers = new BufferedReader(new InputStreamReader(program.getInputStream()));
        orders = new PrintStream(program.getOutputStream(), true);
        run(1);
    }

    @Override
    public Slice run(long millis) throws IOException {
        orders.println(millis);
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the program in C has ended");
        }
        String[] words = line.split(" ");
        return new Slice(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]),
                Long.parseLong(words[3]), Long.parseLong(words[4]), Double.NaN);
    }

    @Override
    public long[] threads() {
        return new long[0];
    }

    @Override
    public void close() throws InterruptedException {
        orders.close();
        program.waitFor();
    }
}
