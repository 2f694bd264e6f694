package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/**
 * How many entries may be remembered of an image, and how long their names and what its links say may be in all. The
 * archives that stand in it share it: each of them could be as large as the image.
 */
final class NameBudget {
    private final int mostEntries;
    private final int mostBytes;
    private final String subject;
    private final String them;
    private int entries;
    private int bytes;

    private NameBudget(int mostEntries, int mostBytes, String subject, String them) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
        this.subject = subject;
        this.them = them;
    }

    static NameBudget ofArchive() {
        return new NameBudget(Limits.ENTRIES, Limits.ALL_NAMES, "The archive has", "it");
    }

    static NameBudget ofLayers() {
        return new NameBudget(Limits.LAYER_ENTRIES, Limits.LAYER_NAMES, "The layers have", "them");
    }

    private static int length(String path, String link) {
        return path.length() + (link == null ? 0 : link.length());
    }

    /**
     * Counts one more.
     *
     * @param link what it says if it is a link, or {@code null}
     * @throws Refusal {@code EMSGSIZE} if that is too much
     */
    void take(String path, String link) {
        bytes += length(path, link);
        if (++entries > mostEntries || bytes > mostBytes) {
            throw new Refusal(Errno.EMSGSIZE, subject + " more than " + mostEntries + " entries of interest, or names "
                    + "of more than " + (mostBytes >> 20) + " MiB; unpack " + them
                    + " and name the folder instead.");
        }
    }

    /** Counts one less. */
    void give(String path, String link) {
        bytes -= length(path, link);
        entries--;
    }
}
