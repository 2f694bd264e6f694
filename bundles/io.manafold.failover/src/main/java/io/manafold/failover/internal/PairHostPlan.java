package io.manafold.failover.internal;

import io.manafold.api.inet.HostPlan;
import io.manafold.api.inet.IpPrefix;
import java.util.List;
import java.util.Optional;

/** The host above a pair, as its entry says. */
record PairHostPlan(String device, List<IpPrefix> addresses, Optional<String> tap) implements HostPlan {
}
