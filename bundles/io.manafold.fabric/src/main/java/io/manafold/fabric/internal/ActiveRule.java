package io.manafold.fabric.internal;

import io.manafold.api.fabric.LinkStatus.RuleStatus;
import io.manafold.api.fabric.PacketRule;

/** A rule and how often it was applied. */
final class ActiveRule {
    final PacketRule rule;
    final Counter matched = new Counter();

    ActiveRule(PacketRule rule) {
        this.rule = rule;
    }

    /** Whether it is to be applied to a packet. */
    boolean fits(RocePacket packet) {
        return (rule.queuePair() == PacketRule.ANY || rule.queuePair() == packet.queuePair())
                && (rule.sequence() == PacketRule.ANY || rule.sequence() == packet.sequence())
                && (rule.opcode() == PacketRule.ANY || rule.opcode() == packet.opcode())
                && (rule.ecn() == PacketRule.ANY || rule.ecn() == packet.ecn())
                && (rule.count() == 0 || matched.get() < rule.count());
    }

    RuleStatus status() {
        return new RuleStatus(rule, matched.get());
    }
}
