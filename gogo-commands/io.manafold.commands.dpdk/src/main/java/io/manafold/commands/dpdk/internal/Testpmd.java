package io.manafold.commands.dpdk.internal;

import io.manafold.api.testpmd.TestPmd;
import io.manafold.shell.Command;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** The program under both names that it goes by. */
final class Testpmd {
    private Testpmd() {
    }

    /** {@code testpmd}. */
    @Component(service = Command.class, property = Command.NAME + "=testpmd")
    public static final class Short extends TestpmdCommand {
        @Activate
        public Short(@Reference TestPmd program, @Reference HostAddresses addresses) {
            super(program, addresses, "testpmd");
        }
    }

    /** {@code dpdk-testpmd}. */
    @Component(service = Command.class, property = Command.NAME + "=dpdk-testpmd")
    public static final class Long extends TestpmdCommand {
        @Activate
        public Long(@Reference TestPmd program, @Reference HostAddresses addresses) {
            super(program, addresses, "dpdk-testpmd");
        }
    }
}
