package io.manafold.lab.internal;

/** What may stand as the value of a key, and what becomes of it. */
interface ValueType {
    /** What it is, for a sentence and a table: {@code a rate}. */
    String label();

    /** What is allowed, for a sentence and a table: {@code 10mbit to 400gbit}. */
    String allowed();

    /** The unit and class that the value has in a configuration: {@code Long, bit/s}. */
    String arrivesAs();

    /** @throws Unfit if the text is not of this type or not allowed */
    Object read(String text) throws Unfit;

    /** Whether quotes around the value make it another one: {@code "2"} is text, not a number. */
    default boolean isText() {
        return true;
    }

    /** The value as a file would say it. */
    default String show(Object value) {
        return String.valueOf(value);
    }

    /** Why a text is not a value: a clause that follows the text in quotes, as in {@code is not a number}. */
    final class Unfit extends Exception {
        private static final long serialVersionUID = 1L;

        Unfit(String clause) {
            super(clause, null, false, false);
        }
    }
}
