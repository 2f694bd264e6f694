package io.manafold.api.sockets;

/**
 * How a transfer went, for administrators.
 *
 * @param number of the endpoint's transfers, from 1
 * @param operation {@link Operation#SEND} or {@link Operation#RECEIVE}
 * @param bytes that were taken or have come
 * @param path {@code zero-copy}, {@code copied} or {@code area}
 * @param kernel what the kernel itself said of the path, {@code null} if it said nothing
 * @param because our reason for the path or the failure, a clause
 * @param inferred whether that reason is a conclusion of ours, which the kernel does not say
 * @param gathered with how many transfers it was one operation, itself included
 * @param systemCalls that this operation took, for all that were gathered
 * @param pinnedBytes of memory that was not to change or to be freed while this was under way: what a send sends, the
 *        range of a receive that was posted; none of a pool, which has it before and afterwards
 * @param postedNanos when, by {@link System#nanoTime}
 * @param acceptedNanos 0 if it was not
 * @param freeNanos when the memory was the program's again
 * @param status {@code OK}, or the name of the error
 */
public record Transfer(long number, Operation operation, long bytes, String path, String kernel, String because,
        boolean inferred, int gathered, int systemCalls, long pinnedBytes, long postedNanos, long acceptedNanos,
        long freeNanos, String status) {
    /** Of those who know of no memory that it kept. */
    public Transfer(long number, Operation operation, long bytes, String path, String kernel, String because,
            boolean inferred, int gathered, int systemCalls, long postedNanos, long acceptedNanos, long freeNanos,
            String status) {
        this(number, operation, bytes, path, kernel, because, inferred, gathered, systemCalls, 0, postedNanos,
                acceptedNanos, freeNanos, status);
    }
}
