package io.manafold.dropin.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a private copy of a file and inspects that: what was found good is then what the framework gets, whatever
 * happens to the file meanwhile.
 */
final class StagingArea {
    private static final Logger LOG = LoggerFactory.getLogger(StagingArea.class);

    private final Inspector inspector = new Inspector();
    private final Path staging;

    /** @param staging a folder that no other process uses */
    StagingArea(Path staging) {
        this.staging = staging;
    }

    /**
     * Copies and inspects.
     *
     * @return nothing if the file has moved on since it was seen, and is to be left alone until it stands still again
     */
    Optional<Taken> take(FileObservation sighting, long largest) throws Declined {
        if (sighting.state().size() == 0) {
            throw Declined.forGood("it is empty");
        }
        if (sighting.state().size() > largest) {
            throw Declined.forGood("it has " + (sighting.state().size() >> 20) + " MiB, and at most " + (largest >> 20)
                    + " MiB are taken; 'largest' in the configuration io.manafold.dropin raises that");
        }
        Path copy = null;
        boolean good = false;
        try {
            Files.createDirectories(staging);
            copy = Files.createTempFile(staging, "taken", ".jar");
            if (!copy(sighting.path(), copy, largest)
                    || !Folder.look(sighting.path()).map(FileObservation::state)
                    .equals(Optional.of(sighting.state()))) {
                return Optional.empty();
            }
            Taken taken = new Taken(copy, inspector.inspect(copy));
            good = true;
            return Optional.of(taken);
        } catch (AccessDeniedException e) {
            throw Declined.forNow("it may not be read (" + Wording.reason(e) + "); change its permissions");
        } catch (IOException e) {
            throw Declined.forNow("it could not be copied into the platform (" + Wording.reason(e) + ")");
        } finally {
            if (!good && copy != null) {
                discard(copy);
            }
        }
    }

    private static boolean copy(Path from, Path to, long largest) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long copied = 0;
        try (InputStream in = Files.newInputStream(from); OutputStream out = Files.newOutputStream(to)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                copied += count;
                if (copied > largest) {
                    return false;
                }
                out.write(buffer, 0, count);
            }
        }
        return true;
    }

    private static void discard(Path copy) {
        try {
            Files.deleteIfExists(copy);
        } catch (IOException e) {
            // it stays until the watcher starts anew and empties the staging folder
            LOG.debug("{} could not be deleted", copy, e);
        }
    }

    /** An inspected copy, deleted on close. */
    record Taken(Path copy, Identity identity) implements AutoCloseable {
        @Override
        public void close() {
            discard(copy);
        }
    }
}
