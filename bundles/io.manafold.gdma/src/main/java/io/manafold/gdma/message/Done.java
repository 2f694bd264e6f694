package io.manafold.gdma.message;

/** The body of a response that has none. */
public enum Done implements Response {
    DONE;

    @Override
    public void encode(Message message) {
        // the head says it all
    }
}
