package io.manafold.api.doctor;

import java.util.List;
import java.util.SortedMap;

/** What an image shows of each of its kernels, and which ways of using MANA it is fit for. */
public record Survey(List<Kernel> kernels, List<Verdict> verdicts) {
    /**
     * A kernel that is installed.
     *
     * @param facts by what they are about, such as {@code CONFIG_MICROSOFT_MANA}
     */
    public record Kernel(String release, SortedMap<String, String> facts) {
    }

    /**
     * Whether one way of using MANA will work.
     *
     * @param name the way: {@code function alone}, {@code pair}, {@code servicing}, {@code RDMA}, {@code DPDK}
     * @param why a sentence without a full stop
     * @param evidence the lines that have decided
     */
    public record Verdict(String name, Answer answer, String why, List<Finding.Line> evidence) {
    }

    /** Whether it will work. */
    public enum Answer {
        YES, NO, NOT_SHOWN
    }
}
