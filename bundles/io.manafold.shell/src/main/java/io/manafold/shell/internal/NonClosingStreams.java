package io.manafold.shell.internal;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Streams that are lent: a command that closes them closes nothing. */
final class NonClosingStreams {
    private NonClosingStreams() {
    }

    static final class Input extends FilterInputStream {
        Input(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // the lender closes it
        }
    }

    static final class Output extends FilterOutputStream {
        private volatile boolean over;

        Output(OutputStream out) {
            super(out);
        }

        /** What is still written goes nowhere. */
        void end() {
            over = true;
        }

        @Override
        public void write(int one) throws IOException {
            if (!over) {
                out.write(one);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!over) {
                out.write(bytes, offset, length);
            }
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
