package io.manafold.qualify.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What threads have allocated, as the virtual machine counts it; asked from another thread. */
final class Allocations {
    private static final String[] ONE_NUMBER = {"long"};

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /**
     * Bytes so far, of a thread that lives.
     *
     * @throws Refusal {@code EOPNOTSUPP} if this virtual machine does not count them
     */
    long bytes(long thread) {
        try {
            Object bytes = server.invoke(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                    "getThreadAllocatedBytes", new Object[] {thread}, ONE_NUMBER);
            if (bytes instanceof Long count && count >= 0) {
                return count;
            }
        } catch (JMException | RuntimeException unknown) {
            throw new Refusal(Errno.EOPNOTSUPP, "This virtual machine does not count what threads allocate: HotSpot "
                    + "does.", unknown);
        }
        throw new Refusal(Errno.EOPNOTSUPP, "This virtual machine does not count what the thread " + thread
                + " allocates: it has ended, or the counting is off.");
    }
}
