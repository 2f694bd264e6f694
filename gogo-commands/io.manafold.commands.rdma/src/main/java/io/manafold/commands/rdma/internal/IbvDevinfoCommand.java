package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows the attributes of RDMA devices and their ports, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ibv_devinfo")
public final class IbvDevinfoCommand implements Command {
    private static final String PORT = "-i";
    private static final String LIST = "-l";
    private static final String VERBOSE = "-v";

    private final Devices devices;

    @Activate
    public IbvDevinfoCommand(@Reference Devices devices) {
        this.devices = devices;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("ibv_devinfo", Words.FAMILY, "Shows the attributes of RDMA devices and their ports")
                .about("Labels are those of rdma-core's program of this name, and so are the keys of --json.")
                .about("Not asked of the device, but the same for every device of this kind: sys_image_guid, hw_ver, "
                        + "max_mr_size, page_size_cap, device_cap_flags, atomic_cap, max_ah, max_pkeys, pkey_tbl_len, "
                        + "local_ca_ack_delay, num_comp_vectors, port_cap_flags, lids, and all that is 0 or not "
                        + "supported.")
                .shows()
                .option("-d, --ib-dev DEV", Words.DEVICE_HELP + "; all of them if left out", devices.complete())
                .option("-i, --ib-port PORT", "only this port, counted from 1", Completer.NONE)
                .flag("-l, --list", "only the names")
                .flag("-v, --verbose", "all attributes, with the addresses (GIDs) of the ports")
                .example("ibv_devinfo", "all devices and ports in short")
                .example("ibv_devinfo -v -d mana_0", "all of one")
                .example("ibv_devinfo -d mana_0 --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        int only = call.number(PORT, 1, Words.MOST_PORTS).orElse(0);
        List<RdmaDevice> chosen = call.option(Words.DEVICE).map(name -> List.of(devices.device(name)))
                .orElseGet(devices::all);
        if (call.flag(LIST)) {
            list(call, chosen);
            return;
        }
        if (chosen.isEmpty()) {
            devices.first();
        }
        List<Fields> all = new ArrayList<>();
        for (RdmaDevice device : chosen) {
            Devinfo info = Devinfo.of(device, Words.port(device, only), call.flag(VERBOSE));
            if (call.json()) {
                all.add(info.fields());
            } else {
                info.print(call.out());
            }
        }
        if (call.json()) {
            call.print(all);
        }
    }

    private static void list(Call call, List<RdmaDevice> chosen) {
        if (call.json()) {
            call.print(chosen.stream().map(device -> Fields.of("hca_id", device.name())).toList());
            return;
        }
        call.out().printf("%d HCA%s found:%n", chosen.size(), chosen.size() == 1 ? "" : "s");
        chosen.forEach(device -> call.out().printf("\t%s%n", device.name()));
        call.out().println();
    }
}
