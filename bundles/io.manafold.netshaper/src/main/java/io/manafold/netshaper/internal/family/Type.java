package io.manafold.netshaper.internal.family;

/** How an attribute is written in a message, with the number by which a refusal describes that. */
public enum Type {
    FLAG(1), U32(4), NEST(13), UINT(17);

    private final int number;

    Type(int number) {
        this.number = number;
    }

    /** Its number in the description of a rule that a request broke. */
    public int number() {
        return number;
    }
}
