package io.manafold.api.net;

/**
 * A device's receive hook and what became of packets by it since the driver came, whatever hooks there were. The
 * numbers are read one after the other while packets pass.
 *
 * @param hook the class of the hook in place, empty if there is none
 * @param owner the symbolic name and the version of the bundle that it is of, empty if there is none
 * @param passed packets that went on
 * @param dropped packets that went nowhere, those included that no queue took and those of {@code aborted}
 * @param transmitted packets that went out where they came in
 * @param redirected packets that were left for another device
 * @param aborted packets by which the hook failed, or of which it said that something is wrong
 */
public record HookStatus(String hook, String owner, long passed, long dropped, long transmitted, long redirected,
        long aborted) {
    /** Whether there is a hook. */
    public boolean isInPlace() {
        return !hook.isEmpty();
    }
}
