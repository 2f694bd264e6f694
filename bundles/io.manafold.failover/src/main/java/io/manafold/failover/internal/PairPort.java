package io.manafold.failover.internal;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a configuration says, read and checked.
 *
 * @param number of the port, from 1
 */
record PairPort(String adapter, int number, List<IpPrefix> addresses, Optional<String> tap) {
    /**
     * Where something that is the pair's own is kept: the port's virtual function has settings of its own, and is
     * driven without the pair at times.
     *
     * @param lab {@code null} if none has listed the pair
     */
    String subject(String about, String lab) {
        return SavedSettings.subject(SavedSettings.PAIR + about, lab, adapter, number);
    }

    static PairPort of(PairConfig config) {
        String name = config.name();
        if (name == null || name.isBlank()) {
            throw new Refusal(Errno.EINVAL, "A pair needs a name.");
        }
        String port = config.port() == null ? "" : config.port();
        int divide = port.lastIndexOf('/');
        if (divide <= 0 || !port.substring(divide + 1).matches("[1-9][0-9]{0,4}")) {
            throw new Refusal(Errno.EINVAL, "The pair " + name + " has no port: '" + port
                    + "' is not an adapter and a port, as in one/1.");
        }
        if (config.mtu() < Pair.LEAST_MTU || config.mtu() > Pair.MOST_MTU) {
            throw new Refusal(Errno.EINVAL, "The pair " + name + " cannot have an MTU of " + config.mtu()
                    + ": it is from " + Pair.LEAST_MTU + " to " + Pair.MOST_MTU + ".");
        }
        List<IpPrefix> read = new ArrayList<>();
        for (String text : config.addresses() == null ? new String[0] : config.addresses()) {
            try {
                read.add(IpPrefix.parse(text));
            } catch (IllegalArgumentException wrong) {
                throw new Refusal(Errno.EINVAL, "An address of the pair " + name + ": " + wrong.getMessage() + ".",
                        wrong);
            }
        }
        boolean tapped = config.tap() != null && !config.tap().isBlank();
        return new PairPort(port.substring(0, divide), Integer.parseInt(port.substring(divide + 1)),
                List.copyOf(read), tapped ? Optional.of(config.tap()) : Optional.empty());
    }
}
