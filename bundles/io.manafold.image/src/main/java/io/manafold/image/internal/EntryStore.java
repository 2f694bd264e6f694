package io.manafold.image.internal;

/** What keeps entries of an archive, by canonical paths. */
interface EntryStore {
    /** What its names are counted by, and those of the archives in it. */
    NameBudget budget();

    /** How many more bytes of files it takes. */
    int room();

    /** Whether one more archive may stand in it. */
    boolean mayHoldAnother();

    /** @param bytes {@code null} if only the name is kept */
    void file(String path, byte[] bytes);

    /** An archive in the archive, or why it cannot be read. */
    void archive(String path, RawTree inside, String why);

    void folder(String path);

    void link(String path, String target);

    void other(String path);

    /** Takes an entry that says what of lower layers is gone; false if it is an entry like others. */
    default boolean whiteout(String path) {
        return false;
    }
}
