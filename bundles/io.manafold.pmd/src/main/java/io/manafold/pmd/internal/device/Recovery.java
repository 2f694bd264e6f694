package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.rdma.RdmaDevice;
import java.time.Duration;

/** Has a port go on when its device has come back from a reset, on a thread of its own. */
final class Recovery implements Runnable {
    private final PmdEnvironment environment;
    private final Directory directory;
    private final PollDevice port;
    private final Duration limit;
    private final long deadline;

    private Recovery(PmdEnvironment environment, Directory directory, PollDevice port, Duration limit) {
        this.environment = environment;
        this.directory = directory;
        this.port = port;
        this.limit = limit;
        deadline = System.nanoTime() + limit.toNanos();
    }

    /** Begins for a port that recovers. */
    static void begin(PmdEnvironment environment, Directory directory, PollDevice port, Duration limit) {
        Thread.ofPlatform().daemon().name("pmd-recovery-" + port.name())
                .start(new Recovery(environment, directory, port, limit));
    }

    @Override
    public void run() {
        try {
            while (true) {
                RdmaDevice back = directory.await(port.facts().address(), port.facts().port(), deadline,
                        () -> !port.is(PortState.RECOVERING));
                if (!port.is(PortState.RECOVERING)) {
                    return;
                }
                if (back == null) {
                    failed("has not come back within " + limit.toMillis() + " ms after its device was reset.");
                    return;
                }
                if (port.life().resume(back)) {
                    environment.tell(port.say().event(EthDevEvent.Kind.RECOVERY_SUCCESS, "goes on as it was."));
                    return;
                }
            }
        } catch (RuntimeException refused) {
            failed("cannot go on: " + refused.getMessage());
        } catch (InterruptedException _) {
            failed("is not waited for any longer.");
        }
    }

    private void failed(String why) {
        port.life().fail();
        environment.tell(port.say().event(EthDevEvent.Kind.RECOVERY_FAILED,
                why + " Close it, and look at 'devices' and 'rdma link'."));
    }
}
