package io.manafold.api.net;

/**
 * An offload by the name that {@code ethtool -k} gives it.
 *
 * @param fixed it cannot be changed
 */
public record Feature(String name, boolean on, boolean fixed) {
}
