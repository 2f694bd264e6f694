package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Route;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** From which of a host's addresses something is sent. */
final class SourceChoice {
    private SourceChoice() {
    }

    /**
     * The address to send from.
     *
     * @param wanted {@code null} to leave it open
     * @throws Refusal if there is none, or no way to the target
     */
    static IpAddress source(String device, Addressing own, IpAddress target, IpAddress wanted) {
        if (wanted != null && !own.isOwn(wanted.version(), wanted.high(), wanted.low())) {
            throw new Refusal(Errno.EADDRNOTAVAIL, wanted + " is no address of " + device + "; 'ip addr show dev "
                    + device + "' lists those it has.");
        }
        if (wanted != null && wanted.version() != target.version()) {
            throw new Refusal(Errno.EINVAL, wanted + " and " + target + " are not of the same version of IP.");
        }
        boolean free = target.isMulticast() || own.isOwn(target.version(), target.high(), target.low())
                || target.isIpv4() && own.isBroadcast(target.low());
        Route route = own.route(target.version(), target.high(), target.low());
        if (route == null && !free) {
            throw new Refusal(Errno.ENETUNREACH, device + " has no way to " + target + "; 'ip route show dev " + device
                    + "' lists where it leads, 'ip addr add' or 'ip route add' lets it lead elsewhere.");
        }
        IpAddress source = wanted != null ? wanted : own.isOwn(target.version(), target.high(), target.low())
                ? target : own.source(route, target);
        if (source == null) {
            throw new Refusal(Errno.EADDRNOTAVAIL, device + " has no " + (target.isIpv4() ? "IPv4" : "IPv6")
                    + " address to send from; 'ip addr add' gives it one.");
        }
        return source;
    }
}
