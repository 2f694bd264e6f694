package io.manafold.adapter.internal.rdma;

/** Words of completions. */
final class Entries {
    private Entries() {
    }

    /** Two words that follow each other. */
    static long pair(int first, int second) {
        return first & 0xffff_ffffL | (long) second << 32;
    }
}
