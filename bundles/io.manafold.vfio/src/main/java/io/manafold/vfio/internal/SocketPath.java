package io.manafold.vfio.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.osgi.framework.BundleContext;

/** Where an export's socket lies. */
final class SocketPath {
    /** The kernel's room for the path, less the zero at its end. */
    static final int MOST_BYTES = 107;

    private SocketPath() {
    }

    static Path of(BundleContext context, String adapter, String configured) {
        String data = context.getProperty("manafold.data");
        Path folder = data == null || data.isBlank() ? context.getDataFile("vfio").toPath() : Path.of(data, "vfio");
        return of(folder, configured == null || configured.isEmpty() ? adapter + ".sock" : configured);
    }

    static Path of(Path folder, String configured) {
        Path path;
        try {
            path = folder.toAbsolutePath().resolve(configured).normalize();
        } catch (InvalidPathException impossible) {
            throw new Refusal(Errno.EINVAL, "an export's socket cannot be at '" + configured + "': "
                    + impossible.getReason());
        }
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new Refusal(Errno.ENAMETOOLONG, "the socket's path " + path + " has " + bytes
                    + " bytes; a socket's has at most " + MOST_BYTES + ". Give the export a shorter 'socket'");
        }
        return path;
    }
}
