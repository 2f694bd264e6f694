package io.manafold.api.sockets;

/**
 * A knob as it was asked for and as it is.
 *
 * @param asked {@code null} if it was not
 * @param why it is so, a clause
 */
public record KnobState(Knob knob, String asked, String got, String why) {
}
