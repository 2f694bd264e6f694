package io.manafold.itests.embedding.dropped;

/** What one dropped bundle exports to another. */
public final class Word {
    public static final Object WORD = System.identityHashCode(Word.class);

    private Word() {
    }
}
