package io.manafold.image.internal;

import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of what is read, held against the name that it goes by. */
final class Digest {
    private final MessageDigest sha256;

    Digest() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    void add(byte[] bytes) {
        sha256.update(bytes);
    }

    InputStream over(InputStream in) {
        return new DigestInputStream(in, sha256);
    }

    /** @throws IOException if it is another one */
    void hold(String path, String expected) throws IOException {
        String found = HexFormat.of().formatHex(sha256.digest());
        if (!found.equals(expected)) {
            throw new IOException("'" + path.substring(1) + "' is not what it is called: its SHA-256 is " + found
                    + ", and " + expected + " was expected");
        }
    }
}
