package io.manafold.commands.net.internal;

import io.manafold.api.net.HookStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows the receive hooks of network devices: whose they are, and what they have decided. */
@Component(service = Command.class, property = Command.NAME + "=hook")
public final class HookCommand implements Command {
    private final Network network;

    @Activate
    public HookCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("hook", Words.FAMILY, "Shows receive hooks, whose they are, and what they have decided")
                .about("A receive hook is code of a bundle that sees each packet of a device before all others do, "
                        + "as a program of XDP does in Linux: it lets it pass, drops it, answers by it, or has it go "
                        + "out at another device. Counts are since the device's driver came, whatever hooks there "
                        + "were; dropped, answered and redirected are the sums of xdp_drop, xdp_tx and xdp_redirect, "
                        + "which 'ethtool -S' has for each queue. Dropped are packets that found no room to go out, "
                        + "too, and those of aborted: by these the hook failed, and 'log' says how. A hook goes when "
                        + "its bundle stops.")
                .usually("list")
                .verb(Syntax.verb("list", "Lists devices with their hooks").shows()
                        .example("hook list", "one line for each device that takes one")
                        .example("hook list --json", "for programs"))
                .verb(Syntax.verb("show", "Shows the hook of a device, and its counts by queue").shows()
                        .argument(Words.DEVICE, Words.DEVICE_HELP, network.completeDevices())
                        .example("hook show mana0", "whose it is, and what it did")
                        .example("hook show mana0 --json", "for programs"))
                .build();
    }

    @Override
    public void run(Call call) {
        if (call.verb().equals("list")) {
            call.print(HookView.table(network.devices()));
            return;
        }
        NetDevice device = network.device(call.required(Words.DEVICE));
        HookStatus status = device.hook().orElseThrow(() -> new Refusal(Errno.EOPNOTSUPP, device.name()
                + " takes no receive hook, and 'hook list' shows the devices that do: of a pair it is the virtual "
                + "function."));
        HookView.print(call, device, status);
    }
}
