package io.manafold.dropin.internal;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.osgi.framework.Version;

/**
 * Looks into a JAR before the framework does. Every byte is read once, so that a JAR with a piece missing or damaged is
 * found out here and not by a class that fails to load; every size is counted and not believed.
 */
final class Inspector {
    private static final int MOST_ENTRIES = 20_000;
    private static final int LARGEST_MANIFEST = 512 * 1024;
    private static final long LARGEST_UNPACKED = 256L << 20;
    private static final int LONGEST_NAME = 255;
    private static final Pattern SYMBOLIC_NAME = Pattern.compile("[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*");
    private static final String AGAIN = "; copy it once more";

    private final byte[] buffer = new byte[32 * 1024];

    Identity inspect(Path jar) throws Declined {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            if (zip.size() > MOST_ENTRIES) {
                throw Declined.forGood("it has " + zip.size() + " entries, and at most " + MOST_ENTRIES + " are taken");
            }
            long left = LARGEST_UNPACKED;
            for (ZipEntry entry : Collections.list(zip.entries())) {
                checkName(entry.getName());
                left = readThrough(zip, entry, left);
            }
            return identity(manifest(zip));
        } catch (EOFException e) {
            throw Declined.forGood("it is not a complete ZIP file (an entry ends too early)" + AGAIN);
        } catch (ZipException e) {
            throw Declined.forGood("it is not a complete ZIP file (" + Wording.plain(e.getMessage()) + ")" + AGAIN);
        } catch (IOException | RuntimeException e) {
            throw Declined.forGood("it cannot be read as a ZIP file (" + Wording.reason(e) + ")" + AGAIN);
        } catch (OutOfMemoryError e) {
            throw Declined.forGood("its table of contents does not fit into memory");
        } catch (Error e) {
            throw Declined.forGood("it cannot be looked into (" + Wording.reason(e) + ")");
        }
    }

    private static void checkName(String name) throws Declined {
        String slashed = name.replace('\\', '/');
        if (slashed.startsWith("/") || ("/" + slashed + "/").contains("/../")
                || name.chars().anyMatch(Character::isISOControl)) {
            throw Declined.forGood("its entry '" + Wording.plain(name)
                    + "' points out of the JAR; entry names are relative and free of '..' and control characters");
        }
    }

    private long readThrough(ZipFile zip, ZipEntry entry, long allowed) throws IOException, Declined {
        CRC32 sum = new CRC32();
        long left = allowed;
        try (InputStream in = zip.getInputStream(entry)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                left -= count;
                if (left < 0) {
                    throw Declined.forGood("it unpacks to more than " + (LARGEST_UNPACKED >> 20) + " MiB");
                }
                sum.update(buffer, 0, count);
            }
        }
        if (entry.getSize() >= 0 && allowed - left != entry.getSize()
                || entry.getCrc() >= 0 && entry.getCrc() != sum.getValue()) {
            throw Declined.forGood("its entry '" + Wording.plain(entry.getName()) + "' is damaged" + AGAIN);
        }
        return left;
    }

    private static Manifest manifest(ZipFile zip) throws IOException, Declined {
        ZipEntry entry = zip.getEntry("META-INF/MANIFEST.MF");
        if (entry == null) {
            throw Declined.forGood("it has no META-INF/MANIFEST.MF and so is no bundle; build it with bnd");
        }
        byte[] text;
        try (InputStream in = zip.getInputStream(entry)) {
            text = in.readNBytes(LARGEST_MANIFEST + 1);
        }
        if (text.length > LARGEST_MANIFEST) {
            throw Declined.forGood("its manifest is larger than " + LARGEST_MANIFEST / 1024 + " KiB");
        }
        try {
            return new Manifest(new ByteArrayInputStream(text));
        } catch (IOException | IllegalArgumentException e) {
            throw Declined.forGood("its manifest is malformed (" + Wording.reason(e) + ")");
        }
    }

    private static Identity identity(Manifest manifest) throws Declined {
        Attributes headers = manifest.getMainAttributes();
        String name = headers.getValue("Bundle-SymbolicName");
        if (name == null) {
            throw Declined.forGood(
                    "its manifest has no Bundle-SymbolicName, so it is a plain JAR and no bundle; build it with bnd");
        }
        String format = headers.getValue("Bundle-ManifestVersion");
        if (format == null || !format.strip().equals("2")) {
            throw Declined.forGood("its manifest has no 'Bundle-ManifestVersion: 2', so it is no bundle of this age");
        }
        int end = name.indexOf(';');
        String symbolic = (end < 0 ? name : name.substring(0, end)).strip();
        if (symbolic.length() > LONGEST_NAME) {
            throw Declined.forGood("its Bundle-SymbolicName has " + symbolic.length() + " characters, and at most "
                    + LONGEST_NAME + " are taken");
        }
        if (!SYMBOLIC_NAME.matcher(symbolic).matches()) {
            throw Declined.forGood("'" + Wording.plain(name) + "' is not a Bundle-SymbolicName;"
                    + " such a name is words of letters, digits, '_' and '-' with dots between them");
        }
        String host = headers.getValue("Fragment-Host");
        if (host != null) {
            throw Declined.forGood("it is a fragment of " + Wording.plain(host)
                    + ", and a fragment would change a bundle that is at work; put its content into a bundle");
        }
        ApiImports.check(headers.getValue("Import-Package"));
        String version = headers.getValue("Bundle-Version");
        try {
            return new Identity(symbolic, Version.parseVersion(version));
        } catch (IllegalArgumentException e) {
            throw Declined.forGood("'" + Wording.plain(version)
                    + "' is not a Bundle-Version; a version is up to three numbers and a word, as in 1.2.3.beta");
        }
    }
}
