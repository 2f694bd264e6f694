package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.List;

/** Others on the machine: a thread for each processor that computes and never rests. */
final class Company implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;
    /** So that it is not left out. */
    private volatile long computed;

    Company() {
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(Thread.ofPlatform().daemon().name("company-" + i).start(this::compute));
        }
    }

    private void compute() {
        long value = 1;
        while (!over) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        computed = value;
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
