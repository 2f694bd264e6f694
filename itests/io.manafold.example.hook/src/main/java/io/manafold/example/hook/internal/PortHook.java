package io.manafold.example.hook.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceiveHook;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Drops packets of UDP for one port, answers those for another in place, and sends those for a third elsewhere. */
@Component(service = {}, configurationPid = "io.manafold.example.hook")
public final class PortHook implements ReceiveHook {
    /** Addresses and ports of both ends, two bytes each; a checksum is the same in any order. */
    private static final int[][] SWAPPED = {{0, 6}, {2, 8}, {4, 10}, {26, 30}, {28, 32}, {34, 36}};
    private final NetDevice device;
    private final int[] ports;
    private final String elsewhere;

    @interface Ports {
        int drop() default 9;
        int answer() default 7;
        int redirect() default 5000;
        String to() default "mana1";
    }

    @Activate
    public PortHook(@Reference(name = "device", target = "(name=mana0)") NetDevice device, Ports config) {
        this.device = device;
        ports = new int[] {config.drop(), config.answer(), config.redirect()};
        elsewhere = config.to();
        device.setHook(this);
    }

    @Override
    public Verdict decide(PacketBuffer packet, Redirection redirection) {
        boolean udp = packet.length() >= 42 && packet.get16(12) == 0x0800 && packet.get8(14) == 0x45
                && packet.get8(23) == 17 && (packet.get16(20) & 0x1fff) == 0;
        int port = udp ? packet.get16(36) : -1;
        if (port == ports[2]) {
            redirection.redirect(elsewhere);
            return Verdict.REDIRECT;
        }
        if (port == ports[1] && port != packet.get16(34)) {
            for (int[] places : SWAPPED) {
                int kept = packet.get16(places[0]);
                packet.put16(places[0], packet.get16(places[1]));
                packet.put16(places[1], kept);
            }
            return Verdict.TRANSMIT;
        }
        return port == ports[0] ? Verdict.DROP : Verdict.PASS;
    }

    @Deactivate
    void end() {
        device.setHook(null);
    }
}
