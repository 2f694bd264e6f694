package io.manafold.launcher.internal.attach;

import java.io.IOException;

/** The other side does not keep to the protocol. */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String sentence) {
        super(sentence);
    }
}
