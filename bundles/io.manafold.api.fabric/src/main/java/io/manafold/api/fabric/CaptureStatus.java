package io.manafold.api.fabric;

import java.nio.file.Path;

/**
 * A capture at a moment.
 *
 * @param frames how many it holds
 * @param missed how many could not be written: it never slows the link down
 * @param complete whether it holds as many frames as were asked for, has ended by itself, and can be read
 * @param problem why it ended early, or {@code null}
 */
public record CaptureStatus(String link, Path file, long frames, long bytes, long missed, boolean complete,
        String problem) {
}
