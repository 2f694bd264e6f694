package io.manafold.api.qualify;

import java.time.Duration;
import java.util.List;

/**
 * What to measure.
 *
 * @param from name of the device that sends, empty for the first
 * @param to name of the device that receives, empty for the next
 * @param sizes of frames in bytes, their checksum included
 * @param slice how long packets are sent for one trial
 * @param rounds how often all of it is measured; each gives every measure a slice
 * @param pings echo requests of a slice
 * @param servicing name of the adapter that is taken away and put back, empty for none
 * @param limit when no more rounds are begun; zero for no limit
 */
public record QualificationPlan(String from, String to, List<Integer> sizes, Duration slice, int rounds, int pings,
        String servicing, Duration limit) {
    /** The sizes that are usual. */
    public static final List<Integer> SIZES = List.of(64, 128, 256, 512, 1024, 1280, 1518, 4096, 9018);

    public QualificationPlan {
        sizes = List.copyOf(sizes);
    }
}
