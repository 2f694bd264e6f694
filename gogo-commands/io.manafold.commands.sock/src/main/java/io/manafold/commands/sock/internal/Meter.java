package io.manafold.commands.sock.internal;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the Java machine says of itself: time of processors, and bytes of the heap. */
final class Meter {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName system = name(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
    private final ObjectName threads = name(ManagementFactory.THREAD_MXBEAN_NAME);

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (JMException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Of the whole process, the kernel's threads in it included. */
    long processorNanos() {
        try {
            return (Long) server.getAttribute(system, "ProcessCpuTime");
        } catch (JMException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What a thread that lives has allocated in its life. */
    long allocated(Thread thread) {
        try {
            return (Long) server.invoke(threads, "getThreadAllocatedBytes", new Object[] {thread.threadId()},
                    new String[] {"long"});
        } catch (JMException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
