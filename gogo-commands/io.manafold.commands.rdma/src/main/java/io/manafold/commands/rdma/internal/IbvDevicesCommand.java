package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Lists RDMA devices, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ibv_devices")
public final class IbvDevicesCommand implements Command {
    private final Devices devices;

    @Activate
    public IbvDevicesCommand(@Reference Devices devices) {
        this.devices = devices;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("ibv_devices", Words.FAMILY, "Lists RDMA devices")
                .about("Lines are those of rdma-core's program of this name.")
                .shows()
                .example("ibv_devices", "name and identifier of each")
                .example("ibv_devices --json", "the same for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        if (call.json()) {
            call.print(devices.all().stream().map(device -> Fields.of("device", device.name())
                    .and("node_guid", Words.guid(device.attributes().guid()))).toList());
            return;
        }
        call.out().printf("    %-16s\t   node GUID%n", "device");
        call.out().printf("    %-16s\t----------------%n", "------");
        for (RdmaDevice device : devices.all()) {
            call.out().printf("    %-16s\t%016x%n", device.name(), device.attributes().guid());
        }
    }
}
