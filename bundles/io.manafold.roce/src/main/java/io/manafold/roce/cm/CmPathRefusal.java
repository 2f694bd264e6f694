package io.manafold.roce.cm;

/** APR to a LAP: there will be no alternate path. Of what was asked only the two numbers are read. */
public final class CmPathRefusal {
    /** There are no alternate paths here. */
    private static final int UNSUPPORTED = 2;

    private CmPathRefusal() {
    }

    /**
     * Whose path it is about.
     *
     * @param localId by which the asking end knows the connection
     * @param remoteId by which the asked end knows it
     */
    public record Ids(int localId, int remoteId) {
    }

    /** Of a message that asks for a path. */
    public static Ids ids(byte[] mad) {
        Fields from = Fields.of(mad, Mad.LOAD_PATH);
        return new Ids(from.get32(0), from.get32(4));
    }

    /** The answer, its numbers seen from the end that refuses. */
    public static byte[] encode(int localId, int remoteId, long transaction) {
        return Fields.create(Mad.PATH_RESPONSE, transaction).put32(0, localId).put32(4, remoteId)
                .put8(9, UNSUPPORTED).mad();
    }
}
