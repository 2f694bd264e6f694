package io.manafold.api.sockets;

/**
 * Whether a value of a knob can be had.
 *
 * @param why a clause
 * @param errno what the kernel answered, 0 if it did it or was not asked
 */
public record KnobOffer(Knob knob, String value, boolean available, String why, int errno) {
}
