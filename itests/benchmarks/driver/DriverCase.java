package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured.
 *
 * @param oneThread whether driver and adapter share the link's thread
 * @param batch frames that are sent at once
 */
record DriverCase(boolean oneThread, int frame, int batch) {
    static List<DriverCase> all() {
        List<DriverCase> all = new ArrayList<>();
        for (int threads : numbers("threads", "1,2")) {
            for (int frame : numbers("frames", "64,1500")) {
                for (int batch : numbers("batches", "1,8,32,256")) {
                    all.add(new DriverCase(threads == 1, frame, batch));
                }
            }
        }
        return all;
    }

    private static int[] numbers(String property, String usual) {
        return Stream.of(System.getProperty(property, usual).split(",")).mapToInt(Integer::parseInt).toArray();
    }

    int threads() {
        return oneThread ? 1 : 2;
    }
}
