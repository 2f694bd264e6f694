package io.manafold.benchmark;

/** Something that receives packets again and again. */
interface Receiving extends AutoCloseable {
    /** Receives for a while; nanoseconds of processor time for one packet. */
    double run(long nanos);

    /** Bytes allocated for one packet in the last run. */
    double allocated();

    /** Bytes of memory for each posted buffer, as they were really taken. */
    double bytesPerPacket();

    @Override
    void close();
}
