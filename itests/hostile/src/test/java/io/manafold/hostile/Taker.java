package io.manafold.hostile;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Takes inputs of one kind as the product does. */
public interface Taker extends AutoCloseable {
    /** Takes an input and returns when all of it has been dealt with; throws if it was neither done nor refused. */
    void take(byte[] input) throws Exception;

    /** What sound users send: the inputs that the corpus of a kind begins with. */
    List<byte[]> seeds() throws Exception;

    /** Whether a sentence has a word that is not for readers and that is not quoted from the input. */
    static boolean says(String word, String sentence, byte[] input) {
        return sentence.contains(word) && !new String(input, StandardCharsets.ISO_8859_1).contains(word);
    }

    @Override
    default void close() throws Exception {
    }
}
