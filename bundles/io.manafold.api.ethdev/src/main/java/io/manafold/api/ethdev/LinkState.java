package io.manafold.api.ethdev;

/**
 * How a link is.
 *
 * @param speed in Mbit/s, 0 if unknown
 */
public record LinkState(boolean isUp, int speed) {
}
