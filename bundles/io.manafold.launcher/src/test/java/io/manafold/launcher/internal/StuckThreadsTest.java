package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StuckThreadsTest {
    private static final StackTraceElement SLEEP = new StackTraceElement("java.lang.Thread", "sleep", null, 0);
    private static final StackTraceElement HANG = new StackTraceElement("hostile.Activator", "stop", null, 0);
    private static final StackTraceElement STOP =
            new StackTraceElement("org.apache.felix.framework.Felix", "stopBundle", null, 0);
    private static final StackTraceElement WAIT =
            new StackTraceElement("org.apache.felix.framework.Felix", "run", null, 0);

    @Test
    void namesTheThreadThatIsInsideABundlesStopAndWhereItIs() {
        StuckThreads stuck = new StuckThreads(Map.of(new Thread("stopping"),
                new StackTraceElement[] {SLEEP, HANG, STOP}, new Thread("working"),
                new StackTraceElement[] {SLEEP, HANG}, new Thread("dispatching"), new StackTraceElement[] {SLEEP, WAIT},
                new Thread("main"), new StackTraceElement[] {SLEEP, STOP}));
        assertThat(stuck.sentence()).isEqualTo(": the thread 'stopping' is in hostile.Activator.stop");
        assertThat(stuck.stacks()).contains("stopping", "Thread.sleep").doesNotContain("working", "main",
                "dispatching");
    }

    @Test
    void namesACommandThatDoesNotEnd() {
        StackTraceElement command = new StackTraceElement(MainThread.class.getName(), "work", null, 0);
        StuckThreads stuck = new StuckThreads(Map.of(new Thread("manafold"),
                new StackTraceElement[] {SLEEP, HANG, command}));
        assertThat(stuck.sentence()).isEqualTo(": the thread 'manafold' is in hostile.Activator.stop");
    }

    @Test
    void saysNothingOfThreadsItDoesNotKnowToBeStuck() {
        assertThat(new StuckThreads(Map.of()).sentence()).isEmpty();
    }
}
