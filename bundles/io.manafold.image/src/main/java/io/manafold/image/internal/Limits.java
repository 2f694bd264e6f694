package io.manafold.image.internal;

/** How much is read of what strangers have made. */
final class Limits {
    /** Bytes of a text that are shown to checks. */
    static final int TEXT = 1 << 20;
    /** Bytes of a binary, unpacked. */
    static final int BINARY = 16 << 20;
    /** Bytes of a document that tells of a container image. */
    static final int DOCUMENT = 256 << 10;
    /** Names of a folder. */
    static final int NAMES = 20_000;
    /** Links on the way of one path, as Linux has it. */
    static final int LINKS = 40;
    /** Folders that a path goes through. */
    static final int DEPTH = 64;
    /** Bytes of a name with its folders. */
    static final int NAME = 4096;
    /** Entries of an archive that are remembered. */
    static final int ENTRIES = 200_000;
    /** Bytes of all names that are remembered. */
    static final int ALL_NAMES = 24 << 20;
    /** Entries of all layers of an image: while they are put over each other they are remembered twice. */
    static final int LAYER_ENTRIES = 100_000;
    /** Bytes of all names of layers. */
    static final int LAYER_NAMES = 12 << 20;
    /** Bytes of an archive's files that are remembered. */
    static final int KEPT = 24 << 20;
    /** Bytes that an archive may unpack to. */
    static final long UNPACKED = 64L << 30;
    /** KiB that unpacking xz may take. */
    static final int XZ_MEMORY = 56 << 10;
    /** The same for what stands in another archive. */
    static final int XZ_MEMORY_INSIDE = 16 << 10;
    /** Archives in an archive that are looked into. */
    static final int INSIDE = 16;
    /** Bytes of what is unpacked that zstd may refer to. */
    static final int ZSTD_WINDOW = 16 << 20;
    /** Bytes of initial files on a disk. */
    static final int INITIAL_FILES = 512 << 20;
    /** Seconds that a helper machine may take: its processor is emulated. */
    static final int DISK_SECONDS = 240;
    /** Seconds that an archive may take. */
    static final int SECONDS = 60;

    private Limits() {
    }
}
