package io.manafold.api.lab;

/**
 * One step between what is and what a lab says.
 *
 * @param section the list it stands in: {@code adapters}, {@code links} …
 * @param name the entry's name
 * @param detail which keys change, in words; empty for a removal
 */
public record LabChange(Kind kind, String section, String name, String detail) {
    /** What is done to the entry; {@code KEPT} is what was set by hand and stays. */
    public enum Kind {
        ADD, CHANGE, REMOVE, KEPT
    }
}
